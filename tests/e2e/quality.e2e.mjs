// Is it quiet, steady and readable by everybody? node --test --test-reporter=spec tests/e2e/quality.e2e.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { makeFolder, rules, sample, tagged } from './harness/folders.mjs';
import { openTestWindow, openWindow } from './harness/window.mjs';

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { vscode, page, workbench, step } = await openTestWindow({ name: 'quality' });

/** The rules of accessibility that some part of the window breaks, the serious ones. */
async function broken(selector) {
  await page.evaluate(AXE);
  return page.evaluate(async where => {
    const { violations } = await globalThis.axe.run(where, { resultTypes: ['violations'] });
    return violations.filter(each => ['serious', 'critical'].includes(each.impact)).map(each => each.id);
  }, selector);
}

step('U3: the views break no rule of accessibility that VS Code does not break itself', async () => {
  await workbench.open(sample(), 'packages/api/CLAUDE.md');
  await workbench.command('Explorer: Focus on Outline View');
  await page.locator('.outline-pane .monaco-list-row').first().waitFor();
  const usual = new Set([...(await broken('.part.sidebar')), ...(await broken('.part.statusbar'))]);
  await workbench.focusView('Instruction Files', 'CLAUDE.md');
  const now = [...(await broken('.part.sidebar')), ...(await broken('.part.statusbar'))];
  console.log(`# VS Code itself: ${[...usual].join(', ') || 'nothing'}; with our views: ${now.join(', ') || 'nothing'}`);
  assert.deepEqual(now.filter(each => !usual.has(each)), []);
});

step('U5: nothing flickers while somebody types', async () => {
  const folder = makeFolder('shop', { '.git/HEAD': 'ref: refs/heads/main\n', 'CLAUDE.md': rules('Shop', 5000) });
  await workbench.open(folder, 'CLAUDE.md');
  await workbench.complete();
  await page.locator('.codelens-decoration', { hasText: 'Claw reads' }).waitFor();
  await workbench.focusEditor();
  await page.keyboard.press('ArrowDown');
  await page.evaluate(() => {
    globalThis.seen = { blankStatus: 0, lensCounts: new Set(), looks: 0 };
    const look = () => {
      const { seen } = globalThis;
      const status = document.querySelector('.statusbar-item[id="agentbrief.agentbrief.agentbrief.budget"]');
      seen.looks += 1;
      seen.blankStatus += status === null || status.innerText.trim() === '' ? 1 : 0;
      seen.lensCounts.add([...document.querySelectorAll('.codelens-decoration')].filter(each => each.innerText.trim() !== '').length);
      seen.timer = requestAnimationFrame(look);
    };
    look();
  });
  for (let i = 0; i < 200; i++) {
    await page.keyboard.type(i % 20 === 19 ? '\n' : 'a');
  }
  await page.locator('.codelens-decoration', { hasText: 'of 5,200 characters' }).waitFor();
  const seen = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.seen.timer);
    return { ...globalThis.seen, lensCounts: [...globalThis.seen.lensCounts] };
  });
  console.log(`# ${seen.looks} frames looked at`);
  assert.ok(seen.looks > 50);
  assert.equal(seen.blankStatus, 0);
  assert.deepEqual(seen.lensCounts, [1]);
  await workbench.command('File: Revert File');
  await page.locator('.tabs-container .tab.dirty').waitFor({ state: 'detached' });
});

step('U6: 20 clean folders and 5 with findings open quietly', async () => {
  const files = { '.git/HEAD': 'ref: refs/heads/main\n' };
  const folders = [];
  for (let i = 0; i < 20; i++) {
    folders.push(makeFolder(`clean-${i}`, { ...files, 'CLAUDE.md': `# Rules ${i}\n\n- be kind\n` }));
  }
  for (let i = 0; i < 5; i++) {
    folders.push(makeFolder(`findings-${i}`, { ...files, 'CLAUDE.md': `# Rules\n\n- be kind${tagged('be unkind')}\n\n${rules('More', 4200)}` }));
  }
  const file = path.join(makeFolder('all', {}), 'all.code-workspace');
  fs.writeFileSync(file, JSON.stringify({ folders: folders.map(each => ({ uri: vscode.fileUri(each) })) }));
  await workbench.openWorkspace(file);
  await workbench.status.filter({ hasText: /\d hidden/ }).waitFor({ timeout: 60_000 });
  await page.locator('.part.statusbar [id="status.problems"]', { hasText: /^\s*5\s*5\s*$/ }).waitFor({ timeout: 60_000 });
  assert.equal(await workbench.notifications.count(), 0);
  assert.equal(await page.locator('.tabs-container .tab').count(), 0);
  await workbench.focusView('Instruction Files', 'clean-0');
  await workbench.shot('quality-many');
});

step('links of a page lead to the files', async () => {
  await workbench.open(sample(), 'packages/api/CLAUDE.md');
  await workbench.command('Agent Brief: Show Instruction Files in Effect');
  const link = workbench.preview().locator('a', { hasText: '../../CLAUDE.md' });
  await link.focus();
  await page.keyboard.press('Enter');
  await page.locator('.tabs-container .tab.active', { hasText: 'CLAUDE.md' }).waitFor();
  // VS Code shows what a link in a preview leads to in a preview too.
  await workbench.preview().locator('h1', { hasText: 'Orchard' }).waitFor();
});

step('without a Python that will do, it says so and what to do', async () => {
  const { page: other, workbench: bench, close } = await openWindow({ server: { machine: { 'agentbrief.interpreter': '/bin/false' } } });
  try {
    await bench.open(sample());
    await bench.status.filter({ hasText: 'Brief' }).locator('.codicon-error').waitFor({ timeout: 60_000 });
    assert.equal(await bench.notifications.count(), 0, 'nothing pops up by itself');
    await bench.command('Agent Brief: Focus on Instruction Files View');
    const welcome = other.locator('.part.sidebar .welcome-view', { hasText: 'Python 3.11 or newer was not found.' });
    await welcome.locator('.monaco-button', { hasText: 'Choose Interpreter' }).waitFor();
    await bench.command('Agent Brief: Show Context Budget');
    const message = bench.notifications.filter({ hasText: 'Python 3.11 or newer was not found. Tried: /bin/false. Agent Brief needs it to run; nothing was changed.' });
    await message.locator('.monaco-button', { hasText: 'Choose Interpreter' }).waitFor();
    await bench.shot('no-python');
  } catch (error) {
    await bench.shot('failed-no-python');
    throw error;
  } finally {
    await close();
  }
});
