// How does the user name the Python that runs the server?

import * as vscode from 'vscode';
import { MINIMUM_PYTHON } from './facts';
import { isEnough, versionOf } from './interpreter';

/** Ask for a program, and write it to the settings if it is a Python that will do. The change restarts the server. */
export async function chooseInterpreter(): Promise<void> {
  const title = vscode.l10n.t('Choose a Python, {0} or newer', MINIMUM_PYTHON);
  const [chosen] = (await vscode.window.showOpenDialog({ title, canSelectMany: false, openLabel: vscode.l10n.t('Use This Python') })) ?? [];
  if (chosen === undefined) {
    return;
  }
  const version = await versionOf({ command: chosen.fsPath, args: [] });
  if (version === undefined || !isEnough(version)) {
    const found = version ?? vscode.l10n.t('no Python');
    const sentence = vscode.l10n.t('{0} is {1}: {2} or newer is needed. Nothing was changed.', chosen.fsPath, found, MINIMUM_PYTHON);
    void vscode.window.showWarningMessage(sentence);
    return;
  }
  await vscode.workspace.getConfiguration('agentbrief').update('interpreter', chosen.fsPath, vscode.ConfigurationTarget.Global);
}
