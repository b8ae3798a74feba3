// Where exactly does the agent stop reading? A thin line before the first character that is not sent.

import * as vscode from 'vscode';

const CODES = ['text-past-limit', 'file-over-limit', 'total-over-limit'];

export class CutBorder implements vscode.Disposable {
  private readonly line = vscode.window.createTextEditorDecorationType({
    borderColor: new vscode.ThemeColor('agentbrief.cutBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
  });
  private readonly listening: vscode.Disposable[];

  constructor() {
    this.listening = [
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const changed = new Set(uris.map(String));
        vscode.window.visibleTextEditors.filter(each => changed.has(each.document.uri.toString())).forEach(show => {
          this.show(show);
        });
      }),
      vscode.window.onDidChangeVisibleTextEditors(editors => {
        editors.forEach(each => {
          this.show(each);
        });
      }),
    ];
  }

  dispose(): void {
    this.line.dispose();
    this.listening.forEach(each => {
      each.dispose();
    });
  }

  private show(editor: vscode.TextEditor): void {
    const ours = vscode.languages.getDiagnostics(editor.document.uri).filter(each => each.source === 'agentbrief');
    const found = CODES.map(code => ours.find(each => codeOf(each) === code)).find(each => each !== undefined);
    editor.setDecorations(this.line, found === undefined ? [] : [new vscode.Range(found.range.start, found.range.start.translate(0, 1))]);
  }
}

export function codeOf(diagnostic: vscode.Diagnostic): string {
  const code = diagnostic.code;
  return String(typeof code === 'object' ? code.value : (code ?? ''));
}
