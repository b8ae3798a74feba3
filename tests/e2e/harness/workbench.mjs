// What does a person do in VS Code's window, and what do they see?
import fs from 'node:fs';
import path from 'node:path';
import { LOCALE, words } from './language.mjs';

const CATEGORY = 'Agent Brief: ';

/** How the palette calls a command: VS Code speaks English in every run, what is ours the language of the run. */
function offeredAs(title) {
  const view = /^Agent Brief: Focus on (.+) View$/.exec(title)?.[1];
  if (view) {
    return `${CATEGORY}Focus on ${words(view)} View`;
  }
  return title.startsWith(CATEGORY) ? CATEGORY + words(title.slice(CATEGORY.length)) : title;
}

export const SHOTS = process.env.SHOTS ?? path.join(import.meta.dirname, '..', 'shots');

/** Titles of ours (of commands, views, entries of menus, buttons) are given in English, and looked for in the language of the run. */
export class Workbench {
  constructor(page, vscode) {
    this.page = page;
    this.vscode = vscode;
  }

  /** Open a folder, and a file (in it, or anywhere) if one is named; wait until our status item says something, if it is to. */
  async open(folder, file, { quiet = false } = {}) {
    const payload = file ? [['openFile', this.vscode.fileUri(path.resolve(folder, file))]] : [];
    await this.goTo(this.vscode.folderUrl(folder, payload), { quiet });
  }

  /** Open a `.code-workspace`; wait until our status item says something. */
  openWorkspace(file) {
    return this.goTo(this.vscode.workspaceUrl(file));
  }

  async goTo(url, { quiet = false } = {}) {
    const arrived = quiet ? this.page.locator('.monaco-workbench .part.statusbar') : this.status;
    const astray = this.page.locator('.part.sidebar .pane-header', { hasText: 'No Folder Opened' });
    for (let i = 0; ; i++) {
      await this.page.goto(url, { waitUntil: 'domcontentloaded' });
      await arrived.or(astray).first().waitFor({ timeout: 60_000 });
      // VS Code opens without the folder now and then, although the address names it: whoever sees that goes there again.
      if (i >= 2 || (await arrived.isVisible()) || (await arrived.waitFor({ timeout: 5000 }).then(() => true, () => false))) {
        await arrived.waitFor({ timeout: 60_000 });
        return;
      }
    }
  }

  shot(name) {
    fs.mkdirSync(SHOTS, { recursive: true });
    // As it is once everything has come to rest, not while it fades in.
    // A run in another language or another VS Code leaves the pictures of the first one where they are.
    const of = [LOCALE === 'en' ? undefined : LOCALE, process.env.CODE_SERVER, name].filter(each => each !== undefined);
    return this.page.screenshot({ path: path.join(SHOTS, `${of.join('-')}.png`), animations: 'disabled' });
  }

  /** The one item of ours in the status bar. */
  get status() {
    return this.page.locator('.part.statusbar .statusbar-item[id="agentbrief.agentbrief.agentbrief.budget"]');
  }

  /**
   * Wait until VS Code has made all its parts, the late ones too. Each that offers lenses makes it draw all lenses anew, whosever
   * they are.
   */
  async complete() {
    await this.page.waitForFunction(() => performance.getEntriesByName('code/didCreateWorkbenchContributions/4').length > 0);
  }

  /** Run a command by its title, from the palette, by keyboard. */
  async command(title) {
    const widget = this.page.locator('.quick-input-widget');
    // The list is fuzzy and the first row may be another command: go down to the one that is meant. VS Code's own titles had
    // other capitals in older versions.
    const shown = offeredAs(title);
    const row = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${shown}" i]`).first();
    await widget.waitFor({ state: 'hidden' });
    for (let i = 0; ; i++) {
      await this.page.keyboard.press('F1');
      const input = widget.locator('.quick-input-box input').first();
      await input.waitFor();
      // A page that was shown before takes the focus when it is drawn, and the palette closes; or the palette, while VS Code is
      // still starting, lists what was there before. Whoever sees that opens it again.
      const listed = input.fill(`>${shown}`, { timeout: 7000 }).then(() => row.waitFor({ timeout: 7000 })).then(() => true, () => false);
      const closed = widget.waitFor({ state: 'hidden' }).then(() => false, () => false);
      if (await Promise.race([listed, closed]) || i >= 3) {
        await row.waitFor();
        await this.pick(row);
        return;
      }
      if (await widget.isVisible()) {
        await this.page.keyboard.press('Escape');
        await widget.waitFor({ state: 'hidden' });
      }
    }
  }

  /** Choose a row of the list that is open, by keyboard. */
  async pick(row) {
    await this.down(row);
    await this.page.keyboard.press('Enter');
  }

  /** Choose an entry of the context menu that is open, by keyboard. */
  async pickInMenu(title) {
    await this.down(this.page.locator('.monaco-menu-container .action-item', { hasText: words(title) }).first());
    await this.page.keyboard.press('Enter');
  }

  /** Go to the next problem of the file and open its quick fixes, by keyboard. */
  async fixesOfNextProblem(message) {
    const problem = this.page.locator('.monaco-editor .marker-widget', { hasText: message });
    await this.page.keyboard.press('F8');
    await problem.waitFor();
    await this.page.keyboard.press('Escape');
    await problem.waitFor({ state: 'hidden' });
    await this.openFixes();
  }

