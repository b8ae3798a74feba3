// The stories of people who ask what their agent reads, in the real VS Code, by keyboard (LOCALE: see harness/language.mjs):
//   node --test --test-reporter=spec tests/e2e/stories.e2e.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, rules } from './harness/folders.mjs';
import { said, words } from './harness/language.mjs';
import { openTestWindow } from './harness/window.mjs';

const { page, workbench, step: story } = await openTestWindow({ name: 'stories', limit: 90_000 });

story('1: which of my instruction files were read?', async () => {
  const repository = makeFolder('shop', {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'CLAUDE.md': rules('Shop', 1204),
    'app/CLAUDE.md': rules('App', 6012),
    'app/CLAUDE.local.md': rules('Mine', 310),
    'app/AGENTS.md': '# Others\n',
  });
  await workbench.open(path.join(repository, 'app'));
  await workbench.status.filter({ hasText: '5.5k/12k' }).waitFor({ timeout: 60_000 });
  assert.ok((await workbench.statusLabel()).includes(words('CLAUDE.md is cut: 2,012 characters do not reach Claw')));

  await workbench.focusView('Instruction Files', '../CLAUDE.md');
  const rows = await workbench.spoken('Instruction Files');
  assert.deepEqual(rows, [
    words('CLAUDE.md, warning, 4,000 of 6,012 characters reach Claw'),
    words('CLAUDE.local.md, 310 characters reach Claw'),
    words('../CLAUDE.md, 1,204 characters reach Claw'),
    said('row.other', { name: 'AGENTS.md', reason: words('not read by Claw') }),
  ]);
  await page.keyboard.press('End');
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
  const hover = page.locator('.monaco-hover:visible', { hasText: words('not read by Claw') });
  await hover.waitFor();
  await workbench.shot('1-reason');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await workbench.editor('CLAUDE.md').waitFor();
  await workbench.cursor(/^Ln (?!1,)\d+, Col/);
  await workbench.shot('1-cut');
});

story('2: my CLAUDE.md is too big. What is cut, what do I take out?', async () => {
  const folder = makeFolder('shop', { '.git/HEAD': 'ref: refs/heads/main\n', 'CLAUDE.md': rules('Shop', 6012) });
  await workbench.open(folder, 'CLAUDE.md');
  const lens = page.locator('.codelens-decoration', { hasText: words('Claw reads 4,000 of 6,012 characters') });
  await lens.waitFor({ timeout: 60_000 });
  await workbench.focusEditor();
  await page.keyboard.press('F8');
  const overLimit = words('Claw reads the first 4,000 characters of a file; 2,012 characters of this one are not read.');
  const problem = page.locator('.monaco-editor .marker-widget', { hasText: overLimit });
  await problem.waitFor();
  await workbench.shot('2-problem');
  const cut = await workbench.cursor(/^Ln \d+, Col \d+$/);
  await page.keyboard.press('Escape');

  const faded = page.locator('.view-lines .squiggly-inline-unnecessary').first();
  await faded.waitFor();
  assert.ok(Number(await faded.evaluate(element => getComputedStyle(element).opacity)) < 1, 'the text past the limit is faded');
  const text = [...fs.readFileSync(path.join(folder, 'CLAUDE.md'), 'utf8')].slice(0, 4000).join('');
  const line = text.split('\n').length;
  const column = text.length - text.lastIndexOf('\n');
  assert.equal(cut, `Ln ${line}, Col ${column}`, 'columns count emoji as the editor does');

  await workbench.openFixes();
  const actions = page.locator('.action-widget').first();
  await actions.filter({ hasText: words('Show largest sections') }).waitFor();
  await workbench.shot('2-quickfix');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const largest = workbench.quickPickRow('Build');
  await largest.waitFor();
  assert.match(await largest.innerText(), words`${/3,0\d\d/} characters · 50%`);
  await workbench.shot('2-sections');
  await page.keyboard.press('Enter');
  await workbench.cursor(/^Ln 3, Col 1$/);

  await workbench.fixesOfNextProblem(overLimit);
  await workbench.chooseAction(words('Move text past the limit to docs/agent-notes.md and link it'));
  await workbench.agree('agent-notes.md', '2-preview');
  await workbench.status.filter({ hasText: /^ ?[34][.\d]*k\/12k/ }).locator('.codicon-book').waitFor();
  await page.locator('.view-lines .squiggly-inline-unnecessary').first().waitFor({ state: 'detached' });
  await workbench.focusEditor();
  await page.keyboard.press('Control+Home');
  await lens.waitFor({ state: 'detached' });
  const now = page.locator('.codelens-decoration', { hasText: words`Claw reads ${/[\d,]+/} of ${/[\d,]+/} characters` }).first();
  await now.waitFor();
  const { sent, all } = (await now.innerText()).match(words`Claw reads ${/(?<sent>[\d,]+)/} of ${/(?<all>[\d,]+)/} characters`).groups;
  assert.equal(sent, all, 'all of the file is read');
  await workbench.shot('2-moved');
});

