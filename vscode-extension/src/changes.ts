// How is a session changed? Always: the server plans, the user sees and agrees, the server carries out exactly that plan, and the
// way back is offered.

import * as vscode from 'vscode';
import { toCode } from './addresses';
import { Asking, Given } from './asking';
import { Pages } from './pages';
import { Chosen, Sessions, Which } from './sessions';

interface Planned {
  token: string | null;
  message: string;
  question: string | null;
  left: string;
  right: string;
  isCopy: boolean;
}

interface Done {
  change: string | null;
  message: string;
  checkpoint?: string | null;
}

interface Checkpoint {
  id: string;
  created: string;
  reason: string;
  messages: number | null;
  tokens: number | null;
  bytes: number | null;
  state: string;
}

interface Notes {
  token?: string;
  message: string;
  text: string;
}

type Command = 'session.compact' | 'session.compactCopy' | 'checkpoint.restore';

export class Changes {
  constructor(
    private readonly asking: Asking,
    private readonly pages: Pages,
    private readonly sessions: Sessions,
  ) {}

  readonly handlers: Record<string, (given: Given) => Promise<unknown>> = {
    previewCompaction: given => this.preview(given),
    compactSession: given => this.compact(given, 'own', 'session.compact', vscode.l10n.t('Compact which session?')),
    compactCopy: given => this.compact(given, 'foreign', 'session.compactCopy', vscode.l10n.t('Compact a copy of which session?')),
    showCheckpoints: given => this.showCheckpoints(given),
    restoreCheckpoint: given => this.restore(given),
    undoChange: () => this.asking.run('agentbrief.change.undo', {}),
    steerSession: given => this.steer(given),
    flushMemory: given => this.flushMemory(given),
  };

  private async preview(given: Given): Promise<void> {
    const session = await this.sessions.chosen(given, 'any', vscode.l10n.t('Preview the compaction of which session?'));
    const planned = session === undefined ? undefined : await this.plan(session);
    if (session !== undefined && planned !== undefined) {
      await this.show(session, planned);
    }
  }

  private async compact(given: Given, which: Which, command: Command, title: string): Promise<void> {
    const session = await this.sessions.chosen(given, which, title);
    const planned = session === undefined ? undefined : await this.plan(session);
    if (session !== undefined && planned !== undefined) {
      await this.carryOut(session, planned, command, vscode.l10n.t('Compact'));
    }
  }

  /** What a compaction would do; undefined where nothing would change, which was then said. */
  private async plan(session: Chosen): Promise<Planned | undefined> {
    const planned = await this.asking.run<Planned>('agentbrief.compaction.plan', { ...about(session), show: false });
    if (planned?.token === null) {
      void vscode.window.showInformationMessage(planned.message);
      return undefined;
    }
    return planned;
  }

  /** Now and afterwards, side by side. */
  private async show(session: Chosen, planned: Planned): Promise<void> {
    const title = vscode.l10n.t('{0}: now and after', session.title);
    await this.pages.compare(toCode(planned.left), toCode(planned.right), title);
  }

  /** Ask, carry out what was planned, and offer the way back. */
  private async carryOut(session: Chosen, planned: Planned, command: Command, yes: string): Promise<void> {
    const show = vscode.l10n.t('Preview');
    const [head = '', ...facts] = (planned.question ?? planned.message).split('\n');
    let chosen = await vscode.window.showInformationMessage(head, { modal: true, detail: facts.join('\n') }, yes, show);
    if (chosen === show) {
      await this.show(session, planned);
      // Not modal: the preview is to be read before the answer.
      chosen = await vscode.window.showInformationMessage([head, ...facts].join(' · '), yes, vscode.l10n.t('Cancel'));
    }
    if (chosen !== yes) {
      return;
    }
    const done = await this.asking.run<Done>(`agentbrief.${command}`, { token: planned.token, folder: session.folder });
    if (done !== undefined) {
      await this.sayDone(session, done);
    }
  }

  /** Say what was done, with the way back beside it. */
  private async sayDone(session: Chosen, done: Done): Promise<void> {
    const checkpoint = vscode.l10n.t('Show Checkpoint');
    const hasCheckpoint = done.checkpoint !== undefined && done.checkpoint !== null;
    const others = hasCheckpoint ? [checkpoint] : [];
    if ((await this.offerUndo(done, ...others)) === checkpoint) {
      await this.asking.run('agentbrief.checkpoint.list', about(session));
    }
  }

  /** Say a result with Undo beside it; what else was chosen. */
  async offerUndo(done: Done, ...others: string[]): Promise<string | undefined> {
    const undo = vscode.l10n.t('Undo');
    const choices = done.change === null ? [] : [undo, ...others];
    const chosen = await vscode.window.showInformationMessage(done.message, ...choices);
    if (chosen === undo) {
      const undone = await this.asking.run<{ message: string }>('agentbrief.change.undo', { change: done.change });
      if (undone !== undefined) {
        void vscode.window.showInformationMessage(undone.message);
      }
    }
    return chosen;
  }

