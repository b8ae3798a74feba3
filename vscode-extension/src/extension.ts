// What happens when VS Code starts the extension, and when it ends?

import * as vscode from 'vscode';
import { SCHEME } from './addresses';
import { Asking } from './asking';
import { Commands } from './commands';
import { CutBorder } from './cutBorder';
import { ReopenWithEncoding } from './encoding';
import { ANY_FILE, PLAIN_NAMES } from './facts';
import { Pages } from './pages';
import { isInstructionFile, knowFurther, somethingInSight } from './places';
import { Agent, knowAgents } from './profiles';
import { Hooks, Server } from './server';
import { StatusItems } from './status';
import { summarize, SummaryRequest } from './summarize';
import { Rows, View } from './views';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Agent Brief', { log: true });
  const hooks: Hooks = {
    command: (name, given): Promise<unknown> | undefined => commands.ofServer(name, given),
    showPage: (uri): Promise<boolean> => pages.show(uri),
  };
  const started = new Server(context, log, hooks);
  server = started;
  const pages = new Pages(started);
  const [files, budget, sessions] = [new Rows('files', started), new Rows('budget', started), new Rows('sessions', started)];
  const views = [files, budget, sessions];
  const status = new StatusItems(started);
  const commands = new Commands(context, started, new Asking(started, log), pages, { files, sessions, all: views }, log);
  started.onTold('agentbrief/didChangeRows', ({ view }: { view: View }) => {
    views.find(each => each.view === view)?.refresh();
    pages.refresh();
  });
  started.onTold('agentbrief/didChangeProfiles', (told: { profiles: Agent[]; patterns: string[]; names: string[] }) => {
    knowAgents(told.profiles);
    knowFurther(told.patterns);
    setContext('fileNames', [...PLAIN_NAMES, ...told.names]);
    tellActiveFile();
    status.filesChanged();
    views.forEach(each => {
      each.refresh();
    });
  });
  started.onAsked('agentbrief/summarize', (request: SummaryRequest) => summarize(request));
  const begin = (): void => void started.start();
  context.subscriptions.push(
    log,
    pages,
    status,
    ...views,
    status.onDidChangeLeader(() => {
      files.describe();
    }),
    new CutBorder(),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, pages),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new ReopenWithEncoding(), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    ...commands.register(),
    started.onDidChangeState(state => {
      setContext('state', state);
      views.forEach(each => {
        each.refresh();
      });
      if (state === 'running') {
        pages.refresh();
      }
    }),
    log.onDidChangeLogLevel(() => {
      started.settingsChanged();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      started.tell('agentbrief/didChangeTrust', { trusted: true });
    }),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('agentbrief.interpreter') || change.affectsConfiguration('agentbrief.importStrategy')) {
        void started.restart();
      } else if (change.affectsConfiguration('agentbrief')) {
        started.settingsChanged();
      }
      if (change.affectsConfiguration('agentbrief')) {
        status.show();
      }
    }),
    vscode.window.onDidChangeActiveTextEditor(() => {
      tellActiveFile();
      status.show();
    }),
    vscode.window.tabGroups.onDidChangeTabs(() => {
      status.show();
    }),
    ...beginLater(views, begin),
  );
  setContext('state', started.state);
  setContext('fileNames', PLAIN_NAMES);
  tellActiveFile();
  void somethingInSight().then(seen => {
    setContext('hasFiles', seen);
    setContext('noFiles', !seen);
    if (seen || views.some(each => each.visible)) {
      begin();
    }
  });
}

/** Starts the server as soon as something of ours comes into sight. */
function beginLater(views: readonly Rows[], begin: () => void): vscode.Disposable[] {
  const watcher = vscode.workspace.createFileSystemWatcher(ANY_FILE, false, true, true);
  return [
    watcher,
    watcher.onDidCreate(begin),
    vscode.workspace.onDidOpenTextDocument(document => {
      if (isInstructionFile(document)) {
        begin();
      }
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(async () => {
      if (await somethingInSight()) {
        begin();
      }
    }),
    ...views.map(each =>
      each.onDidChangeVisibility(({ visible }) => {
        if (visible) {
          begin();
        }
      }),
    ),
  ];
}

function tellActiveFile(): void {
  const editor = vscode.window.activeTextEditor;
  setContext('isInstructionFile', editor !== undefined && isInstructionFile(editor.document));
}

function setContext(name: string, value: unknown): void {
  void vscode.commands.executeCommand('setContext', `agentbrief.${name}`, value);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
