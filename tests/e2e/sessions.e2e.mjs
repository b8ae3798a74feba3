// The stories of people who ask about their sessions, in the real VS Code, by keyboard:
//   node --test --test-reporter=spec tests/e2e/sessions.e2e.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { startBrowser } from './harness/browser.mjs';
import { startCodeServer } from './harness/code-server.mjs';
import { remove, withSessions } from './harness/folders.mjs';
import { Workbench } from './harness/workbench.mjs';

let made, vscode, browser, page, workbench;
const started = Date.now();

function story(name, run) {
  test(name, { timeout: 120_000 }, async () => {
    try {
      await run();
    } catch (error) {
      await workbench.shot(`failed-${name.split(':')[0]}`);
      throw error;
    }
  });
}

before(async () => {
  made = withSessions();
  vscode = await startCodeServer({ home: made.home });
  browser = await startBrowser();
  page = browser.page;
  workbench = new Workbench(page, vscode);
  await workbench.open(made.workspace);
});

after(async () => {
  await browser?.stop();
  await vscode?.stop();
  remove();
  console.log(`# whole run: ${((Date.now() - started) / 1000).toFixed(1)} s`);
});

story('3: how full is the context, always, as a number?', async () => {
  await workbench.status.filter({ hasText: /64 · \d+%/ }).waitFor({ timeout: 30_000 });
  assert.match(await workbench.statusLabel(), /Session “[^”]+”: [\d.]+k of [\d.]+[kM] tokens \(as the agent reports\)/);
  // An agent works in a terminal: the next reply fills the window.
  const lines = fs.readFileSync(made.claude, 'utf8').trimEnd().split('\n');
  const reply = JSON.parse(lines.at(-1));
  reply.parentUuid = reply.uuid;
  reply.uuid = 'a9';
  reply.timestamp = new Date().toISOString();
  reply.message.id = 'msg_9';
  reply.message.usage.cache_read_input_tokens = 900_000;
  fs.appendFileSync(made.claude, `${JSON.stringify(reply)}\n`);
  await workbench.status.filter({ hasText: /64 · 9\d%/ }).locator('.codicon-warning').waitFor();
  assert.match(await workbench.statusLabel(), /Compacts at/);
  assert.equal(await workbench.notifications.count(), 0, 'no notification');

  await workbench.status.locator('a').focus();
  await page.keyboard.press('Enter');
  await workbench.pick(workbench.quickPickRow('Show Budget'));
  await workbench.preview().locator('h2', { hasText: 'Session “Fix the login redirect”' }).waitFor();
  const widths = await workbench.preview().locator('h1 ~ p > img').evaluateAll(images => images.map(image => image.naturalWidth));
  assert.deepEqual(widths, [480, 480, 480], 'three bars are drawn');
  await workbench.shot('3-budget');
});

story('8: my session does not open any more', async () => {
  const before = fs.readFileSync(made.damaged);
  await workbench.focusView('Sessions', 'Fix the login redirect');
  await workbench.command('Agent Brief: Check Session Files');
  await workbench.preview().locator('td', { hasText: 'two records joined (2 whole, can be recovered)' }).waitFor();
  await workbench.preview().locator('td', { hasText: 'torn last line (11 bytes)' }).waitFor();
  await workbench.shot('8-check');

  await workbench.focusView('Sessions', '3 ');
  await workbench.down(workbench.row('Sessions', 'hi'));
  await page.keyboard.press('Shift+F10');
  await workbench.pickInMenu('Repair a Copy of This Session…');
  await workbench.notifications.filter({ hasText: 'Repaired copy of' }).waitFor();
  await workbench.shot('8-repaired');
  const copies = fs.readdirSync(made.workspace).filter(name => name.endsWith('.repaired.jsonl'));
  assert.equal(copies.length, 1);
  const records = fs.readFileSync(path.join(made.workspace, copies[0]), 'utf8').trimEnd().split('\n').map(line => JSON.parse(line));
  assert.ok(records.length >= 5);
  assert.deepEqual(fs.readFileSync(made.damaged), before, 'the session itself is unchanged');
  await workbench.dismiss();
});

story('10: find the session by what it was about, and export it', async () => {
  await workbench.command('Agent Brief: Open Session…');
  await page.keyboard.type('login');
  const row = workbench.quickPickRow('Fix the login redirect');
  await row.waitFor();
  assert.match(await row.innerText(), /main/);
  await workbench.shot('10-find');
  await workbench.pick(row);
  await workbench.preview().locator('h1', { hasText: 'Fix the login redirect' }).waitFor();
  await workbench.shot('10-session');

  await workbench.command('Agent Brief: Export History as Markdown…');
  await workbench.pick(workbench.quickPickRow('Fix the login redirect'));
  await page.locator('.quick-input-widget input[placeholder^="Nothing to mask"], .quick-input-widget input[placeholder^="Masked:"]').waitFor();
  await workbench.shot('10-level');
  await workbench.pick(workbench.quickPickRow('Messages only'));
  await workbench.notifications.filter({ hasText: 'Exported to' }).waitFor();
  const [name] = fs.readdirSync(made.workspace).filter(each => each.endsWith('.md') && each !== 'CLAUDE.md');
  assert.match(fs.readFileSync(path.join(made.workspace, name), 'utf8'), /^# Fix the login redirect/);
  assert.equal(fs.statSync(path.join(made.workspace, name)).mode & 0o777, 0o600);
  await workbench.shot('10-exported');
  await workbench.dismiss();
});
