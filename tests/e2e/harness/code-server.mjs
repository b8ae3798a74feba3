// Starts the real VS Code (code-server) on a free port of 127.0.0.1 with data and settings of its own, and stops it.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const EDITORS = process.env.EDITORS_HOME ?? path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'agentbrief-editors');
// CODE_SERVER names a version; else the newest one that setup-editors.sh has installed.
const versions = (fs.existsSync(EDITORS) ? fs.readdirSync(EDITORS) : [])
  .filter(name => name.startsWith('code-server-'))
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
const version = process.env.CODE_SERVER ? `code-server-${process.env.CODE_SERVER}` : (versions.at(-1) ?? 'code-server-missing');
const MODULES = path.join(EDITORS, version, 'node_modules');
const NODE = path.join(MODULES, `node-${process.platform}-${process.arch}`, 'bin', 'node');
const ENTRY = path.join(MODULES, 'code-server', 'out', 'node', 'entry.js');

export const ROOT = path.join(import.meta.dirname, '..', '..', '..');
export const VSIX = process.env.VSIX ?? path.join(ROOT, 'vscode-extension', 'agentbrief.vsix');

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'security.workspace.trust.enabled': false,
  'git.enabled': false,
  // One of VS Code's own extensions that offers lenses, at any time after the start: see Workbench.complete.
  'merge-conflict.codeLens.enabled': false,
  'editor.minimap.enabled': false,
  'editor.accessibilitySupport': 'off',
  'files.autoSave': 'off',
  'files.simpleDialog.enable': true,
};

function environment(home, more) {
  const env = { ...process.env, HOME: home, ...more };
  for (const key of Object.keys(env)) {
    if (key.startsWith('VSCODE_') || key.startsWith('XDG_')) {
      delete env[key];
    }
  }
  // An empty gallery: no look-up of an extension market during a test.
  env.EXTENSIONS_GALLERY = JSON.stringify({ serviceUrl: '', itemUrl: '' });
  return env;
}

/** A language pack that translates nothing of VS Code: with it VS Code is in that language, and so are extensions. */
function pretendLanguagePack(data, locale) {
  const messages = path.join(data, 'main.i18n.json');
  fs.writeFileSync(messages, JSON.stringify({ version: '1.0.0', contents: {} }));
  const pack = {
    hash: locale,
    extensions: [{ extensionIdentifier: { id: 'tests.language-pack' }, version: '1.0.0' }],
    translations: { vscode: messages },
    label: locale,
  };
  fs.writeFileSync(path.join(data, 'languagepacks.json'), JSON.stringify({ [locale]: pack }));
}

async function freePort() {
  const server = net.createServer();
  await new Promise((done, fail) => server.listen(0, '127.0.0.1', done).once('error', fail));
  const { port } = server.address();
  await new Promise(done => server.close(done));
  return port;
}

/**
 * `vsix`: one file or several. `machine`: settings that a workspace must not make. `trust`: ask for trust as VS Code does.
 * `inHost`: lets the page's payload name a test module (extensionTestsPath) that runs in the extension host. Without this flag a
 * built VS Code ignores it; with it no notification toast is ever drawn: keep it off for tests of what is seen. `home`: the home
 * folder; an empty one by default.
 */
export async function startCodeServer({ vsix = VSIX, settings = {}, machine = {}, env = {}, trust = false, inHost = false, locale, port, home: given }) {
  if (!fs.existsSync(ENTRY)) {
    throw new Error(`no code-server in ${EDITORS}: run .ci/setup-editors.sh vscode`);
  }
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'code-server-'));
  const [data, extensions, own] = ['data', 'extensions', 'home'].map(name => path.join(root, name));
  const home = given ?? own;
  const config = path.join(root, 'config.yaml');
  const write = (whose, values) => {
    fs.mkdirSync(path.join(data, whose), { recursive: true });
    fs.writeFileSync(path.join(data, whose, 'settings.json'), JSON.stringify(values, null, 2));
  };
  const user = { ...SETTINGS, ...(trust ? { 'security.workspace.trust.enabled': true } : {}), ...settings };
  write('User', user);
  write('Machine', machine);
  if (locale) {
    pretendLanguagePack(data, locale);
  }
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(config, 'auth: none\n'); // else it writes one into the home folder
  const common = ['--config', config, '--user-data-dir', data, '--extensions-dir', extensions];
  const options = { env: environment(home, env) };
  for (const file of [vsix].flat().filter(Boolean)) {
    const got = spawnSync(NODE, [ENTRY, ...common, '--install-extension', file, '--force'], { ...options, encoding: 'utf8', timeout: 60_000 });
    if (got.status !== 0) {
      throw new Error(`install of ${file} failed: ${got.stdout}${got.stderr}`);
    }
  }
  const at = port ?? (await freePort());
  const logFile = path.join(root, 'code-server.log');
  const out = fs.openSync(logFile, 'w');
  const flags = ['--auth', 'none', '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened',
    ...(trust ? [] : ['--disable-workspace-trust']),
    ...(locale ? ['--locale', locale] : []),
    ...(inHost ? ['--vscode-option', 'enable-smoke-test-driver'] : [])];
  const child = spawn(NODE, [ENTRY, ...common, '--bind-addr', `127.0.0.1:${at}`, ...flags], { ...options, stdio: ['ignore', out, out], detached: true });
  // Its own process group (server, extension host, language server), ended even when this process dies of an error.
  const kill = signal => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      /* gone */
    }
  };
  process.once('exit', () => kill('SIGKILL'));
  const url = `http://127.0.0.1:${at}`;
  const limit = Date.now() + 60_000;
  for (;;) {
    try {
      if ((await fetch(`${url}/healthz`)).ok) {
        break;
      }
    } catch {
      /* not yet */
    }
    if (child.exitCode !== null || Date.now() > limit) {
      throw new Error(`code-server did not start:\n${fs.readFileSync(logFile, 'utf8')}`);
    }
    await new Promise(done => setTimeout(done, 100));
  }
  const query = payload => (payload.length ? `&payload=${encodeURIComponent(JSON.stringify(payload))}` : '');
  return {
    url, root, data, home, logFile, port: at,
    folderUrl: (folder, payload = []) => `${url}/?folder=${encodeURIComponent(folder)}${query(payload)}`,
    workspaceUrl: (file, payload = []) => `${url}/?workspace=${encodeURIComponent(file)}${query(payload)}`,
    emptyUrl: () => `${url}/?ew=true`,
    fileUri: file => `vscode-remote://127.0.0.1:${at}${file}`,
    /** Change the user's settings, as whoever writes them into the file. */
    change: values => write('User', Object.assign(user, values)),
    async stop() {
      kill('SIGTERM');
      for (let i = 0; i < 50 && child.exitCode === null && child.signalCode === null; i++) {
        await new Promise(done => setTimeout(done, 100));
      }
      kill('SIGKILL');
      if (!process.env.KEEP) {
        fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      }
    },
  };
}
