// What do the commands of the palette do?

import * as vscode from 'vscode';
import { SCHEME, toCode } from './addresses';
import { Asking, fileOf, Given, startOf, uriOf } from './asking';
import { Changes } from './changes';
import { Cleanup } from './cleanup';
import { codeOf } from './cutBorder';
import { COMMANDS, RULES } from './facts';
import { chooseInterpreter } from './interpreterChoice';
import { Pages } from './pages';
import { activeFile, activeFolder } from './places';
import { AUTOMATIC, knownAgents, lead, leadingAgent, leadingTitle } from './profiles';
import { Server } from './server';
import { Sessions } from './sessions';
import { placeOf, Row, Rows } from './views';

const HIDDEN = ['hidden-text', 'direction-control', 'invisible-character', 'variation-selector-data'];

/** Commands of which the server itself shows the page or puts the cursor. */
const AS_THE_SERVER_DOES = ['showBudget', 'showChain', 'previewPrompt', 'showContext', 'goToCut', 'refresh', 'checkSessions', 'previewCleanup', 'undoChange', 'showStores', 'checkStores'];

type Handler = (given: Given) => Promise<unknown>;

interface Position {
  line: number;
  character: number;
}
interface Section {
  title: string;
  characters: number;
  share: number;
  range: { start: Position; end: Position };
}

/** What is to be done about a secret: offered by a code action only. */
const SHOW_ROTATION = 'agentbrief.secret.showRotation';

