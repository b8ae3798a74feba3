// What can be done with sessions? The server does it; here is asked which one, and how.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { toCode } from './addresses';
import { Asking, Given } from './asking';
import { activeFolder } from './places';
import { Row } from './views';

/** One session of `agentbrief.session.list`. */
export interface SessionRecord {
  id: string;
  agent: string;
  path: string;
  title: string;
  messages: number | null;
  tokens: { used: number | null; reported: boolean; window: number | null };
  updated: string;
  branch: string | null;
  writable: boolean;
  foreign: boolean;
  problem: string | null;
  first: string | null;
  last: string | null;
}

/** The session that a command is about. */
export interface Chosen {
  readonly uri: string;
  readonly title: string;
  readonly folder: string | undefined;
}

/** `own` may be changed, `foreign` is only read, `stored` lies in a store of OpenClaw. */
export type Which = 'any' | 'own' | 'foreign' | 'stored';
const LEVELS = ['messages', 'tools', 'everything'] as const;

export class Sessions {
  constructor(private readonly asking: Asking) {}

  readonly handlers: Record<string, (given: Given) => Promise<unknown>> = {
    openSession: given => this.open(given),
    checkSessions: given => this.check(given),
    repairSession: given => this.repair(given),
    exportHistory: given => this.export(given),
    moveToTrash: given => this.trash(given),
    showStores: () => this.asking.run('agentbrief.store.status', {}),
    checkStores: () => this.asking.run('agentbrief.store.doctor', {}),
    showRunRestore: given => this.showRunRestore(given),
    pickRoot: () => pickRoot(),
  };

  /** The session of the row, else one that the user chooses; undefined when none was chosen. */
  async chosen(given: Given, which: Which, title: string): Promise<Chosen | undefined> {
    if (given !== undefined && 'target' in given && 'uri' in given && typeof given.uri === 'string') {
      const row = given as Row;
      return { uri: given.uri, title: row.label, folder: row.folder };
    }
    const folder = activeFolder()?.uri.toString();
    if (given !== undefined && 'uri' in given && typeof given.uri === 'string' && /\.jsonl?$|:\/session/.test(given.uri)) {
      // An action or a link on a session's own file or page.
      return { uri: given.uri, title: nameOf(given.uri), folder };
    }
    const reply = await this.asking.run<{ sessions: SessionRecord[] }>('agentbrief.session.list', folder === undefined ? {} : { folder });
    if (reply === undefined) {
      return undefined;
    }
    const offered = reply.sessions.filter(each => isOffered(each, which));
    if (offered.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There is no session in this folder that this could be done with.'));
      return undefined;
    }
    const choices = offered.map(each => ({ ...described(each), record: each }));
    const picked = await vscode.window.showQuickPick(choices, { title, matchOnDescription: true, matchOnDetail: true });
    return picked === undefined ? undefined : { uri: vscode.Uri.file(picked.record.path).toString(), title: picked.label, folder };
  }

  private async open(given: Given): Promise<void> {
    const session = await this.chosen(given, 'any', vscode.l10n.t('Which session?'));
    if (session !== undefined) {
      await this.asking.run('agentbrief.session.open', { uri: session.uri });
    }
  }

  private async check(given: Given): Promise<void> {
    const isRow = given !== undefined && 'target' in given;
    const session = isRow ? await this.chosen(given, 'any', '') : undefined;
    const folder = activeFolder()?.uri.toString();
    await this.asking.run('agentbrief.session.check', session === undefined ? { folder } : { uri: session.uri });
  }

  private async showRunRestore(given: Given): Promise<void> {
    const session = await this.chosen(given, 'stored', vscode.l10n.t('Which session?'));
    if (session !== undefined) {
      await this.asking.run('agentbrief.runRestore.show', { uri: session.uri });
    }
  }

  private async repair(given: Given): Promise<void> {
    const session = await this.chosen(given, 'any', vscode.l10n.t('Repair a copy of which session?'));
    if (session === undefined) {
      return;
    }
    const about = { uri: session.uri, folder: session.folder };
    const reply = await this.asking.run<{ needed: boolean; written: boolean; copy?: string; badLines?: string }>('agentbrief.session.repair', about);
    if (reply === undefined) {
      return;
    }
    if (!reply.written || reply.copy === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” needs no repair. Nothing was changed.', session.title));
      return;
    }
    const openCopy = vscode.l10n.t('Open Copy');
    const badLines = vscode.l10n.t('Show Bad Lines');
    const sentence = vscode.l10n.t('Repaired copy of “{0}”: {1}. The session itself is unchanged.', session.title, nameOf(reply.copy));
    const choice = await vscode.window.showInformationMessage(sentence, openCopy, badLines);
    const wanted = choice === openCopy ? reply.copy : choice === badLines ? reply.badLines : undefined;
    if (wanted !== undefined) {
      await vscode.commands.executeCommand('vscode.open', toCode(wanted));
    }
  }

