// One window of the real VS Code, and the tests that are done in it one after another.
import test, { after } from 'node:test';
import { startBrowser } from './browser.mjs';
import { startCodeServer } from './code-server.mjs';
import { remove } from './folders.mjs';
import { LOCALE } from './language.mjs';
import { Workbench } from './workbench.mjs';

/** A browser writes `zh-CN` what VS Code writes `zh-cn`. */
const LANGUAGE = LOCALE === 'en' ? undefined : { server: { locale: LOCALE }, browser: { locale: new Intl.Locale(LOCALE).toString() } };

/**
 * A window in the language of the run: its server (`server`: see startCodeServer), its page (`browser`: see startBrowser), and what a
 * person does in it.
 */
export async function openWindow({ server = {}, browser = {} } = {}) {
  const vscode = await startCodeServer({ ...LANGUAGE?.server, ...server });
  try {
    const { page, zoom, stop } = await startBrowser({ ...LANGUAGE?.browser, ...browser });
    return {
      vscode,
      page,
      zoom,
      workbench: new Workbench(page, vscode),
      async close() {
        await stop();
        await vscode.stop();
      },
    };
  } catch (error) {
    await vscode.stop();
    throw error;
  }
}

/**
 * A window for all tests of a file, and `step`, which makes a test of what is done in it: the name, and a picture where it failed.
 * `name`: of the file, in the names of those pictures. `limit`: of one step, in milliseconds. The folders that were made are removed.
 */
export async function openTestWindow({ name, limit = 120_000, ...options }) {
  const started = Date.now();
  const window = await openWindow(options);
  after(async () => {
    await window.close();
    remove();
    console.log(`# whole run: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  });
  const step = (title, run) =>
    test(title, { timeout: limit }, async () => {
      try {
        await run();
      } catch (error) {
        await window.workbench.shot(`failed-${name}-${title.split(/[:,]/)[0].slice(0, 20)}`);
        throw error;
      }
    });
  return { ...window, step };
}
