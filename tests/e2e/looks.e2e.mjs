// U2: can all be read in every theme, at 100 % and at 200 %? Six views in eight looks: pictures for people to look at
// (SHOTS/look-*.png), and what needs no person. node --test --test-reporter=spec tests/e2e/looks.e2e.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, rules, withSessions } from './harness/folders.mjs';
import { THEMES } from './harness/themes.mjs';
import { openTestWindow } from './harness/window.mjs';

const SIDE_BAR = 300;
const made = withSessions();
const empty = makeFolder('empty', { 'notes.txt': '' });
const files = { 'CLAUDE.md': rules('Shop', 6012), 'CLAUDE.local.md': rules('Mine', 310), 'AGENTS.md': '# Others\n' };
for (const [name, text] of Object.entries(files)) {
  fs.writeFileSync(path.join(made.workspace, name), text);
}
const { vscode, page, workbench, zoom, step } = await openTestWindow({
  name: 'looks',
  limit: 120_000,
  server: { home: made.home },
  browser: { viewport: { width: 1440, height: 900 } },
});
const sideBar = page.locator('.part.sidebar');
const shownHover = page.locator('.monaco-hover:visible');

/** At 100 % and at 200 %: show what is meant, take its picture, look at it. */
async function atEachZoom(name, show, look) {
  for (const factor of [1, 2]) {
    await zoom(factor);
    await show();
    const picture = `look-${name}-${factor * 100}`;
    await workbench.shot(picture);
    await look(picture);
  }
  await zoom(1);
}

/** The texts in some part of the window that end before their end, each as far as it is seen. */
function clipped(part) {
  return part.evaluateAll(roots => {
    const seen = element => {
      const { right } = element.getBoundingClientRect();
      const range = document.createRange();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      let text = '';
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (let i = 0; i < node.length; i++) {
          range.setStart(node, i);
          range.setEnd(node, i + 1);
          text += range.getBoundingClientRect().right <= right ? node.data[i] : '';
        }
      }
      return text;
    };
    return roots
      .flatMap(root => [root, ...root.querySelectorAll('*')])
      .filter(each => each.scrollWidth > each.clientWidth && /hidden|clip/.test(getComputedStyle(each).overflowX) && each.innerText?.trim())
      .map(seen);
  });
}

/** Pictures are drawn: bars 480 pixels wide. */
async function seePictures(images, where) {
  await images.first().waitFor();
  const widths = await images.evaluateAll(all => all.filter(each => each.naturalHeight !== each.naturalWidth).map(each => each.naturalWidth));
  assert.ok(widths.length > 0 && widths.every(width => width === 480), `${where}: ${widths}`);
}

/** Ask for the hover of what has the focus, by keyboard. */
async function hover() {
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
  await shownHover.locator('img').first().waitFor();
}

/** The hover has its picture, whole, and its texts; then it is put away. */
async function seeHover(where) {
  await seePictures(shownHover.locator('img'), where);
  const [box, room] = [await shownHover.locator('img').first().boundingBox(), await shownHover.boundingBox()];
  assert.ok(box.x >= room.x && box.x + box.width <= room.x + room.width, `${where}: the picture is cut`);
  assert.deepEqual(await clipped(shownHover), [], where);
  await page.keyboard.press('Escape');
}

async function seeViews(where) {
  const width = await sideBar.evaluate(part => part.offsetWidth);
  assert.ok(Math.abs(width - SIDE_BAR) <= 2, `${where}: ${width} pixels wide`);
  for (const view of ['Instruction Files', 'Budget']) {
    assert.deepEqual(await clipped(page.locator(`.part.sidebar .pane:has(.pane-header[aria-label^="${view}"])`)), [], where);
  }
  // What a session is about may be long, and then its end is not seen; nor is the end of a row, after the numbers.
  for (const text of await clipped(workbench.rows('Sessions'))) {
    assert.match(text, /^0: the cache module|\d (min|h) · ~?\d+k/, where);
  }
  assert.deepEqual(await clipped(workbench.status), [], where);
  const item = await workbench.status.boundingBox();
  assert.ok(item.x + item.width <= page.viewportSize().width, `${where}: the status item is in the window`);
}

for (const { name, setting, drawn } of THEMES) {
  step(`U2: ${name}`, async () => {
    vscode.change({ 'workbench.colorTheme': setting });
    await workbench.open(made.workspace, 'CLAUDE.md');
    await page.locator(`.monaco-workbench.${drawn}`).waitFor();
    await workbench.focusView('Sessions', 'Fix the login redirect');
    await workbench.focusView('Instruction Files', 'CLAUDE.md');
    await atEachZoom(`${name}-views`, async () => {}, seeViews);
    await atEachZoom(`${name}-tooltip`, hover, seeHover);

    await workbench.focusEditor();
    await page.keyboard.press('Control+Home');
    await atEachZoom(`${name}-hover`, hover, seeHover);
    await atEachZoom(`${name}-status`, async () => {
      await page.mouse.move(0, 0);
      await workbench.status.hover();
      await shownHover.locator('img').waitFor();
    }, seeHover);
    await page.mouse.move(0, 0);

    await workbench.command('Agent Brief: Show Context Budget');
    await workbench.preview().locator('h2', { hasText: 'Session' }).waitFor();
    await atEachZoom(`${name}-budget`, async () => {}, where => seePictures(workbench.preview().locator('img'), where));

    await workbench.open(empty, undefined, { quiet: true });
    await page.locator('.activitybar .action-item a[aria-label^="Agent Brief"]').click();
    const welcome = sideBar.locator('.welcome-view', { hasText: 'No instruction files' });
    await welcome.waitFor({ timeout: 60_000 });
    await atEachZoom(`${name}-welcome`, async () => {}, async where => {
      assert.deepEqual(await clipped(sideBar.locator('.pane')), [], where);
      assert.ok(await welcome.isVisible(), `${where}: it stays, whatever the server is doing`);
    });
  });
}
