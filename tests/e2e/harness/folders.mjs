// The folders that the stories are about. Each is made anew in the temporary folder and removed by `remove`.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './code-server.mjs';

const made = [];

/** A folder with these files; a value `{ to }` is a symbolic link. */
export function makeFolder(name, files) {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'stories-')));
  made.push(base);
  const folder = path.join(base, name);
  fs.mkdirSync(folder);
  for (const [file, content] of Object.entries(files)) {
    const at = path.join(folder, file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    if (typeof content === 'string') {
      fs.writeFileSync(at, content);
    } else {
      fs.symlinkSync(content.to, at);
    }
  }
  return folder;
}

/** The sample workspace as somebody would have it: a git repository. */
export function sample() {
  const folder = makeFolder('orchard', { '.git/HEAD': 'ref: refs/heads/main\n' });
  fs.cpSync(path.join(ROOT, 'sample', 'workspace'), folder, { recursive: true });
  return folder;
}

/** A workspace and a home with sessions of every agent: their folders and some files. */
export function withSessions() {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'stories-')));
  made.push(base);
  const python = process.env.PYTHON ?? path.join(ROOT, '.venv', 'bin', 'python');
  const env = { ...process.env, PYTHONPATH: ['server', 'features', '.'].map(each => path.join(ROOT, each)).join(path.delimiter) };
  return JSON.parse(execFileSync(python, ['-m', 'tests.e2e.make_sessions', base], { cwd: ROOT, env, encoding: 'utf8' }));
}

export function remove() {
  for (const base of made.splice(0)) {
    fs.rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Markdown with this many characters: a title, and bullet points below two headings; no line end at its end, which does not count. */
export function rules(title, characters) {
  const line = '- keep it short and say what you did 规则 🍎\n';
  const head = `# ${title}\n\n## Build\n\n`;
  const middle = '\n## Style\n\n';
  let text = head;
  while ([...text].length < characters / 2) {
    text += line;
  }
  text += middle;
  while ([...text].length + [...line].length <= characters) {
    text += line;
  }
  return text + 'x'.repeat(Math.max(0, characters - [...text].length));
}

/** `text` in characters that no editor shows. */
export function tagged(text) {
  return [...text].map(char => String.fromCodePoint(0xe0000 + char.codePointAt(0))).join('');
}
