// The stories of people who ask about their sessions, in the real VS Code, by keyboard (LOCALE: see harness/language.mjs):
//   node --test --test-reporter=spec tests/e2e/sessions.e2e.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { withSessions } from './harness/folders.mjs';
import { said, words } from './harness/language.mjs';
import { openTestWindow } from './harness/window.mjs';

const made = withSessions();
const { page, workbench, step: story } = await openTestWindow({ name: 'sessions', server: { home: made.home } });

story('3: how full is the context, always, as a number?', async () => {
  await workbench.open(made.workspace);
  await workbench.status.filter({ hasText: /64 · \d+%/ }).waitFor({ timeout: 30_000 });
  assert.match(await workbench.statusLabel(), said('status.session', {
    title: /[^”]+/,
    tokens: said('session.of', { used: /[\d.]+k/, window: /[\d.]+[kM]/ }),
    how: words('as the agent reports'),
  }));
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
  assert.match(await workbench.statusLabel(), words`Compacts at ~${/[\d.]+k/}`);
  assert.equal(await workbench.notifications.count(), 0, 'no notification');

  await workbench.status.locator('a').focus();
  await page.keyboard.press('Enter');
  await workbench.pick(workbench.quickPickRow(words('Show Budget')));
  await workbench.preview().locator('h2', { hasText: said('budget.session', { title: 'Fix the login redirect', how: words('as the agent reports') }) }).waitFor();
  const widths = await workbench.preview().locator('h1 ~ p > img').evaluateAll(images => images.map(image => image.naturalWidth));
  assert.deepEqual(widths, [480, 480, 480], 'three bars are drawn');
  await workbench.shot('3-budget');
});

story('8: my session does not open any more', async () => {
  const before = fs.readFileSync(made.damaged);
  await workbench.focusView('Sessions', 'Fix the login redirect');
  await workbench.command('Agent Brief: Check Session Files');
  const joined = said('session.damage.with', { words: words('two records joined'), more: words('(2 whole, can be recovered)') });
  await workbench.preview().locator('td', { hasText: joined }).waitFor();
  const torn = said('session.damage.with', { words: words('torn last line'), more: words('(11 bytes)') });
  await workbench.preview().locator('td', { hasText: torn }).waitFor();
  await workbench.shot('8-check');

  // The file itself, for whoever opens it: what is wrong, what helps, what can be done with the session.
  await workbench.open(made.workspace, made.damaged);
  await page.locator('.codelens-decoration', { hasText: words('Preview Compaction') }).waitFor({ timeout: 60_000 });
  await page.locator('.squiggly-error').first().waitFor();
  await workbench.focusEditor();
  await workbench.fixesOfNextProblem(said('transcript-merged-line.two-records', { n: /\d+/, k: 2, agent: 'Claude Code' }));
  await page.locator('.action-widget .monaco-list-row.action', { hasText: words('Write a repaired copy of this session…') }).waitFor();
  await workbench.shot('8-file');
  await page.keyboard.press('Escape');

  await workbench.focusView('Sessions', '3 ');
  await workbench.down(workbench.row('Sessions', 'hi'));
  await page.keyboard.press('Shift+F10');
  await workbench.pickInMenu('Repair a Copy of This Session…');
  await workbench.notifications.filter({ hasText: words`Repaired copy of “${'hi'}”: ${/\S+/}. The session itself is unchanged.` }).waitFor();
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
  // The same page as text: above it stands what can be done with the session of another agent.
  await workbench.command('View: Reopen Editor with Text Editor');
  const lens = page.locator('.codelens-decoration', { hasText: words('Preview Compaction') });
  await lens.waitFor();
  assert.deepEqual((await lens.innerText()).split('|').map(each => each.trim()), [words('Preview Compaction'), words('Compact into a Copy…')]);
  await workbench.shot('10-text');

  await workbench.command('Agent Brief: Export History as Markdown…');
  await workbench.pick(workbench.quickPickRow('Fix the login redirect'));
  await page.getByPlaceholder(words('Nothing to mask')).or(page.getByPlaceholder(words`Masked: ${/\d+/} tokens, ${/\d+/} keys, ${/\d+/} passwords`)).waitFor();
  await workbench.shot('10-level');
  await workbench.pick(workbench.quickPickRow(words('Messages only')));
  await workbench.notifications.filter({ hasText: words`Exported to ${/\S+/}` }).waitFor();
  const [name] = fs.readdirSync(made.workspace).filter(each => each.endsWith('.md') && each !== 'CLAUDE.md');
  assert.match(fs.readFileSync(path.join(made.workspace, name), 'utf8'), /^# Fix the login redirect/);
  assert.equal(fs.statSync(path.join(made.workspace, name)).mode & 0o777, 0o600);
  await workbench.shot('10-exported');
  await workbench.dismiss();
});

const LONG = '0: the cache module';
/** The same session once it was compacted: it is called by the first message that was kept. */
const KEPT = '8: the cache module';
/** What a command asks that got no row. */
const ASKED = {
  'Preview Compaction': 'Preview the compaction of which session?',
  'Compact Session…': 'Compact which session?',
  'Show Checkpoints…': 'Show the checkpoints of which session?',
  'Restore Checkpoint…': 'Restore a checkpoint of which session?',
};

/** Open the context menu of a session's row and choose an entry, by keyboard. */
async function fromRow(title, entry) {
  const which = page.locator('.quick-input-widget', { hasText: words(ASKED[entry]) });
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('Escape');
    await workbench.focusView('Sessions', title);
    await workbench.down(workbench.row('Sessions', title));
    await page.keyboard.press('Shift+F10');
    await workbench.pickInMenu(entry);
    // Rows that are drawn anew while the menu is open leave its command without one, and it asks: whoever sees that begins again.
    if (!await which.waitFor({ timeout: 1000 }).then(() => true, () => false)) {
      return;
    }
  }
}