story('4: the same rules are in two files', async () => {
  const same = rules('Shop', 600);
  const repository = makeFolder('shop', {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'CLAUDE.md': `${same}\n\n`,
    'app/CLAUDE.md': same,
    'other/AGENTS.md': rules('Others', 300),
    'other/CLAUDE.md': { to: 'AGENTS.md' },
  });
  await workbench.open(path.join(repository, 'app'));
  await workbench.focusView('Instruction Files', words('same text as CLAUDE.md; Claw keeps only that one'));
  assert.deepEqual(await workbench.spoken('Instruction Files'), [
    words('CLAUDE.md, 600 characters reach Claw'),
    said('row.other', { name: '../CLAUDE.md', reason: words('same text as CLAUDE.md; Claw keeps only that one') }),
  ]);
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+F10');
  const menu = page.locator('.monaco-menu-container');
  await menu.locator('.action-label', { hasText: words('Compare with Nearest Copy') }).waitFor();
  await workbench.shot('4-menu');
  await workbench.pickInMenu('Compare with Nearest Copy');
  await page.locator('.monaco-diff-editor').waitFor();
  await page.locator('.monaco-diff-editor .modified-in-monaco-diff-editor .view-line', { hasText: 'keep it short' }).first().waitFor();
  await workbench.shot('4-compare');

  await workbench.open(path.join(repository, 'other'));
  await workbench.focusView('Instruction Files', 'CLAUDE.md → AGENTS.md');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await workbench.shot('4-link');
  const spoken = await workbench.spoken('Instruction Files');
  assert.equal(spoken[0], words('CLAUDE.md, 300 characters reach Claw'));
});

story('a key stands in my instructions', async () => {
  // In parts, so that nobody takes this file for one that holds a key.
  const token = ['gh', 'p_', ...Array(3).fill(['FAKE', 'x0FA', 'KEx0']).flat()].join('');
  const folder = makeFolder('shop', { '.git/HEAD': 'ref: refs/heads/main\n', 'CLAUDE.md': `# Shop\n\nPush with ${token} only.\n` });
  await workbench.open(folder, 'CLAUDE.md');
  await page.locator('.squiggly-warning').first().waitFor({ timeout: 60_000 });
  await workbench.focusEditor();
  await workbench.fixesOfNextProblem(said('secret-in-instructions.github-token', { shown: /ghp_FA…KEx0/ }));
  await workbench.shot('key-fixes');
  await workbench.chooseAction(words('Checklist for rotating this key'));
  const copied = workbench.notifications.filter({ hasText: words('The checklist for rotating this key is in the clipboard.') });
  await copied.waitFor();
  await workbench.shot('key-copied');
  const list = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(list.startsWith(`# ${words('Rotate this key')}\n`));
  assert.equal(list.match(/^- \[ \] /gm).length, 8);
  assert.ok(!list.includes(token));
  assert.equal(await page.locator('.webview.ready').count(), 0, 'the page is shown to whoever asks for it');
  await workbench.press(copied, 'Show');
  await workbench.preview().locator('h1', { hasText: words('Rotate this key') }).waitFor();
  await workbench.shot('key-page');
});
