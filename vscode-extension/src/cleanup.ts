// How are old sessions cleaned up, and how do they come back?

import * as path from 'node:path';
import * as vscode from 'vscode';
import { Asking, Given } from './asking';
import { Changes } from './changes';

interface Item {
  kind: string;
  key?: string;
  path?: string;
  reason: string;
  bytes: number;
}

interface Plan {
  token: string | null;
  question: string | null;
  asksFirst: boolean;
  stores: { agentId: string; items?: Item[] }[];
  notRead: string[];
}

interface TrashedFile {
  id: string;
  time: string | null;
  path: string | null;
  bytes: number;
}

interface TrashedCleanup {
  id: string;
  time: string;
  title: string;
}

interface Trash {
  agentId: string;
  cleanups: TrashedCleanup[];
  items: TrashedFile[];
}

export class Cleanup {
  constructor(
    private readonly asking: Asking,
    private readonly changes: Changes,
  ) {}

  readonly handlers: Record<string, (given: Given) => Promise<unknown>> = {
    previewCleanup: () => this.asking.run('agentbrief.maintenance.plan', {}),
    runCleanup: () => this.run(),
    openTrash: () => this.openTrash(),
  };

  private async run(): Promise<void> {
    const plan = await this.asking.run<Plan>('agentbrief.maintenance.plan', { show: false });
    if (plan === undefined) {
      return;
    }
    if (plan.token === null || plan.question === null) {
      const nothing = vscode.l10n.t('There is nothing to clean up.');
      void vscode.window.showInformationMessage([nothing, ...plan.notRead].join(' '));
      return;
    }
    const keep = await this.unticked(plan);
    if (keep === undefined) {
      return;
    }
    // The question counts what is left.
    const left = keep.length === 0 ? plan : await this.asking.run<Plan>('agentbrief.maintenance.plan', { show: false, keep });
    if (left?.token === null || left?.question === null || left === undefined) {
      return;
    }
    const yes = vscode.l10n.t('Clean Up');
    const kept = keep.length === 0 ? '' : vscode.l10n.t('Kept, as you unticked it: {0}', keep.join(', '));
    if ((await vscode.window.showWarningMessage(left.question, { modal: true, detail: kept }, yes)) === yes) {
      const given = { token: left.token, keep, yes: left.asksFirst };
      const done = await this.asking.run<{ change: string | null; message: string }>('agentbrief.maintenance.apply', given);
      if (done !== undefined) {
        await this.changes.offerUndo(done);
      }
    }
  }

  /** What the user wants to keep of all that would go; undefined when the list was left. */
  private async unticked(plan: Plan): Promise<string[] | undefined> {
    const whole = new Map<string, Item & { name: string }>();
    for (const item of plan.stores.flatMap(each => each.items ?? [])) {
      const name = item.key ?? path.basename(item.path ?? '');
      const before = whole.get(name);
      whole.set(name, { ...item, name, bytes: item.bytes + (before?.bytes ?? 0), reason: before?.reason ?? item.reason });
    }
    const choices = [...whole.values()].map(item => ({
      label: item.name,
      description: [reasonOf(item.reason), sizeOf(item.bytes)].filter(part => part !== '').join(' · '),
      picked: true,
      name: item.name,
    }));
    const title = vscode.l10n.t('Untick what is to be kept. Nothing has been changed yet.');
    const picked = await vscode.window.showQuickPick(choices, { title, canPickMany: true, matchOnDescription: true, ignoreFocusOut: true });
    if (picked === undefined || picked.length === 0) {
      return undefined;
    }
    const going = new Set(picked.map(each => each.name));
    return [...whole.keys()].filter(name => !going.has(name));
  }

  private async openTrash(): Promise<void> {
    const reply = await this.asking.run<{ stores: Trash[] }>('agentbrief.trash.list', { show: false });
    if (reply === undefined) {
      return;
    }
    const choices = reply.stores.flatMap(store => [...store.cleanups.map(cleanupChoice), ...store.items.map(fileChoice)]);
    if (choices.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('The trash is empty.'));
      return;
    }
    const title = vscode.workspace.isTrusted ? vscode.l10n.t('Bring back what?') : vscode.l10n.t('In the trash');
    const picked = await vscode.window.showQuickPick(choices, { title, canPickMany: vscode.workspace.isTrusted, matchOnDescription: true, ignoreFocusOut: true });
    const ids = Array.isArray(picked) ? (picked as { id: string }[]).map(each => each.id) : [];
    if (ids.length > 0) {
      const back = await this.asking.run<{ message: string }>('agentbrief.trash.restore', { ids });
      if (back !== undefined) {
        void vscode.window.showInformationMessage(back.message);
      }
    }
  }
}

function cleanupChoice(cleanup: TrashedCleanup): vscode.QuickPickItem & { id: string } {
  return { label: cleanup.title, description: timeOf(cleanup.time), id: cleanup.id };
}

function fileChoice(file: TrashedFile): vscode.QuickPickItem & { id: string } {
  const parts = [timeOf(file.time), sizeOf(file.bytes)];
  return { label: path.basename(file.path ?? file.id), description: parts.filter(part => part !== '').join(' · '), id: file.id };
}

function timeOf(time: string | null): string {
  return time === null ? '' : new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

function sizeOf(bytes: number): string {
  if (bytes === 0) {
    return '';
  }
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Why a session goes, in words. */
function reasonOf(reason: string): string {
  switch (reason) {
    case 'prune-stale':
      return vscode.l10n.t('too old');
    case 'cap-overflow':
      return vscode.l10n.t('over the number of sessions');
    case 'evict-budget':
      return vscode.l10n.t('over the room on disk');
    case 'prune-missing':
      return vscode.l10n.t('its transcript is gone');
    case 'archive-expired':
      return vscode.l10n.t('an old archive');
    case 'store-too-large':
      return vscode.l10n.t('the list has grown too large');
    default:
      return reason;
  }
}
