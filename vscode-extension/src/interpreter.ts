// Which Python runs the server?

import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { MINIMUM_PYTHON } from './facts';

export interface Python {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: string;
  /** Why this one, for the log. */
  readonly why: string;
}

/** What was looked at and was no Python that will do, for the message and the log. */
export interface NoPython {
  readonly tried: readonly string[];
}

interface Candidate {
  readonly command: string;
  readonly args: readonly string[];
  readonly why: string;
}

const PROBE = 'import sys; print("%d.%d.%d" % sys.version_info[:3])';
const PATIENCE_MS = 10_000;

/** The first of the candidates that is new enough. */
export async function findPython(): Promise<Python | NoPython> {
  const tried: string[] = [];
  for await (const candidate of candidates()) {
    const version = await versionOf(candidate);
    if (version !== undefined && isEnough(version)) {
      return { ...candidate, version };
    }
    const named = [candidate.command, ...candidate.args].join(' ');
    tried.push(version === undefined ? named : `${named} (${version})`);
  }
  return { tried };
}

export function isPython(found: Python | NoPython): found is Python {
  return 'command' in found;
}

/** The version of a program that says it is Python; undefined if it cannot be run or says something else. */
export async function versionOf(candidate: { command: string; args: readonly string[] }): Promise<string | undefined> {
  return new Promise(resolve => {
    // Not in the workspace: on Windows a program of the working folder goes first.
    const options = { cwd: os.tmpdir(), timeout: PATIENCE_MS, windowsHide: true };
    execFile(candidate.command, [...candidate.args, '-I', '-c', PROBE], options, (error, stdout) => {
      const version = stdout.trim();
      resolve(error === null && /^\d+\.\d+\.\d+$/.test(version) ? version : undefined);
    });
  });
}

export function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = MINIMUM_PYTHON.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

async function* candidates(): AsyncGenerator<Candidate> {
  const setting = vscode.workspace.getConfiguration('agentbrief').get<string>('interpreter', '').trim();
  if (setting !== '') {
    // A named interpreter is the user's word: no other one takes its place.
    yield { command: untilded(setting), args: [], why: 'setting agentbrief.interpreter' };
    return;
  }
  if (vscode.workspace.isTrusted) {
    // The environment of a workspace may lie in it: a program of a folder that is not trusted is not run.
    yield* fromExtension('ms-python.vscode-python-envs', environmentsApi);
    yield* fromExtension('ms-python.python', pythonApi);
  }
  const usual = process.platform === 'win32' ? ['py -3', 'python', 'python3'] : ['python3', 'python'];
  for (const [name = '', ...args] of usual.map(each => each.split(' '))) {
    const command = onPath(name);
    if (command !== undefined) {
      yield { command, args, why: 'found on PATH' };
    }
  }
}

async function* fromExtension(id: string, ask: (api: unknown) => Promise<string | undefined>): AsyncGenerator<Candidate> {
  const extension = vscode.extensions.getExtension(id);
  if (extension === undefined) {
    return;
  }
  try {
    const command = await ask(extension.isActive ? extension.exports : await extension.activate());
    if (command !== undefined) {
      yield { command, args: [], why: `the environment of ${id}` };
    }
  } catch {
    // Another extension's fault is no reason to have no server.
  }
}

interface PythonEnvironments {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
}

async function environmentsApi(api: unknown): Promise<string | undefined> {
  const found = await (api as PythonEnvironments).getEnvironment(vscode.workspace.workspaceFolders?.[0]?.uri);
  return found?.execInfo?.run?.executable;
}

interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): unknown;
    resolveEnvironment(environment: unknown): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
  };
}

async function pythonApi(api: unknown): Promise<string | undefined> {
  const { environments } = api as PythonExtension;
  const active = environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  return (await environments.resolveEnvironment(active))?.executable?.uri?.fsPath;
}

/** The program `name` of a folder of PATH that is absolute and no part of the workspace. */
function onPath(name: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.bat', '.cmd'] : [''];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder) || isInWorkspace(folder)) {
      continue;
    }
    const found = endings.map(ending => path.join(folder, name + ending)).find(isFile);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function isInWorkspace(folder: string): boolean {
  return (vscode.workspace.workspaceFolders ?? []).some(each => {
    const relative = path.relative(each.uri.fsPath, folder);
    return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
  });
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function untilded(file: string): string {
  return file.startsWith('~/') ? path.join(os.homedir(), file.slice(2)) : file;
}