  private async showCheckpoints(given: Given): Promise<void> {
    const session = await this.sessions.chosen(given, 'any', vscode.l10n.t('Show the checkpoints of which session?'));
    const planned = session === undefined ? undefined : await this.chosenCheckpoint(session, vscode.l10n.t('Compare with which checkpoint?'));
    if (session !== undefined && planned !== undefined) {
      await this.show(session, planned);
    }
  }

  private async restore(given: Given): Promise<void> {
    const session = await this.sessions.chosen(given, 'own', vscode.l10n.t('Restore a checkpoint of which session?'));
    const planned = session === undefined ? undefined : await this.chosenCheckpoint(session, vscode.l10n.t('Restore which checkpoint?'));
    if (session !== undefined && planned !== undefined) {
      await this.carryOut(session, planned, 'checkpoint.restore', vscode.l10n.t('Restore'));
    }
  }

  /** The plan of bringing back the checkpoint that the user chooses. Now comes first: to choose it changes nothing. */
  private async chosenCheckpoint(session: Chosen, title: string): Promise<Planned | undefined> {
    const reply = await this.asking.run<{ checkpoints: Checkpoint[] }>('agentbrief.checkpoint.list', { ...about(session), show: false });
    if (reply === undefined) {
      return undefined;
    }
    if (reply.checkpoints.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” has no checkpoint yet. One is made before each compaction.', session.title));
      return undefined;
    }
    const now = { label: vscode.l10n.t('(now)'), id: undefined };
    const times = timesOf(reply.checkpoints);
    const choices = [now, ...reply.checkpoints.map((each, i) => ({ label: times[i] ?? each.created, description: factsOf(each), id: each.id }))];
    const id = (await vscode.window.showQuickPick(choices, { title, matchOnDescription: true }))?.id;
    return id === undefined
      ? undefined
      : this.asking.run<Planned>('agentbrief.checkpoint.plan', { ...about(session), checkpoint: id, show: false });
  }

  private async steer(given: Given): Promise<void> {
    const session = await this.sessions.chosen(given, 'own', vscode.l10n.t('Steer which session?'));
    if (session === undefined) {
      return;
    }
    const prompt = vscode.l10n.t('It reaches a compaction that runs now, else it waits in the session as a message of yours.');
    const text = await vscode.window.showInputBox({ title: session.title, prompt });
    if (text !== undefined && text.trim() !== '') {
      const reply = await this.asking.run<{ message: string; text: string | null }>('agentbrief.session.steer', { ...about(session), text });
      if (reply !== undefined) {
        void vscode.window.showInformationMessage(reply.text === null ? reply.message : `${reply.message} ${reply.text}`);
      }
    }
  }

  private async flushMemory(given: Given): Promise<void> {
    const session = await this.sessions.chosen(given, 'own', vscode.l10n.t('Write memory notes of which session?'));
    const notes = session === undefined ? undefined : await this.asking.run<Notes>('agentbrief.memory.flush', { ...about(session), dryRun: true });
    if (notes === undefined) {
      return;
    }
    if (notes.token === undefined) {
      void vscode.window.showInformationMessage(notes.message);
      return;
    }
    const write = vscode.l10n.t('Write');
    const detail = notes.text;
    if ((await vscode.window.showInformationMessage(notes.message, { modal: true, detail }, write)) === write) {
      const done = await this.asking.run<Done>('agentbrief.memory.flush', { token: notes.token });
      if (done !== undefined) {
        await this.offerUndo(done);
      }
    }
  }
}

function about(session: Chosen): { uri: string; folder: string | undefined } {
  return { uri: session.uri, folder: session.folder };
}

/** When they were made: to the minute; to the second or the millisecond where two would look the same. */
function timesOf(checkpoints: readonly Checkpoint[]): string[] {
  const moments = checkpoints.map(each => new Date(each.created));
  const different = new Set(checkpoints.map(each => each.created)).size;
  const second: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };
  for (const exact of [{ ...second, timeStyle: 'short' } as const, second]) {
    const times = moments.map(each => each.toLocaleString(vscode.env.language, exact));
    if (new Set(times).size === different) {
      return times;
    }
  }
  return moments.map(each => `${each.toLocaleString(vscode.env.language, second)} (${each.getMilliseconds()} ms)`);
}

function factsOf(checkpoint: Checkpoint): string {
  const parts = [
    causeOf(checkpoint.reason),
    checkpoint.messages === null ? '' : vscode.l10n.t('{0} messages', checkpoint.messages),
    checkpoint.tokens === null ? '' : `~${Math.round(checkpoint.tokens / 1000)}k`,
    checkpoint.bytes === null ? '' : `${(checkpoint.bytes / 1024).toFixed(0)} KB`,
  ];
  return parts.filter(part => part !== '').join(' · ');
}

/** Why a checkpoint was made, in words. */
function causeOf(reason: string): string {
  switch (reason) {
    case 'compaction':
      return vscode.l10n.t('before compaction');
    case 'restore':
      return vscode.l10n.t('before restore');
    case 'cleanup':
      return vscode.l10n.t('before cleanup');
    default:
      return '';
  }
}