  private async export(given: Given): Promise<void> {
    const session = await this.chosen(given, 'any', vscode.l10n.t('Export which session?'));
    if (session === undefined) {
      return;
    }
    const about = { uri: session.uri, folder: session.folder };
    const preview = await this.asking.run<{ masked: { tokens: number; keys: number; passwords: number } }>('agentbrief.history.export', { ...about, preview: true });
    if (preview === undefined) {
      return;
    }
    const { tokens, keys, passwords } = preview.masked;
    const masked =
      tokens + keys + passwords === 0
        ? vscode.l10n.t('Nothing to mask')
        : vscode.l10n.t('Masked: {0} tokens, {1} keys, {2} passwords', tokens, keys, passwords);
    const words = [vscode.l10n.t('Messages only'), vscode.l10n.t('+ tool calls (folded)'), vscode.l10n.t('Everything')];
    const choices = LEVELS.map((level, place) => ({ label: words[place] ?? level, level }));
    const title = vscode.l10n.t('Export “{0}”', session.title);
    const level = await vscode.window.showQuickPick(choices, { title, placeHolder: masked, ignoreFocusOut: true });
    if (level === undefined) {
      return;
    }
    const reply = await this.asking.run<{ written: boolean; uri: string; path: string }>('agentbrief.history.export', { ...about, level: level.level });
    if (reply?.written === true) {
      const open = vscode.l10n.t('Open');
      const file = toCode(reply.uri);
      const choice = await vscode.window.showInformationMessage(vscode.l10n.t('Exported to {0}', vscode.workspace.asRelativePath(file)), open);
      if (choice === open) {
        await vscode.commands.executeCommand('vscode.open', file);
      }
    }
  }

  private async trash(given: Given): Promise<void> {
    const session = await this.chosen(given, 'own', vscode.l10n.t('Move which session to the trash?'));
    if (session === undefined) {
      return;
    }
    const about = { uri: session.uri, folder: session.folder };
    const reply = await this.asking.run<{ trashed: string[] }>('agentbrief.session.trash', about);
    if (reply !== undefined && reply.trashed.length > 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” is in the trash.', session.title));
    }
  }
}

function isOffered(session: SessionRecord, which: Which): boolean {
  switch (which) {
    case 'any':
      return true;
    case 'own':
      return session.writable;
    case 'foreign':
      return !session.writable;
    case 'stored':
      return session.agent === 'openclaw';
  }
}

/** A session as a line of a list. */
export function described(session: SessionRecord): vscode.QuickPickItem {
  const tokens = session.tokens.used === null ? '' : `${session.tokens.reported ? '' : '~'}${short(session.tokens.used)}`;
  const messages = session.messages === null ? '' : vscode.l10n.t('{0} messages', session.messages);
  const parts = [ago(session.updated), session.branch ?? '', messages, tokens];
  const label = session.title === '' ? session.id : session.title;
  const detail = [session.first, session.last].filter(text => text !== null && text !== label).join(' … ');
  const description = parts.filter(part => part !== '').join(' · ');
  return detail === '' ? { label, description } : { label, description, detail };
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long ago that was, in words. */
function ago(time: string): string {
  const passed = Date.now() - Date.parse(time);
  const [unit, size] = UNITS.find(([, each]) => passed >= each) ?? ['minute', 60_000];
  return new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto', style: 'short' }).format(-Math.round(passed / size), unit);
}

function short(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

function nameOf(uri: string): string {
  return path.basename(toCode(uri).fsPath);
}

/** Let the user name a folder in which sessions are looked for. */
async function pickRoot(): Promise<void> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('In which folder are sessions?'),
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Look Here'),
    })) ?? [];
  if (chosen !== undefined) {
    const configuration = vscode.workspace.getConfiguration('agentbrief');
    const before = configuration.get<string[]>('sessions.roots', []);
    const roots = [...new Set([...before, chosen.fsPath])];
    await configuration.update('sessions.roots', roots, vscode.ConfigurationTarget.Global);
  }
}
