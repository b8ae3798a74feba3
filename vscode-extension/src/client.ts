// What does our language client do otherwise than vscode-languageclient by itself?

import * as vscode from 'vscode';
import { LanguageClient, StaticFeature } from 'vscode-languageclient/node';
import { SCHEME } from './addresses';
import { PATTERNS, SESSION_PATTERNS, STORE_PATTERNS } from './facts';

function files(patterns: readonly string[]): { scheme: string; pattern: string }[] {
  return patterns.map(pattern => ({ scheme: 'file', pattern }));
}

/** Sessions and pages about them: the server is asked what can be done with them; their texts it reads, or wrote, itself. */
const UNSENT = [...files(SESSION_PATTERNS), { scheme: SCHEME, pattern: '**/session{,-check}/*' }];

/** The documents that the server is asked about. */
export const DOCUMENTS = [...files(PATTERNS), ...files(STORE_PATTERNS), ...UNSENT] as const;

/** Whether the server is told the text of a document: of all that it asked for, but of those that it reads itself. */
export function isSent(document: vscode.TextDocument): boolean {
  return vscode.languages.match(UNSENT, document) === 0;
}

/** Findings are sent to us. To pull them, vscode-languageclient would ask for the whole workspace every two seconds. */
class NoPull implements StaticFeature {
  fillClientCapabilities(capabilities: { textDocument?: { diagnostic?: unknown }; workspace?: { diagnostics?: unknown } }): void {
    delete capabilities.textDocument?.diagnostic;
    delete capabilities.workspace?.diagnostics;
  }
  initialize(): void {
    /* nothing to register */
  }
  getState(): { kind: 'static' } {
    return { kind: 'static' };
  }
  clear(): void {
    /* nothing is held */
  }
}

export class Client extends LanguageClient {
  protected override registerBuiltinFeatures(): void {
    super.registerBuiltinFeatures();
    this.registerFeature(new NoPull());
  }
}
