// What helps where an instruction file is not UTF-8? Only the editor itself can read it otherwise.

import * as vscode from 'vscode';

/** Offers VS Code's own way on the finding that says so. */
export class ReopenWithEncoding implements vscode.CodeActionProvider {
  provideCodeActions(_document: vscode.TextDocument, _range: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
    const found = context.diagnostics.filter(isNotUtf8);
    if (found.length === 0) {
      return [];
    }
    const action = new vscode.CodeAction(vscode.l10n.t('Reopen with Encoding…'), vscode.CodeActionKind.QuickFix);
    action.diagnostics = found;
    action.command = { command: 'workbench.action.editor.changeEncoding', title: action.title };
    return [action];
  }
}

function isNotUtf8(diagnostic: vscode.Diagnostic & { data?: { reason?: string } }): boolean {
  return diagnostic.source === 'agentbrief' && diagnostic.data?.reason === 'not-utf8';
}
