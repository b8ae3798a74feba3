// What do the status items say? The server's sentences; the extension's own only while there is no server.

import * as vscode from 'vscode';
import { activeFile, activeFolder, selector } from './places';
import { knowLeader, Leader } from './profiles';
import { Server, ServerState } from './server';

export interface Said {
  folder?: string;
  agent?: Leader;
  uri?: string;
  state: string;
  text: string;
  tooltip: string;
  accessibilityLabel: string;
}

export class StatusItems implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly fileItem: vscode.LanguageStatusItem;
  private readonly said = new Map<string, Said>();
  private readonly leaderChanged = new vscode.EventEmitter<void>();
  /** Another agent leads in a folder. */
  readonly onDidChangeLeader = this.leaderChanged.event;

  constructor(private readonly server: Server) {
    this.item = vscode.window.createStatusBarItem('agentbrief.budget', vscode.StatusBarAlignment.Right, 100);
    this.item.name = 'Agent Brief';
    this.fileItem = vscode.languages.createLanguageStatusItem('agentbrief.file', selector());
    this.fileItem.name = 'Agent Brief';
    this.fileItem.command = { command: 'agentbrief.ui.showChain', title: vscode.l10n.t('Show Chain') };
    server.onTold('agentbrief/status', (said: Said) => {
      if (said.folder !== undefined && said.agent !== undefined && knowLeader(said.folder, said.agent)) {
        this.leaderChanged.fire();
      }
      this.said.set(said.folder === undefined ? (said.uri ?? '') : vscode.Uri.file(said.folder).toString(), said);
      this.show();
    });
    server.onDidChangeState(state => {
      if (state === 'stopped' || state === 'noPython') {
        this.said.clear();
      }
      this.show();
    });
  }

  dispose(): void {
    this.item.dispose();
    this.fileItem.dispose();
    this.leaderChanged.dispose();
  }

  /** Other files are instruction files now. */
  filesChanged(): void {
    this.fileItem.selector = selector();
    this.show();
  }

  show(): void {
    this.showFolder();
    this.showFile();
  }

  private showFolder(): void {
    const down = sentenceOf(this.server.state);
    const said = this.urgent();
    const text = down === undefined ? said?.text : '$(error) Brief';
    if (text === undefined || text === '' || !vscode.workspace.getConfiguration('agentbrief').get<boolean>('statusBar.visible', true)) {
      this.item.hide();
      return;
    }
    this.item.text = text;
    this.item.tooltip = down ?? new vscode.MarkdownString(said?.tooltip, true);
    this.item.accessibilityInformation = { label: `Agent Brief: ${down ?? said?.accessibilityLabel ?? ''}` };
    this.item.backgroundColor = down === undefined ? undefined : new vscode.ThemeColor('statusBarItem.errorBackground');
    this.item.command = down === undefined ? 'agentbrief.ui.showActions' : 'agentbrief.ui.explainState';
    this.item.show();
  }

  /** What is said of the folder the user is at; hidden text in any folder is said first. */
  private urgent(): Said | undefined {
    const folders = [...this.said.values()].filter(each => each.folder !== undefined);
    const here = this.said.get(activeFolder()?.uri.toString() ?? '');
    const hidden = folders.find(each => each.state === 'hidden-text');
    if (hidden !== undefined && here?.state !== 'hidden-text') {
      return hidden;
    }
    return activeFile() === undefined ? (folders.find(each => each.state === 'cut') ?? here) : here;
  }

  private showFile(): void {
    const uri = activeFile();
    const said = uri === undefined ? undefined : this.said.get(uri.toString());
    this.fileItem.text = said?.text ?? 'Agent Brief';
    this.fileItem.detail = said?.tooltip ?? '';
    this.fileItem.severity = said?.state === 'cut' ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    this.fileItem.accessibilityInformation = { label: said?.accessibilityLabel ?? 'Agent Brief' };
    this.fileItem.busy = this.server.state === 'starting';
  }
}

function sentenceOf(state: ServerState): string | undefined {
  switch (state) {
    case 'stopped':
      return vscode.l10n.t('The language server stopped. Click to see the log');
    case 'noPython':
      return vscode.l10n.t('Agent Brief has no Python to run with. Click to see why');
    default:
      return undefined;
  }
}
