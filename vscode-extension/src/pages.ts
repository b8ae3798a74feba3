// How are the server's generated pages shown?

import * as vscode from 'vscode';
import { SCHEME, toServer } from './addresses';
import { Server } from './server';

const PREVIEW = 'vscode.markdown.preview.editor';

interface Page {
  text: string;
  languageId: string;
}

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    server.onTold('agentbrief/didChangeDocument', ({ uri }: { uri: string }) => {
      this.refresh(address => toServer(address) === uri);
    });
  }

  dispose(): void {
    this.changed.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const page = await this.server.request<Page | null>('agentbrief/document', { uri: toServer(uri) });
    return page?.text ?? vscode.l10n.t('This page is not there any more.');
  }

  /** Have the pages that are open read again. */
  refresh(which: (uri: vscode.Uri) => boolean = () => true): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === SCHEME && which(document.uri)) {
        this.changed.fire(document.uri);
      }
    }
  }

  /** Show a page as it is meant to be read; whether that was possible. */
  async show(uri: vscode.Uri, column = vscode.ViewColumn.Active): Promise<boolean> {
    try {
      await vscode.commands.executeCommand('vscode.openWith', uri, PREVIEW, column);
      return true;
    } catch {
      return false;
    }
  }

  /** Show two texts side by side. */
  async compare(left: vscode.Uri, right: vscode.Uri, title: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
  }
}
