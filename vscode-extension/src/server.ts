// How is the server started, kept alive and asked?

import * as path from 'node:path';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  ErrorCodes,
  ExecuteCommandRequest,
  LanguageClientOptions,
  Middleware,
  ResponseError,
  RevealOutputChannelOn,
  ServerOptions,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import { SCHEME, toCode, toServer } from './addresses';
import { Client, DOCUMENTS, isSent } from './client';
import { CLIENT_ONLY } from './facts';
import { findPython, isPython, Python } from './interpreter';

/** `asleep`: nothing of ours was seen yet, so no server was started. */
export type ServerState = 'asleep' | 'starting' | 'running' | 'noPython' | 'stopped';

export interface Hooks {
  /** A server command that was run by a lens, an action or a link; undefined leaves it to the server. */
  command(name: string, given: unknown): Promise<unknown> | undefined;
  showPage(uri: vscode.Uri): Promise<boolean>;
}

/** The server ended before it answered: its state says so. */
const GONE: readonly number[] = [ErrorCodes.PendingResponseRejected, ErrorCodes.ConnectionInactive];
const STOPS = 3;
const WITHIN_MS = 5 * 60_000;

export class Server {
  private client: Client | undefined;
  private starting: Promise<void> | undefined;
  private current: ServerState = 'asleep';
  private stops: number[] = [];
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();
  private readonly told: [string, (params: unknown) => void][] = [];
  private readonly asked: [string, (params: unknown) => unknown][] = [];
  readonly onDidChangeState = this.stateChanged.event;
  /** What was looked at when no Python was found. */
  tried: readonly string[] = [];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly hooks: Hooks,
  ) {}

  get state(): ServerState {
    return this.current;
  }

  /** Hear a notification of every server that will be started. */
  onTold(method: string, heard: (params: never) => void): void {
    this.told.push([method, heard as (params: unknown) => void]);
  }

  /** Answer a request of every server that will be started. */
  onAsked(method: string, answer: (params: never) => unknown): void {
    this.asked.push([method, answer as (params: unknown) => unknown]);
  }

  /** Start the server unless it runs. Never throws: what went wrong is the state. */
  async start(): Promise<void> {
    this.starting ??= this.startNow().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Start it anew, with the interpreter that is chosen now. Calls while one is under way are one. */
  async restart(): Promise<void> {
    await this.starting;
    this.starting ??= this.stop()
      .then(() => this.startNow())
      .finally(() => {
        this.starting = undefined;
      });
    return this.starting;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch(() => undefined);
  }

  /** The server's answer; undefined when there is no server to ask. */
  async request<T>(method: string, params: object): Promise<T | undefined> {
    if (this.client?.state !== State.Running) {
      return undefined;
    }
    try {
      return await this.client.sendRequest<T>(method, params);
    } catch (error) {
      if (error instanceof ResponseError && GONE.includes(error.code)) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Run a command of the server.
   *
   * @throws ResponseError with one sentence for the user
   */
  async run<T>(command: string, given: object): Promise<T | undefined> {
    return this.request<T>(ExecuteCommandRequest.method, { command, arguments: [given] });
  }

  tell(method: string, params: object): void {
    if (this.client?.state === State.Running) {
      void this.client.sendNotification(method, params);
    }
  }

  /** The settings are others now: the server asks for them again. */
  settingsChanged(): void {
    this.tell('workspace/didChangeConfiguration', { settings: null });
  }

  private async startNow(): Promise<void> {
    if (this.client !== undefined) {
      return;
    }
    this.become('starting');
    const python = await findPython();
    if (!isPython(python)) {
      this.tried = python.tried;
      this.log.error(`No Python that will do; tried: ${python.tried.join(', ') || 'nothing, for none is on PATH'}`);
      this.become('noPython');
      return;
    }
    const client = new Client('agentbrief', 'Agent Brief', this.serverOptions(python), this.clientOptions());
    this.client = client;
    for (const [method, heard] of this.told) {
      client.onNotification(method, heard);
    }
    for (const [method, answer] of this.asked) {
      client.onRequest(method, answer);
    }
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) {
        this.become(newState === State.Running ? 'running' : newState === State.Starting ? 'starting' : 'stopped');
      }
    });
    try {
      await client.start();
    } catch (error) {
      this.log.error(`The server did not start: ${String(error)}`);
      if (this.client === client) {
        this.client = undefined;
        this.become('stopped');
      }
    }
  }

  private become(state: ServerState): void {
    if (this.current !== state) {
      this.current = state;
      this.stateChanged.fire(state);
    }
  }

  private serverOptions(python: Python): ServerOptions {
    const strategy = vscode.workspace.getConfiguration('agentbrief').get<string>('importStrategy');
    const compiled = path.join(this.context.globalStorageUri.fsPath, 'pycache');
    const program =
      strategy === 'fromEnvironment'
        ? ['-P', '-X', 'utf8', '-m', 'agentbrief_server', 'serve']
        : // -I: only what lies in the extension counts. pycache_prefix: its folder may be read-only.
          ['-I', '-X', 'utf8', '-X', `pycache_prefix=${compiled}`, this.context.asAbsolutePath('bundled/run_bundled.py')];
    const args = [...python.args, ...program];
    this.log.info(`Python ${python.version}, ${python.why}: ${[python.command, ...args].join(' ')}`);
    // Not in the workspace: nothing of it is to be run by mistake.
    return { command: python.command, args, transport: TransportKind.stdio, options: { cwd: this.context.extensionPath } };
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: [...DOCUMENTS],
      outputChannel: this.log,
      traceOutputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      uriConverters: { code2Protocol: toServer, protocol2Code: toCode },
      initializationOptions: () => ({
        ...this.forServer(vscode.workspace.getConfiguration('agentbrief')),
        trusted: vscode.workspace.isTrusted,
        client: {
          pictures: 'svg',
          documents: true,
          rows: true,
          status: true,
          summarize: true,
          scopes: true,
          storage: this.context.globalStorageUri.fsPath,
        },
      }),
      middleware: this.middleware(),
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.closed(),
      },
      initializationFailedHandler: error => {
        this.log.error(`The server did not initialize: ${String(error)}`);
        return false;
      },
    };
  }

  private middleware(): Middleware {
    return {
      didOpen: (document, next) => (isSent(document) ? next(document) : Promise.resolve()),
      didChange: (change, next) => (isSent(change.document) ? next(change) : Promise.resolve()),
      didClose: (document, next) => (isSent(document) ? next(document) : Promise.resolve()),
      executeCommand: (command, args, next): Promise<unknown> =>
        this.hooks.command(command, (args as unknown[])[0]) ?? Promise.resolve(next(command, args)),
      window: {
        showDocument: async (params, next) => {
          const uri = toCode(params.uri);
          if (uri.scheme === SCHEME) {
            return { success: await this.hooks.showPage(uri) };
          }
          const shown = await next(params, noCancel);
          return shown instanceof ResponseError ? { success: false } : shown;
        },
      },
      workspace: {
        configuration: async (params, token, next) => {
          const values: unknown = await next(params, token);
          return Array.isArray(values) ? values.map((value: unknown) => this.forServer(value)) : [];
        },
      },
    };
  }

  /** The settings as the server knows them: without those of the extension, and as talkative as the log. */
  private forServer(given: unknown): object {
    const settings = JSON.parse(JSON.stringify(given ?? {})) as Record<string, unknown>;
    for (const key of CLIENT_ONLY) {
      const [first = '', second] = key.split('.');
      const group = settings[first];
      if (second === undefined) {
        Reflect.deleteProperty(settings, first);
      } else if (typeof group === 'object' && group !== null) {
        Reflect.deleteProperty(group, second);
        if (Object.keys(group).length === 0) {
          Reflect.deleteProperty(settings, first);
        }
      }
    }
    if (this.log.logLevel !== vscode.LogLevel.Off && this.log.logLevel <= vscode.LogLevel.Debug) {
      settings.trace = { server: 'verbose' };
    }
    return settings;
  }

  /** The server is gone: start it again, unless that happened three times in five minutes. */
  private closed(): { action: CloseAction; handled: boolean } {
    const now = Date.now();
    this.stops = [...this.stops.filter(time => now - time < WITHIN_MS), now];
    this.log.warn(`The server stopped (${this.stops.length} times in the last minutes)`);
    if (this.stops.length < STOPS) {
      return { action: CloseAction.Restart, handled: true };
    }
    this.stops = [];
    this.client = undefined;
    this.become('stopped');
    void this.sayStopped();
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  private async sayStopped(): Promise<void> {
    const showLog = vscode.l10n.t('Show Log');
    const restart = vscode.l10n.t('Restart Server');
    const sentence = vscode.l10n.t('Agent Brief: the language server stopped three times. Your files are unchanged.');
    const choice = await vscode.window.showErrorMessage(sentence, showLog, restart);
    if (choice === showLog) {
      this.log.show();
    } else if (choice === restart) {
      await this.restart();
    }
  }
}

const noCancel = new vscode.CancellationTokenSource().token;
