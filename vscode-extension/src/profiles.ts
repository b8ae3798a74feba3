// Whose rules are shown?

import * as vscode from 'vscode';
import { PROFILES } from './facts';

export interface Agent {
  readonly id: string;
  readonly title: string;
}

let known: readonly Agent[] = PROFILES;

/** Take the agents that the server knows: profiles of the user's own are among them. */
export function knowAgents(agents: readonly Agent[]): void {
  known = agents;
}

/** The agents whose rules of instruction files are known. */
export function knownAgents(): readonly Agent[] {
  return known;
}

/** The agent that leads views and status in a folder. */
export function leadingAgent(scope: vscode.Uri | undefined): Agent {
  const [first] = vscode.workspace.getConfiguration('agentbrief', scope).get<string[]>('agents', []);
  return known.find(each => each.id === first) ?? PROFILES[0];
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
