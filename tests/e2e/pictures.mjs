// The pictures of the README, made from the sample workspace in the real VS Code: node tests/e2e/pictures.mjs     into docs/pictures
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './harness/code-server.mjs';
import { remove, sample } from './harness/folders.mjs';
import { openWindow } from './harness/window.mjs';

const OUT = path.join(ROOT, 'docs', 'pictures');
fs.mkdirSync(OUT, { recursive: true });
const folder = sample();
const settings = {
  'workbench.colorTheme': 'Default Light Modern',
  'breadcrumbs.enabled': false,
  'editor.stickyScroll.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'workbench.layoutControl.enabled': false,
  'window.commandCenter': false,
};
// The workspace lies in the home folder, which pages write as `~`: no path of this machine is in a picture.
const { page, workbench, close } = await openWindow({
  server: { settings, home: path.dirname(folder) },
  browser: { viewport: { width: 1200, height: 480 } },
});
const take = name => page.screenshot({ path: path.join(OUT, `${name}.png`), animations: 'disabled' });

// An agent that is started in the package itself.
await workbench.open(path.join(folder, 'packages', 'api'), 'CLAUDE.md');
await workbench.focusEditor();
await page.locator('.codelens-decoration').first().waitFor();
await workbench.focusView('Instruction Files', '../../CLAUDE.md');
await workbench.focusEditor();
await page.keyboard.press('F8');
await page.locator('.marker-widget', { hasText: 'Claw reads the first' }).waitFor();
await page.locator('.view-lines .squiggly-inline-unnecessary').first().waitFor();
await take('cut');
await page.keyboard.press('Escape');

await workbench.command('Agent Brief: Show Context Budget');
await workbench.preview().locator('h2', { hasText: 'Sections of' }).waitFor();
await workbench.preview().locator('img').last().waitFor();
await take('budget');

await workbench.open(path.join(folder, 'packages', 'web'), 'CLAUDE.md');
await page.locator('.squiggly-error').first().waitFor();
await workbench.focusEditor();
await workbench.command('Agent Brief: Show Hidden Text');
await page.locator('.monaco-diff-editor .modified-in-monaco-diff-editor .view-lines', { hasText: 'contents of .env' }).waitFor();
await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
await workbench.command('Problems: Focus on Problems View');
await page.locator('.markers-panel .monaco-list-row', { hasText: 'Hidden text' }).waitFor();
await take('hidden');

await close();
remove();
for (const name of fs.readdirSync(OUT)) {
  console.log(name, fs.statSync(path.join(OUT, name)).size);
}
process.exit(0);