export class Commands {
  private readonly handlers: Record<string, Handler>;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly asking: Asking,
    private readonly pages: Pages,
    private readonly rows: { files: Rows; sessions: Rows; all: readonly Rows[] },
    private readonly log: vscode.LogOutputChannel,
  ) {
    const sessions = new Sessions(asking);
    const changes = new Changes(asking, pages, sessions);
    this.handlers = {
      showBudget: async given => this.asking.run(COMMANDS.showBudget, await startOf(given)),
      showChain: async given => this.asking.run(COMMANDS.showChain, await startOf(given)),
      previewPrompt: async given => this.asking.run(COMMANDS.previewPrompt, await startOf(given)),
      showContext: async () => this.asking.run(COMMANDS.showContext, await startOf(undefined)),
      compareAgents: given => this.compareAgents(given),
      explainRule: given => this.explainRule(given),
      goToCut: given => this.asking.run(COMMANDS.goToCut, fileOf(given)),
      showSections: given => this.showSections(given),
      compareCopies: given => this.compareCopies(given),
      showHidden: given => this.compare(COMMANDS.showHidden, given),
      selectProfile: () => this.selectProfile(),
      refresh: () => this.refresh(),
      copyReport: () => this.copyReport(),
      restartServer: () => this.server.restart(),
      showLog: () => this.showLog(),
      explainState: () => this.asking.explainState(),
      chooseInterpreter: () => chooseInterpreter(),
      howToInstall: () => Promise.resolve(vscode.env.openExternal(vscode.Uri.parse('https://www.python.org/downloads/'))),
      createFile: () => this.createFile(),
      showWalkthrough: () => this.showWalkthrough(),
      showActions: () => this.showActions(),
      open: given => this.open(given, vscode.ViewColumn.Active),
      openToSide: given => this.open(given, vscode.ViewColumn.Beside),
      copyPath: given => this.copyPath(given),
      ...sessions.handlers,
      ...changes.handlers,
      ...new Cleanup(asking, changes).handlers,
    };
  }

  register(): vscode.Disposable[] {
    return Object.entries(this.handlers).map(([name, handler]) =>
      vscode.commands.registerCommand(`agentbrief.ui.${name}`, async (given?: Given) => {
        await handler(given);
      }),
    );
  }

  /** A server command that came from a lens, a code action or a link, where VS Code has a better way to show it. */
  ofServer(command: string, given: unknown): Promise<unknown> | undefined {
    if (command === SHOW_ROTATION) {
      return this.copyRotation(given as Given);
    }
    const name = Object.entries(COMMANDS).find(([, server]) => server === command)?.[0];
    return name !== undefined && !AS_THE_SERVER_DOES.includes(name) ? this.handlers[name]?.(given as Given) : undefined;
  }

  private async compareAgents(given: Given): Promise<void> {
    const choices = knownAgents().map(each => ({ label: each.title, description: each.id, picked: true }));
    const title = vscode.l10n.t('Which agents?');
    const chosen = await vscode.window.showQuickPick(choices, { title, canPickMany: true });
    if (chosen !== undefined && chosen.length > 0) {
      const agents = chosen.map(each => each.description);
      await this.asking.run(COMMANDS.compareAgents, { ...(await startOf(given)), agents });
    }
  }

  private async explainRule(given: Given): Promise<void> {
    const code = given !== undefined && 'code' in given && typeof given.code === 'string' ? given.code : await chooseRule();
    if (code !== undefined) {
      await this.asking.run(COMMANDS.explainRule, { code });
    }
  }

  private async showSections(given: Given): Promise<void> {
    const uri = uriOf(given);
    const reply = await this.asking.run<{ sections: Section[] }>(COMMANDS.showSections, { uri, show: false });
    if (reply === undefined || uri === undefined) {
      return;
    }
    const choices = reply.sections.map(section => ({
      label: section.title === '' ? vscode.l10n.t('(before the first heading)') : section.title,
      description: vscode.l10n.t('{0} characters · {1}%', section.characters.toLocaleString(vscode.env.language), section.share),
      section,
    }));
    const chosen = await vscode.window.showQuickPick(choices, { title: vscode.l10n.t('Largest sections'), matchOnDescription: true });
    if (chosen !== undefined) {
      const { start } = chosen.section.range;
      const selection = new vscode.Range(start.line, start.character, start.line, start.character);
      await vscode.window.showTextDocument(toCode(uri), { selection });
    }
  }

  private async compareCopies(given: Given): Promise<void> {
    const row = given as Partial<Row> | undefined;
    if (row?.other === undefined || row.target === undefined) {
      await this.compare(COMMANDS.compareCopies, given);
      return;
    }
    // From where the view starts the file may be a copy, from its own folder none: the row knows.
    const [left, right] = [toCode(row.target.uri), toCode(row.other)];
    await this.pages.compare(left, right, vscode.l10n.t('{0} and {1}', row.label ?? '', vscode.workspace.asRelativePath(right)));
  }

  private async compare(command: string, given: Given): Promise<void> {
    const reply = await this.asking.run<{ left: string; right: string; title: string }>(command, { ...fileOf(given), show: false });
    if (reply !== undefined) {
      const left = toCode(reply.left);
      await this.pages.compare(left, toCode(reply.right), `${vscode.workspace.asRelativePath(left)}: ${reply.title}`);
    }
  }

  private async selectProfile(): Promise<void> {
    const folder = activeFolder()?.uri;
    const leader = leadingAgent(folder);
    const leading = leader.automatic ? AUTOMATIC : leader.id;
    const automatic = { id: AUTOMATIC, title: vscode.l10n.t('Automatic, by what lies in the folder') };
    const choices = [...knownAgents(), automatic].map(each => ({
      label: each.title,
      description: each.id === leading ? vscode.l10n.t('now') : '',
      id: each.id,
    }));
    const chosen = await vscode.window.showQuickPick(choices, { title: vscode.l10n.t('Whose rules shall lead?') });
    if (chosen !== undefined) {
      await lead(chosen.id, folder);
    }
  }

  private async refresh(): Promise<void> {
    await this.asking.run(COMMANDS.refresh, {});
    this.rows.all.forEach(each => {
      each.refresh();
    });
    this.pages.refresh();
  }

  private async copyReport(): Promise<void> {
    const reply = await this.asking.run<{ text: string }>(COMMANDS.copyReport, {});
    if (reply !== undefined) {
      const version = String((this.context.extension.packageJSON as { version: unknown }).version);
      const about = `VS Code ${vscode.version}, Agent Brief ${version}, ${vscode.env.language}, ${vscode.env.remoteName ?? 'local'}\n`;
      await vscode.env.clipboard.writeText(about + reply.text);
      void vscode.window.showInformationMessage(vscode.l10n.t('The report is in the clipboard. It holds no text of yours and no path.'));
    }
  }

  /** Put the checklist where it can be pasted, into an issue for instance; its page comes when it is asked for. */
  private async copyRotation(given: Given): Promise<void> {
    const about = fileOf(given);
    const reply = await this.asking.run<{ text: string }>(SHOW_ROTATION, { ...about, show: false });
    if (reply !== undefined) {
      await vscode.env.clipboard.writeText(reply.text);
      const show = vscode.l10n.t('Show');
      const sentence = vscode.l10n.t('The checklist for rotating this key is in the clipboard.');
      // The action is done; its progress does not wait for the answer.
      void vscode.window.showInformationMessage(sentence, show).then(async chosen => {
        if (chosen === show) {
          await this.asking.run(SHOW_ROTATION, about);
        }
      });
    }
  }

  private async createFile(): Promise<void> {
    const folder = activeFolder();
    if (folder !== undefined) {
      const uri = vscode.Uri.joinPath(folder.uri, 'CLAUDE.md').with({ scheme: 'untitled' });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    }
  }

  private async showLog(): Promise<void> {
    this.log.show();
    return Promise.resolve();
  }

  private async showWalkthrough(): Promise<void> {
    const walkthrough = `${this.context.extension.id}#agentbrief.start`;
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
  }

  private async showActions(): Promise<void> {
    const agent = leadingTitle(activeFolder()?.uri);
    const cut = this.rows.files.find('instruction-file.cut');
    const hidden = firstHidden();
    const choices: { label: string; run: () => Promise<unknown> }[] = [
      ...(hidden === undefined ? [] : [{ label: vscode.l10n.t('Show Hidden Text'), run: () => this.handle('showHidden', hidden) }]),
      { label: vscode.l10n.t('Show Budget'), run: () => this.asking.run(COMMANDS.showBudget, ofFolder()) },
      { label: vscode.l10n.t('Show Instruction Files in Effect'), run: () => this.asking.run(COMMANDS.showChain, ofFolder()) },
      ...(cut === undefined ? [] : [{ label: vscode.l10n.t('Go to Cut Point'), run: () => this.handle('goToCut', cut) }]),
      ...(this.rows.sessions.isEmpty ? [] : [{ label: vscode.l10n.t('Compact Session…'), run: () => this.handle('compactSession', undefined) }]),
      { label: vscode.l10n.t('Change Profile ({0})', agent), run: () => this.handle('selectProfile', undefined) },
      { label: vscode.l10n.t('Hide This Item'), run: hideItem },
    ];
    const chosen = await vscode.window.showQuickPick(choices, { title: 'Agent Brief' });
    await chosen?.run();
  }

  private async handle(name: string, given: Given): Promise<unknown> {
    return this.handlers[name]?.(given);
  }

  private async open(given: Given, column: vscode.ViewColumn): Promise<void> {
    const place = given !== undefined && 'target' in given ? placeOf(given as Row) : undefined;
    if (place?.uri.scheme === SCHEME) {
      await this.pages.show(place.uri, column);
    } else if (place !== undefined) {
      const selection = place.selection === undefined ? {} : { selection: place.selection };
      await vscode.commands.executeCommand('vscode.open', place.uri, { viewColumn: column, ...selection });
    }
  }

  private async copyPath(given: Given): Promise<void> {
    const uri = uriOf(given);
    if (uri !== undefined) {
      await vscode.env.clipboard.writeText(vscode.Uri.parse(uri).fsPath);
    }
  }
}