story('6: before compaction, show me what goes and what stays', async () => {
  const before = fs.readFileSync(made.claw);
  await workbench.focusView('Sessions', LONG);
  const row = workbench.row('Sessions', LONG);
  const [numbers, whole] = await Promise.all([row.locator('.label-description').boundingBox(), row.boundingBox()]);
  assert.ok(numbers.x < whole.x + whole.width * 0.7, 'a long title leaves room for the numbers');
  await fromRow(LONG, 'Preview Compaction');
  await page.locator('.monaco-diff-editor .modified-in-monaco-diff-editor .view-line').first().waitFor();
  await workbench.shot('6-preview');
  assert.deepEqual(fs.readFileSync(made.claw), before, 'a preview changes nothing');

  await fromRow(LONG, 'Compact Session…');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.filter({ hasText: words('12 messages → 1 summary + 4 kept') }).waitFor();
  await dialog.filter({ hasText: words`Checkpoint first: ${/.+/} (${/[\d.]+ \w+/})` }).waitFor();
  await workbench.shot('6-question');
  await workbench.answer('Compact');
  const result = workbench.notifications.filter({ hasText: words`Compacted. ~${/[\d.]+k/} → ~${/[\d.]+k?/} tokens.` });
  await result.waitFor();
  await workbench.shot('6-done');
  const after = fs.readFileSync(made.claw);
  assert.ok(after.length < before.length);
  await workbench.press(result, 'Undo');
  await workbench.notifications.filter({ hasText: words`Undone: ${/\S+/} has the exact bytes it had before.` }).waitFor();
  assert.deepEqual(fs.readFileSync(made.claw), before, 'Undo gives the exact bytes back');
  await workbench.dismiss();
});

story('6: a running session is refused', async () => {
  const store = path.join(made.store, 'sessions.json');
  const before = fs.readFileSync(store, 'utf8');
  const entries = JSON.parse(before);
  entries['agent:main:main'].status = 'running';
  fs.writeFileSync(store, JSON.stringify(entries));
  await fromRow('Daily report', 'Compact Session…');
  await workbench.notifications.filter({ hasText: words`A running agent is writing to ${/\S+/}. Nothing was changed. Try again when it has finished.` }).waitFor();
  await workbench.shot('6-running');
  await workbench.dismiss();
  fs.writeFileSync(store, before);
});

