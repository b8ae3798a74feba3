// Whose rules are shown?

import * as vscode from 'vscode';
import { PROFILES } from './facts';

export interface Agent {
  readonly id: string;
  readonly title: string;
}

/** In place of a profile: the agent that a folder is made for. */
export const AUTOMATIC = 'auto';

let known: readonly Agent[] = PROFILES;

/** Take the agents that the server knows: profiles of the user's own are among them. */
export function knowAgents(agents: readonly Agent[]): void {
  known = agents;
}

/** The agents whose rules of instruction files are known. */
export function knownAgents(): readonly Agent[] {
  return known;
}

/** The agent that leads in a folder, as the server says. `automatic`: the folder's files decided it. */
export interface Leader extends Agent {
  readonly automatic: boolean;
}

const leaders = new Map<string, Leader>();

/** Take the server's word for a folder; whether it is another one than before. */
export function knowLeader(folder: string, leader: Leader): boolean {
  const key = vscode.Uri.file(folder).toString();
  const before = leaders.get(key);
  leaders.set(key, leader);
  return before?.title !== leader.title || before.automatic !== leader.automatic;
}

/** The agent that leads views and status in a folder: what the settings say, until the server has said it. */
export function leadingAgent(scope: vscode.Uri | undefined): Leader {
  const folder = scope === undefined ? undefined : vscode.workspace.getWorkspaceFolder(scope);
  const told = folder === undefined ? undefined : leaders.get(folder.uri.toString());
  if (told !== undefined) {
    return told;
  }
  const [first] = vscode.workspace.getConfiguration('agentbrief', scope).get<string[]>('agents', []);
  return { ...(known.find(each => each.id === first) ?? PROFILES[0]), automatic: first === AUTOMATIC };
}

/** The name of the agent that leads, and that its folder decided it. */
export function leadingTitle(scope: vscode.Uri | undefined): string {
  const { title, automatic } = leadingAgent(scope);
  return automatic ? vscode.l10n.t('{0} (auto)', title) : title;
}

/** Let an agent lead: where the setting was made before, else in the user's own settings. */
export async function lead(id: string, scope: vscode.Uri | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('agentbrief', scope);
  const made = configuration.inspect<string[]>('agents');
  const target =
    made?.workspaceFolderValue !== undefined
      ? vscode.ConfigurationTarget.WorkspaceFolder
      : made?.workspaceValue !== undefined
        ? vscode.ConfigurationTarget.Workspace
        : vscode.ConfigurationTarget.Global;
  const others = configuration.get<string[]>('agents', []).filter(each => each !== id);
  await configuration.update('agents', [id, ...others.slice(1)], target);
}