/** What the numbers of the status item are about: the workspace folder, whatever file the user is at. */
function ofFolder(): { folder?: string } {
  const folder = activeFolder()?.uri.toString();
  return folder === undefined ? {} : { folder };
}

/** The first file that was found to hold text that cannot be seen. */
function firstHidden(): vscode.Uri | undefined {
  const found = vscode.languages.getDiagnostics().find(([, each]) => each.some(one => one.source === 'agentbrief' && HIDDEN.includes(codeOf(one))));
  return found?.[0];
}

async function hideItem(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('agentbrief');
  await configuration.update('statusBar.visible', false, vscode.ConfigurationTarget.Global);
}

async function chooseRule(): Promise<string | undefined> {
  const uri = activeFile();
  const found = uri === undefined ? [] : vscode.languages.getDiagnostics(uri).filter(each => each.source === 'agentbrief');
  const here = new Set(found.map(codeOf));
  const ordered = [...RULES].sort((one, other) => Number(here.has(other.code)) - Number(here.has(one.code)));
  const choices = ordered.map(each => ({
    label: each.code,
    description: here.has(each.code) ? vscode.l10n.t('in this file') : '',
    detail: each.summary,
  }));
  const options = { title: vscode.l10n.t('Which rule?'), matchOnDetail: true };
  return (await vscode.window.showQuickPick(choices, options))?.label;
}
