// Pictures to be looked at of what looks.e2e.mjs takes none of: node tests/e2e/shots.mjs [THEME...]     into SHOTS (tests/e2e/shots)
//   LOCALE: see harness/language.mjs
import path from 'node:path';
import { remove, sample } from './harness/folders.mjs';
import { words } from './harness/language.mjs';
import { THEMES } from './harness/themes.mjs';
import { openWindow } from './harness/window.mjs';

const wanted = process.argv.slice(2);

for (const { name, setting } of THEMES.filter(each => wanted.length === 0 || wanted.includes(each.name))) {
  const { page, workbench, close } = await openWindow({ server: { settings: { 'workbench.colorTheme': setting } } });
  const shot = what => workbench.shot(`${name}-${what}`);
  const folder = sample();
  try {
    await workbench.open(folder, 'packages/api/CLAUDE.md');
    // First: an editor that loses the focus asks for no lens until it has it again.
    await workbench.focusEditor();
    await page.locator('.codelens-decoration').first().waitFor();
    await page.keyboard.press('F8');
    await page.locator('.marker-widget').waitFor();
    await shot('1-cut');
    await page.keyboard.press('Escape');
    await workbench.command('Agent Brief: Show Instruction Files in Effect');
    await workbench.preview().locator('h1', { hasText: words('Instruction files in effect (Claw)') }).waitFor();
    await workbench.command('Problems: Focus on Problems View');
    await page.locator('.markers-panel .monaco-list-row').first().waitFor();
    await shot('2-chain');
    await workbench.open(path.join(folder, 'packages/web'), 'CLAUDE.md');
    await workbench.command('Agent Brief: Show Hidden Text');
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await workbench.status.filter({ hasText: words`${/\d+/} hidden` }).waitFor();
    await shot('3-hidden');
    // Where the window is narrow, a walkthrough is shown without its pictures.
    await workbench.command('View: Toggle Primary Side Bar Visibility');
    await workbench.command('Agent Brief: What Is This?');
    await page.locator('.gettingStartedContainer .step-title', { hasText: words('See what your agent reads') }).waitFor();
    await workbench.preview().locator('svg').first().waitFor();
    await shot('4-walkthrough');
  } catch (error) {
    console.log(`${name}: ${error}`);
    await shot('failed');
  }
  await close();
}
remove();
process.exit(0);