story('9: go back to an earlier point without losing now', async () => {
  const before = fs.readFileSync(made.claw);
  await fromRow(LONG, 'Compact Session…');
  await page.locator('.monaco-dialog-box', { hasText: words('12 messages → 1 summary + 4 kept') }).waitFor();
  await workbench.answer('Compact');
  await workbench.notifications.filter({ hasText: words`Compacted. ~${/[\d.]+k/} → ~${/[\d.]+k?/} tokens.` }).waitFor();
  await workbench.dismiss();
  const compacted = fs.readFileSync(made.claw);

  await fromRow(KEPT, 'Show Checkpoints…');
  const now = workbench.quickPickRow(words('(now)'));
  await now.waitFor();
  assert.match(await now.getAttribute('class'), /focused/, 'now is chosen first');
  const times = await page.locator('.quick-input-list .monaco-list-row .monaco-icon-label .label-name').allInnerTexts();
  assert.ok(times.length > 2, 'the checkpoint of the compaction before, and the one of this');
  assert.equal(new Set(times).size, times.length, 'no two look alike');
  await workbench.shot('9-checkpoints');
  await workbench.pick(workbench.quickPickRow(words('12 messages')));
  await page.locator('.monaco-diff-editor').waitFor();

  await fromRow(KEPT, 'Restore Checkpoint…');
  await workbench.pick(workbench.quickPickRow(words('12 messages')));
  await page.locator('.monaco-dialog-box', { hasText: words`−${/\d+/} +${/\d+/} messages in the transcript. Your files are not touched.` }).waitFor();
  await workbench.shot('9-question');
  await workbench.answer('Restore');
  const result = workbench.notifications.filter({ hasText: words('Restored. What was there before is a checkpoint now.') });
  await result.waitFor();
  assert.deepEqual(fs.readFileSync(made.claw), before);
  await workbench.press(result, 'Undo');
  await workbench.notifications.filter({ hasText: words`Undone: ${/\S+/} has the exact bytes it had before.` }).waitFor();
  assert.deepEqual(fs.readFileSync(made.claw), compacted, 'restored and undone is what it was');
  await workbench.dismiss();
});

story('7: clean up old sessions, but never silently', async () => {
  const store = path.join(made.store, 'sessions.json');
  const before = fs.readFileSync(store);
  await workbench.command('Agent Brief: Preview Cleanup (Dry Run)');
  await workbench.preview().locator('h1', { hasText: words('Cleanup of a session store') }).waitFor();
  await workbench.shot('7-preview');
  assert.deepEqual(fs.readFileSync(store), before);

  await workbench.command('Agent Brief: Clean Up Sessions…');
  await workbench.quickPickRow('agent:main:older').waitFor();
  await workbench.shot('7-untick');
  await workbench.down(workbench.quickPickRow(/agent:main:old(?!er)/));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page
    .locator('.monaco-dialog-box', { hasText: said('cleanup.question', { sessions: 1, files: /\d+/, size: /[\d.]+ \w+/, days: 14 }) })
    .filter({ hasText: words('Kept, as you unticked it: agent:main:old') })
    .waitFor();
  await workbench.shot('7-question');
  await workbench.answer('Clean Up');
  await workbench.notifications.filter({ hasText: said('cleanup.did', { sessions: 1, files: /\d+/ }) }).waitFor();
  await workbench.shot('7-done');
  await workbench.dismiss();
  const left = JSON.parse(fs.readFileSync(store, 'utf8'));
  assert.deepEqual(Object.keys(left).sort(), ['agent:main:main', 'agent:main:new', 'agent:main:old']);

  await workbench.command('Agent Brief: Open Trash…');
  // A session left the store, and its transcript was put away: nothing that is none is counted.
  const away = [said('trash.cleanup.sessions', { count: 1 }), said('trash.cleanup.renamed', { count: 1 })];
  const cleanup = workbench.quickPickRow(said('trash.cleanup', { what: away.join(' · ') }));
  await cleanup.waitFor();
  await workbench.shot('7-trash');
  await workbench.down(cleanup);
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const back = [said('trash.back.files', { count: 1 }), said('trash.back.sessions', { count: 1 })];
  await workbench.notifications.filter({ hasText: said('trash.restored', { what: back.join(' · ') }) }).waitFor();
  await workbench.shot('7-back');
  await workbench.dismiss();
  assert.deepEqual(fs.readFileSync(store), before, 'everything came back');
});
