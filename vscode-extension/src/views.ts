// What do the views show? Rows as the server writes them.

import * as vscode from 'vscode';
import { toCode } from './addresses';
import { VIEWS } from './facts';
import { activeFolder } from './places';
import { leadingTitle } from './profiles';
import { Server } from './server';

export type View = (typeof VIEWS)[number];

export interface Row {
  id: string;
  label: string;
  description: string;
  tooltip: string;
  icon: string;
  accessibilityLabel: string;
  contextValue: string;
  target?: { uri: string; range?: { start: Position; end: Position } };
  /** The file of a session; its target is the page that tells it. */
  uri?: string;
  /** Of a file that is not sent because of its text: the file with the same text that is. */
  other?: string;
  hasChildren: boolean;
  folder: string;
}

interface Position {
  line: number;
  character: number;
}

/** What stands for a workspace folder where several are open. */
interface FolderRow {
  folder: string;
  name: string;
}

type Node = Row | FolderRow;

const COLORS: Partial<Record<string, string>> = {
  check: 'charts.green',
  warning: 'list.warningForeground',
  error: 'list.errorForeground',
  'circle-slash': 'descriptionForeground',
  'arrow-up': 'descriptionForeground',
  'circle-filled': 'charts.blue',
  history: 'list.warningForeground',
};

export class Rows implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly tree: vscode.TreeView<Node>;
  private shown: Row[] = [];
  /** Rows of a folder that were fetched before VS Code asked for them. */
  private readonly fetched = new Map<string, Row[]>();
  private turn = 0;
  readonly onDidChangeTreeData = this.changed.event;
  readonly onDidChangeVisibility: vscode.Event<vscode.TreeViewVisibilityChangeEvent>;

  constructor(
    readonly view: View,
    private readonly server: Server,
  ) {
    this.tree = vscode.window.createTreeView(`agentbrief.${view}`, { treeDataProvider: this, showCollapseAll: false });
    this.onDidChangeVisibility = this.tree.onDidChangeVisibility;
  }

  get visible(): boolean {
    return this.tree.visible;
  }

  dispose(): void {
    this.tree.dispose();
    this.changed.dispose();
  }

  /** The rows are others now. What the palette offers depends on them, even where nobody looks at the view. */
  refresh(): void {
    const isKnown = this.view === 'budget' || (this.view === 'sessions' && this.shown.length > 0);
    if (this.tree.visible || !isKnown) {
      void this.look();
    } else {
      this.fetched.clear();
      this.changed.fire();
    }
  }

  /**
   * Fetch the rows, and then have them shown. From the moment VS Code is told to ask for rows until it has them, an entry of the
   * context menu reaches no row: that time is kept short, and nothing is shown anew that is the same.
   */
  private async look(): Promise<void> {
    const turn = ++this.turn;
    const before = JSON.stringify(this.shown);
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      const folder = uri.toString();
      const rows = await this.fetch(folder, undefined).catch(() => []);
      if (turn !== this.turn) {
        return;
      }
      if (this.tree.visible) {
        this.fetched.set(folder, rows);
      }
      this.topChanged(folder, rows);
    }
    if (before === JSON.stringify(this.shown) && !this.shown.some(row => row.hasChildren)) {
      this.fetched.clear();
    } else {
      this.changed.fire();
    }
  }

  private async fetch(folder: string, parent: string | undefined): Promise<Row[]> {
    const rows = (await this.server.request<Row[] | null>('agentbrief/rows', { view: this.view, folder, parent })) ?? [];
    return rows.map(row => ({ ...row, folder }));
  }

  get isEmpty(): boolean {
    return this.shown.length === 0;
  }

  /** The first row of the view that is of this kind. */
  find(contextValue: string): Row | undefined {
    return this.shown.find(row => row.contextValue === contextValue);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (node === undefined && folders.length > 1) {
      return folders.map(each => ({ folder: each.uri.toString(), name: each.name }));
    }
    const folder = node?.folder ?? folders[0]?.uri.toString();
    if (folder === undefined) {
      return [];
    }
    const parent = node !== undefined && 'id' in node ? node.id : undefined;
    if (parent !== undefined) {
      return this.fetch(folder, parent);
    }
    const ready = this.fetched.get(folder);
    this.fetched.delete(folder);
    const rows = ready ?? (await this.fetch(folder, undefined));
    if (ready === undefined) {
      this.topChanged(folder, rows);
    }
    return rows;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ('name' in node) {
      const item = new vscode.TreeItem(node.name, vscode.TreeItemCollapsibleState.Expanded);
      item.id = node.folder;
      item.iconPath = vscode.ThemeIcon.Folder;
      return item;
    }
    const state = node.hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
    const item = new vscode.TreeItem(node.label, state);
    item.id = `${node.folder} ${node.id}`;
    item.description = node.description;
    item.tooltip = new vscode.MarkdownString(node.tooltip);
    const color = COLORS[node.icon];
    item.iconPath = new vscode.ThemeIcon(node.icon, color === undefined ? undefined : new vscode.ThemeColor(color));
    item.contextValue = node.contextValue;
    item.accessibilityInformation = { label: node.accessibilityLabel };
    if (node.target !== undefined) {
      item.command = { command: 'agentbrief.ui.open', title: vscode.l10n.t('Open'), arguments: [node] };
      if (this.view === 'files') {
        item.resourceUri = toCode(node.target.uri);
      }
    }
    return item;
  }

  private topChanged(folder: string, rows: Row[]): void {
    this.shown = [...this.shown.filter(row => row.folder !== folder), ...rows];
    if (this.view === 'sessions') {
      void vscode.commands.executeCommand('setContext', 'agentbrief.hasSessions', this.shown.length > 0);
    } else if (this.view === 'files') {
      this.describe();
    }
  }

  /** Say again what the view shows, and by whose rules. */
  describe(): void {
    const sent = this.shown.filter(row => /\.(sent|cut)$/.test(row.contextValue)).length;
    const agent = leadingTitle(activeFolder()?.uri);
    this.tree.description =
      this.shown.length === 0 ? agent : vscode.l10n.t('{0} · {1} of {2} sent', agent, sent, this.shown.length);
    const restricted = !vscode.workspace.isTrusted && this.shown.length > 0;
    this.tree.message = restricted ? vscode.l10n.t('Restricted Mode: files outside this folder are not read.') : '';
    // While the server starts there are no rows, and nobody knows whether there are files.
    if (this.server.state === 'running') {
      void vscode.commands.executeCommand('setContext', 'agentbrief.hasFiles', this.shown.length > 0);
      void vscode.commands.executeCommand('setContext', 'agentbrief.noFiles', this.shown.length === 0);
    }
  }
}

/** The place that a row leads to, as VS Code wants it. */
export function placeOf(row: Row): { uri: vscode.Uri; selection?: vscode.Range } | undefined {
  if (row.target === undefined) {
    return undefined;
  }
  const uri = toCode(row.target.uri);
  const range = row.target.range;
  if (range === undefined) {
    return { uri };
  }
  return { uri, selection: new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character) };
}
