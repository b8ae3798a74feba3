// Which file and which folder is the user at? What is an instruction file?

import * as path from 'node:path';
import * as vscode from 'vscode';
import { ANY_FILE, FILE_NAMES, PATTERNS } from './facts';

let further: readonly string[] = [];

/** Take the patterns of instruction files that only profiles of the user's own name. */
export function knowFurther(patterns: readonly string[]): void {
  further = patterns;
}

/** The instruction files. */
export function selector(): vscode.DocumentFilter[] {
  return [...PATTERNS, ...further].map(pattern => ({ scheme: 'file', pattern }));
}

export function isInstructionFile(document: vscode.TextDocument): boolean {
  return vscode.languages.match(selector(), document) > 0;
}

/** The workspace folder of the file the user is at, else the first one. */
export function activeFolder(): vscode.WorkspaceFolder | undefined {
  const uri = activeFile();
  const folder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
  return folder ?? vscode.workspace.workspaceFolders?.[0];
}

/** The file the user is at: of the active editor, or the one that the active tab shows in another way. */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    vscode.window.activeTextEditor?.document.uri ??
    (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined);
  return uri?.scheme === 'file' ? uri : undefined;
}

/**
 * Whether an instruction file or a store of sessions lies in a workspace folder, or above it in the same repository.
 * Which names profiles of the user's own have only the server can say, so there may be some wherever there are such.
 */
export async function somethingInSight(): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = vscode.workspace.getConfiguration('agentbrief').get<string[]>('customProfiles', []);
  if (folders.length > 0 && own.length > 0) {
    return true;
  }
  if (vscode.workspace.textDocuments.some(isInstructionFile)) {
    return true;
  }
  for (const folder of folders) {
    if ((await exists(vscode.Uri.joinPath(folder.uri, '.port_sessions'))) || (await isAbove(folder.uri.fsPath))) {
      return true;
    }
  }
  return folders.length > 0 && (await vscode.workspace.findFiles(ANY_FILE, undefined, 1)).length > 0;
}

/** Whether one lies in `folder`, or in a folder above it in the same repository. */
async function isAbove(folder: string): Promise<boolean> {
  const repository = await repositoryOf(folder);
  for (let at = folder; ; at = path.dirname(at)) {
    for (const name of FILE_NAMES) {
      if (await exists(vscode.Uri.file(path.join(at, name)))) {
        return true;
      }
    }
    if (at === repository) {
      return false;
    }
  }
}

/** The folder at or above `folder` that holds `.git`; itself where there is none. */
async function repositoryOf(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    if (await exists(vscode.Uri.file(path.join(at, '.git')))) {
      return at;
    }
    if (path.dirname(at) === at) {
      return folder;
    }
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
