// Debian's Chromium, driven by playwright-core, that can reach nothing but 127.0.0.1.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

// CHROMIUM names the program; else the one on PATH.
const program =
  process.env.CHROMIUM ?? process.env.PATH.split(path.delimiter).map(folder => path.join(folder, 'chromium')).find(file => fs.existsSync(file));

export async function startBrowser({ viewport = { width: 1280, height: 800 }, scale = 1, locale = 'en-US' } = {}) {
  if (!program) {
    throw new Error('no chromium on PATH: run .ci/setup-editors.sh vscode');
  }
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: true,
    viewport,
    deviceScaleFactor: scale,
    locale,
    permissions: ['clipboard-read', 'clipboard-write'],
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(20_000);
  const protocol = await context.newCDPSession(page);
  return {
    page,
    /** Zoom as a browser does: 2 makes all twice as large, and leaves half the room. */
    async zoom(factor) {
      const [width, height] = [viewport.width / factor, viewport.height / factor].map(Math.round);
      await page.setViewportSize({ width, height });
      await protocol.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale * factor, mobile: false });
    },
    async stop() {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
