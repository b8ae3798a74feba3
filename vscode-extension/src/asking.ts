// How is the server asked on behalf of the user, and how is its refusal said?

import * as vscode from 'vscode';
import { ResponseError } from 'vscode-languageclient/node';
import { MINIMUM_PYTHON } from './facts';
import { activeFile, activeFolder, isInstructionFile } from './places';
import { Server } from './server';
import { Row } from './views';

/** What a palette command was called with: a row, a file of the explorer, the argument of a lens, or nothing. */
export type Given = Partial<Row> | vscode.Uri | { uri?: string; [key: string]: unknown } | undefined;

export class Asking {
  constructor(
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** The server's answer to a command; undefined when there is none, which was then explained. */
  async run<T>(command: string, given: object): Promise<T | undefined> {
    await this.server.start();
    if (this.server.state !== 'running') {
      await this.explainState();
      return undefined;
    }
    try {
      return await this.server.run<T>(command, given);
    } catch (error) {
      this.log.warn(`${command}: ${error instanceof ResponseError ? String(error.code) : String(error)}`);
      void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Why is there no server, and what can be done? */
  async explainState(): Promise<void> {
    if (this.server.state === 'noPython') {
      await this.explainNoPython();
    } else {
      this.log.show();
    }
  }

  private async explainNoPython(): Promise<void> {
    const choose = vscode.l10n.t('Choose Interpreter');
    const install = vscode.l10n.t('How to Install');
    const tried = this.server.tried.join(', ');
    const missing = vscode.l10n.t('Python {0} or newer was not found.', MINIMUM_PYTHON);
    const where = tried === '' ? vscode.l10n.t('No Python is on PATH.') : vscode.l10n.t('Tried: {0}.', tried);
    const nothing = vscode.l10n.t('Agent Brief needs it to run; nothing was changed.');
    const choice = await vscode.window.showErrorMessage(`${missing} ${where} ${nothing}`, choose, install);
    if (choice === choose) {
      await vscode.commands.executeCommand('agentbrief.ui.chooseInterpreter');
    } else if (choice === install) {
      await vscode.commands.executeCommand('agentbrief.ui.howToInstall');
    }
  }
}

/** The file that a command is about: of its row or argument, else the one the user is at. */
export function uriOf(given: Given): string | undefined {
  if (given instanceof vscode.Uri) {
    return given.toString();
  }
  if (given !== undefined && 'uri' in given && typeof given.uri === 'string') {
    return given.uri;
  }
  if (given !== undefined && 'target' in given && typeof given.target === 'object') {
    return (given as Row).target?.uri;
  }
  return activeFile()?.toString();
}

/** What a command about one file is told: all that a lens or an action said, else the file the user is at. */
export function fileOf(given: Given): { uri?: string; [key: string]: unknown } {
  if (given !== undefined && !(given instanceof vscode.Uri) && !('target' in given) && typeof given.uri === 'string') {
    return { ...given };
  }
  const uri = uriOf(given);
  return uri === undefined ? {} : { uri };
}

/** What a command about the chain is told: the instruction file, else the workspace folder. */
export async function startOf(given: Given): Promise<{ uri?: string; folder?: string }> {
  const uri = uriOf(given);
  if (uri !== undefined) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(undefined, () => undefined);
    if (document !== undefined && isInstructionFile(document)) {
      return { uri };
    }
  }
  const folder = activeFolder()?.uri.toString();
  return folder === undefined ? {} : { folder };
}