  /** Open the quick fixes of where the cursor is, by keyboard. */
  async openFixes() {
    const action = this.page.locator('.action-widget .monaco-list-row.action').first();
    for (let i = 0; ; i++) {
      await this.page.keyboard.press('Control+.');
      // Findings that arrive at this very moment close the list: whoever sees that opens it again.
      if (await action.waitFor({ timeout: 5000 }).then(() => true, () => i >= 2)) {
        break;
      }
    }
    await action.waitFor();
  }

  /** Choose a quick fix of the list that is open, by keyboard. */
  async chooseAction(title) {
    await this.down(this.page.locator('.action-widget .monaco-list-row.action', { hasText: title }).first());
    await this.page.keyboard.press('Enter');
  }

  /** Agree to all of an edit that VS Code shows before it makes it, by keyboard. `about` names a line of it. */
  async agree(about, name) {
    const preview = this.page.locator('.bulk-edit-panel');
    await preview.locator('.monaco-list-row', { hasText: about }).first().waitFor();
    const files = preview.locator('.monaco-list-row[aria-level="1"]');
    await preview.locator('.monaco-list').first().focus();
    for (let i = 0; i < (await files.count()); i++) {
      const row = files.nth(i);
      await this.page.keyboard.press('Home');
      await this.down(row);
      await this.page.keyboard.press('Space');
      await row.locator('.edit-checkbox[aria-checked="true"], .edit-checkbox:checked').waitFor();
    }
    await this.shot(name);
    await this.page.keyboard.press('Control+Enter');
    await preview.locator('.monaco-list-row', { hasText: about }).first().waitFor({ state: 'hidden' });
  }

  /** Go down in a list until a row has the focus. */
  async down(row) {
    await row.waitFor();
    for (let i = 0; i < 40 && !/\bfocused\b/.test((await row.getAttribute('class')) ?? ''); i++) {
      await this.page.keyboard.press('ArrowDown');
    }
  }

  quickPickRow(text) {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** The titles that the palette offers for a text, as they are shown. */
  async offered(text) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget .quick-input-box input').first();
    await input.waitFor();
    await input.fill(`>${text}`);
    await this.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    const labels = await this.page.locator('.quick-input-list .monaco-list-row').evaluateAll(rows => rows.map(row => row.getAttribute('aria-label')));
    await this.page.keyboard.press('Escape');
    return labels;
  }

  /** What a screen reader says of the status item. */
  statusLabel() {
    return this.status.locator('a').getAttribute('aria-label');
  }

  /** The rows of one of our views. */
  rows(view) {
    return this.page.locator(`.part.sidebar .pane:has(.pane-header[aria-label^="${words(view)}"]) .pane-body .monaco-list-row`);
  }

  row(view, text) {
    return this.rows(view).filter({ hasText: text }).first();
  }

  /** Go to one of our views by keyboard, and wait for a row with this text. */
  async focusView(view, text) {
    await this.command(`Agent Brief: Focus on ${view} View`);
    await this.row(view, text).waitFor();
    // A view that had no rows yet gave the focus to nothing.
    await this.command(`Agent Brief: Focus on ${view} View`);
    await this.page.keyboard.press('Home');
    await this.rows(view).and(this.page.locator('.focused')).first().waitFor();
  }

  /** What a screen reader says of the rows, from top to bottom. */
  async spoken(view) {
    const rows = await this.rows(view).evaluateAll(found =>
      found.map(row => [Number(row.getAttribute('data-index')), row.getAttribute('aria-label')]));
    return rows.sort(([one], [other]) => one - other).map(([, label]) => label);
  }

  /** The tab of an open editor. */
  editor(name) {
    return this.page.locator(`.tabs-container .tab.active[data-resource-name="${name}"]`);
  }

  async focusEditor() {
    await this.page.keyboard.press('Control+1');
    await this.page.locator('.monaco-editor.focused').first().waitFor();
  }

  /** Where the cursor is, once it is where it should be: `Ln 5, Col 1`. */
  async cursor(pattern) {
    const item = this.page.locator('.part.statusbar .statusbar-item', { hasText: pattern });
    await item.waitFor();
    return (await item.innerText()).trim();
  }

  get notifications() {
    return this.page.locator('.notifications-toasts .notification-toast');
  }

  /** Press a button of the modal question, by keyboard. */
  async answer(title) {
    const button = this.page.locator('.monaco-dialog-box .monaco-button', { hasText: new RegExp(`^${words(title)}$`) });
    await button.waitFor();
    for (let i = 0; i < 10 && !(await button.evaluate(element => element === document.activeElement)); i++) {
      await this.page.keyboard.press('Tab');
    }
    await this.page.keyboard.press('Enter');
    await this.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
  }

  /** Press a button of a notification, by keyboard. */
  async press(notification, title) {
    const button = notification.locator('.monaco-button', { hasText: new RegExp(`^${words(title)}$`) });
    await button.waitFor();
    await this.command('Notifications: Focus Notification Toast');
    for (let i = 0; i < 10 && !(await button.evaluate(element => element === document.activeElement)); i++) {
      await this.page.keyboard.press('Tab');
    }
    await this.page.keyboard.press('Enter');
  }

  /** Put away the notifications that are shown. */
  async dismiss() {
    await this.command('Notifications: Clear All Notifications');
    await this.notifications.first().waitFor({ state: 'detached' });
  }

  /** The document inside the Markdown preview that is in front. */
  preview() {
    return this.page.frameLocator('iframe.webview.ready >> visible=true').frameLocator('iframe#active-frame');
  }
}
