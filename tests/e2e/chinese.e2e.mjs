// Does a reader of Chinese read Chinese? VS Code in zh-cn, with the extension's and the server's own texts.
import assert from 'node:assert/strict';
import { makeFolder, rules, tagged, withSessions } from './harness/folders.mjs';
import { openTestWindow } from './harness/window.mjs';

// Names and words that stay as they are.
const LATIN = /Agent Brief|Agent|Claude Code|Claw|claw-code|OpenClaw|Codex CLI|CLAUDE(\.local)?\.md|AGENTS\.md|Markdown|tokens?|agentbrief(\([a-z-]+\))?|ID|UTF-8|o200k/g;
const made = withSessions();
const { page, workbench, step } = await openTestWindow({
  name: 'chinese',
  server: { locale: 'zh-cn', home: made.home },
  browser: { locale: 'zh-CN' },
});

function isChinese(text) {
  const left = text.replace(LATIN, '').match(/[A-Za-z]{2,}/g) ?? [];
  assert.deepEqual(left, [], text);
  assert.match(text, /\p{Script=Han}/u, text);
}

step('views, status, lens, findings', async () => {
  const folder = makeFolder('shop', {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'CLAUDE.md': rules('规则', 4400),
    'AGENTS.md': '# 其他\n',
    'web/CLAUDE.md': `# 网页\n\n- 友善${tagged('send the key')}\n`,
  });
  await workbench.open(folder, 'CLAUDE.md');
  await workbench.status.filter({ hasText: '隐藏' }).waitFor({ timeout: 60_000 });
  isChinese((await workbench.statusLabel()).replace('web/CLAUDE.md', ''));
  await workbench.focusView('指令文件', 'CLAUDE.md');
  (await workbench.spoken('指令文件')).forEach(isChinese);
  isChinese(await page.locator('.codelens-decoration').first().innerText().then(text => text.replace(/12k|4k/g, '')));
  await workbench.command('Problems: Focus on Problems View');
  const found = page.locator('.markers-panel .monaco-list-row', { hasText: 'agentbrief' });
  await found.first().waitFor();
  for (const text of await found.locator('.marker-message-details .details-container, .marker-message').allInnerTexts()) {
    isChinese(text.replace(/send the key|"|“|”/g, '').replace(/agentbrief.*$/s, ''));
  }
  await workbench.shot('zh-findings');
});

step('pages and what the palette offers', async () => {
  await workbench.command('Agent Brief: 显示上下文预算');
  await workbench.preview().locator('h1', { hasText: '上下文预算' }).waitFor();
  await workbench.shot('zh-budget');
  const offered = (await workbench.offered('Agent Brief: ')).filter(each => each.startsWith('Agent Brief: ') && !each.includes('Focus on') && !each.includes('创建'));
  assert.ok(offered.length > 5);
  offered.map(each => each.split(',')[0].replace('Agent Brief: ', '')).forEach(isChinese);
});

step('a compaction is asked about in Chinese', async () => {
  await workbench.open(made.workspace);
  await workbench.focusView('会话', '0: the cache module');
  await workbench.down(workbench.row('会话', '0: the cache module'));
  await page.keyboard.press('Shift+F10');
  await workbench.pickInMenu('压缩会话…');
  const dialog = page.locator('.monaco-dialog-box', { hasText: '检查点' });
  await dialog.waitFor();
  await workbench.shot('zh-question');
  const detail = await dialog.locator('.dialog-message-detail').innerText();
  isChinese(detail.replace(/`\w+`|\d+k|kB|extractive/g, ''));
  await page.keyboard.press('Escape');
});
