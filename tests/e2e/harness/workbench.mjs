// What does a person do in VS Code's window, and what do they see?
import fs from 'node:fs';
import path from 'node:path';

export const SHOTS = process.env.SHOTS ?? path.join(import.meta.dirname, '..', 'shots');

export class Workbench {
  constructor(page, vscode) {
    this.page = page;
    this.vscode = vscode;
  }

  /** Open a folder, and in it a file if one is named. */
  async open(folder, file) {
    const payload = file ? [['openFile', this.vscode.fileUri(path.join(folder, file))]] : [];
    await this.page.goto(this.vscode.folderUrl(folder, payload), { waitUntil: 'domcontentloaded' });
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
  }

  shot(name) {
    fs.mkdirSync(SHOTS, { recursive: true });
    return this.page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
  }

  /** The one item of ours in the status bar. */
  get status() {
    return this.page.locator('.part.statusbar .statusbar-item[id="agentbrief.agentbrief.agentbrief.budget"]');
  }

  /** Run a command by its title, from the palette, by keyboard. */
  async command(title) {
    const input = this.page.locator('.quick-input-widget .quick-input-box input').first();
    await this.page.keyboard.press('F1');
    await input.waitFor();
    await input.fill(`>${title}`);
    // The list is fuzzy and the first row may be another command: go down to the one that is meant.
    const row = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first();
    await row.waitFor();
    await this.pick(row);
  }

  /** Choose a row of the list that is open, by keyboard. */
  async pick(row) {
    await row.waitFor();
    for (let i = 0; i < 40 && !/\bfocused\b/.test((await row.getAttribute('class')) ?? ''); i++) {
      await this.page.keyboard.press('ArrowDown');
    }
    await this.page.keyboard.press('Enter');
  }

  quickPickRow(text) {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** The titles that the palette offers for some words. */
  async offered(words) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget .quick-input-box input').first();
    await input.waitFor();
    await input.fill(`>${words}`);
    await this.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    const labels = await this.page.locator('.quick-input-list .monaco-list-row').evaluateAll(rows => rows.map(row => row.getAttribute('aria-label')));
    await this.page.keyboard.press('Escape');
    return labels;
  }

  /** The rows of one of our views, as they are read: label, description, and what a screen reader says. */
  rows(view) {
    return this.page.locator(`.part.sidebar .pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
  }

  async showViews() {
    await this.command('View: Show Agent Brief').catch(() => this.page.locator('.activitybar .action-item a[aria-label="Agent Brief"]').click());
  }

  get notifications() {
    return this.page.locator('.notifications-toasts .notification-toast');
  }

  /** The document inside the Markdown preview that is in front. */
  preview() {
    return this.page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('iframe#active-frame');
  }
}
