// Runs inhost/index.cjs in the extension host of the real VS Code: node --test tests/e2e/inhost.e2e.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { startBrowser } from './harness/browser.mjs';
import { ROOT, startCodeServer } from './harness/code-server.mjs';
import { makeFolder, remove } from './harness/folders.mjs';

test('tests inside the extension host', { timeout: 240_000 }, async t => {
  // Nothing of ours lies in it: the tests see how the extension comes to life.
  const folder = makeFolder('a & b', { '.git/HEAD': 'ref: refs/heads/main\n', 'notes.txt': 'nothing\n' });
  const [, profile] = /```json\n([^]*?)```/.exec(fs.readFileSync(path.join(ROOT, 'docs', 'custom-profiles.md'), 'utf8'));
  const env = {
    TEST_PYTHON: process.env.PYTHON ?? path.join(ROOT, '.venv', 'bin', 'python'),
    TEST_PROFILE: profile.replace('"max": 6000', '"max": 100'),
  };
  const vscode = await startCodeServer({ inHost: true, env });
  const browser = await startBrowser();
  t.after(async () => {
    await browser.stop();
    await vscode.stop();
    remove();
  });
  const lines = [];
  let exit;
  const done = new Promise(resolve => {
    exit = resolve;
  });
  await browser.page.exposeFunction('codeAutomationExit', code => exit(code));
  browser.page.on('console', message => {
    if (process.env.VERBOSE) {
      console.log(message.text());
    }
    const line = message.text().replace(/^%c\s*\w+ color: \S+ /, '');
    if (/^(ok|not ok|INHOST|\w*Error)/.test(line)) {
      lines.push(line);
    }
  });
  const tests = path.join(import.meta.dirname, 'inhost');
  await browser.page.goto(vscode.folderUrl(folder, [
    ['extensionDevelopmentPath', vscode.fileUri(tests)],
    ['extensionTestsPath', vscode.fileUri(path.join(tests, 'index.cjs'))],
  ]));
  let timer;
  const code = await Promise.race([done, new Promise(resolve => {
    timer = setTimeout(() => resolve('no answer in time'), 220_000);
  })]);
  clearTimeout(timer);
  console.log([...new Set(lines)].join('\n'));
  assert.equal(code, 0);
});
