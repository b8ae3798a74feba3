// Is a word of English left where the stories look for one sentence only? Whole pages, and a whole question:
//   LOCALE=zh-cn node --test --test-reporter=spec tests/e2e/chinese.e2e.mjs     or zh-tw
import assert from 'node:assert/strict';
import { withSessions } from './harness/folders.mjs';
import { words } from './harness/language.mjs';
import { openTestWindow } from './harness/window.mjs';

// Names and words that stay as they are, and those that the folder and the sessions of the test hold themselves.
const LATIN = /Agent Brief|agentbrief\.[a-z]+|Claude Code|claw-code|OpenClaw|Gateway|Codex CLI|CLAUDE\.md|Agent|Claw|tokens?|UTF-8|UTC|ID|\d (kB|B|MiB)|\d+k/gi;
const OWN = /`[^`]*`|\b[A-Z]+(?:_[A-Z]+)+\b|“[^”]*”|「[^」]*」|\S*[/\\]\S*|\S+\.jsonl?|agent:\S+|hello from \w+|Daily report|Project rules|\[[a-z-]+\]|\b(shop|main|Build|extractive)\b/g;
const made = withSessions();
const { page, workbench, step } = await openTestWindow({ name: 'chinese', server: { home: made.home } });

function isChinese(text) {
  const left = text.replace(OWN, '').replace(LATIN, '').match(/[A-Za-z]{2,}/g) ?? [];
  assert.deepEqual(left, [], `${left.join(', ')} in: ${text}`);
  assert.match(text, /\p{Script=Han}/u, text);
}

step('a folder with sessions', () => workbench.open(made.workspace));

for (const [title, heading] of [
  ['Show Context Budget', 'Context budget: shop (Claw)'],
  ['Show Instruction Files in Effect', 'Instruction files in effect (Claw)'],
  ['Check Session Files', 'Session check'],
  ['Preview Cleanup (Dry Run)', 'Cleanup of a session store'],
  ['Show Session Stores', 'Session stores of OpenClaw'],
]) {
  step(`page: ${title}`, async () => {
    await workbench.command(`Agent Brief: ${title}`);
    const shown = workbench.preview();
    await shown.locator('h1', { hasText: words(heading) }).waitFor();
    await workbench.shot(`page-${title.replace(/\W+/g, '-').toLowerCase()}`);
    isChinese(await shown.locator('body').innerText());
  });
}

step('question: a compaction', async () => {
  await workbench.focusView('Sessions', '0: the cache module');
  await workbench.down(workbench.row('Sessions', '0: the cache module'));
  await page.keyboard.press('Shift+F10');
  await workbench.pickInMenu('Compact Session…');
  const detail = page.locator('.monaco-dialog-box', { hasText: words('12 messages → 1 summary + 4 kept') }).locator('.dialog-message-detail');
  isChinese(await detail.innerText());
  await page.keyboard.press('Escape');
});
