// Pictures of everything that is drawn, to be looked at: node tests/e2e/shots.mjs [THEME...]     into SHOTS (tests/e2e/shots)
import path from 'node:path';
import { startBrowser } from './harness/browser.mjs';
import { startCodeServer } from './harness/code-server.mjs';
import { makeFolder, remove, sample } from './harness/folders.mjs';
import { Workbench } from './harness/workbench.mjs';

const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};
const wanted = process.argv.slice(2);
const scale = Number(process.env.SCALE ?? 1);

for (const [name, theme] of Object.entries(THEMES).filter(([each]) => wanted.length === 0 || wanted.includes(each))) {
  const vscode = await startCodeServer({ settings: { 'workbench.colorTheme': theme }, locale: process.env.LOCALE, vsix: undefined });
  const browser = await startBrowser({ scale, contrast: name.startsWith('hc') ? 'active' : undefined });
  const { page } = browser;
  const workbench = new Workbench(page, vscode);
  const shot = what => workbench.shot(`${name}-${what}`);
  const folder = sample();
  try {
    await workbench.open(folder, 'packages/api/CLAUDE.md');
    // First: an editor that loses the focus asks for no lens until it has it again.
    await workbench.focusEditor();
    await page.locator('.codelens-decoration').first().waitFor();
    await workbench.focusView('Instruction Files', 'CLAUDE.md');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+K');
    await page.keyboard.press('Control+I');
    await page.locator('.monaco-hover:visible img').waitFor();
    await shot('1-tooltip');
    await page.keyboard.press('Escape');
    await workbench.focusEditor();
    await page.keyboard.press('Control+Home');
    await workbench.command('Show or Focus Hover');
    await page.locator('.monaco-editor .monaco-hover:visible img').waitFor();
    await shot('2-hover');
    await page.keyboard.press('Escape');
    await page.keyboard.press('F8');
    await page.locator('.marker-widget').waitFor();
    await shot('3-cut');
    await page.keyboard.press('Escape');
    await workbench.status.hover();
    await page.locator('.monaco-hover:visible').waitFor();
    await shot('4-status');
    await workbench.command('Agent Brief: Show Context Budget');
    await workbench.preview().locator('img').first().waitFor();
    await shot('5-budget');
    await workbench.command('Agent Brief: Show Instruction Files in Effect');
    await workbench.preview().locator('h1', { hasText: 'Instruction files' }).waitFor();
    await workbench.command('Problems: Focus on Problems View');
    await page.locator('.markers-panel .monaco-list-row').first().waitFor();
    await shot('6-chain');
    await workbench.command('Agent Brief: What Is This?');
    await page.locator('.gettingStartedContainer .step-title', { hasText: 'See what your agent reads' }).waitFor();
    await page.waitForTimeout(1500);
    await shot('7-walkthrough');
    await workbench.open(makeFolder('empty', { 'notes.txt': '' }), undefined, { quiet: true });
    await page.locator('.activitybar .action-item a[aria-label^="Agent Brief"]').click();
    await page.locator('.part.sidebar .welcome-view', { hasText: 'No instruction files' }).waitFor({ timeout: 40_000 });
    await shot('8-welcome');
    await workbench.open(path.join(folder, 'packages/web'), 'CLAUDE.md');
    await workbench.command('Agent Brief: Show Hidden Text');
    await page.locator('.monaco-diff-editor').waitFor();
    await page.waitForTimeout(1500);
    await shot('9-hidden');
  } catch (error) {
    console.log(`${name}: ${error}`);
    await shot('failed');
  }
  await browser.stop();
  await vscode.stop();
}
remove();
process.exit(0);
