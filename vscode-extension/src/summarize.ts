// Can the editor's own language model write a summary? Only where the user's settings name the provider `editor`, and VS Code
// asks for the user's consent itself.

import * as vscode from 'vscode';

export interface SummaryRequest {
  text: string;
  previousSummary: string | null;
  instructions: string;
  maxTokens: number;
  deadlineMs: number;
}

/** The summary; a null text = declined, the server asks its next provider. */
export async function summarize(request: SummaryRequest): Promise<{ text: string | null }> {
  const providers = vscode.workspace.getConfiguration('agentbrief').get<string[]>('compaction.providers', []);
  if (!vscode.workspace.isTrusted || !providers.includes('editor')) {
    return { text: null };
  }
  const cancel = new vscode.CancellationTokenSource();
  const deadline = setTimeout(() => {
    cancel.cancel();
  }, request.deadlineMs);
  try {
    const [model] = await vscode.lm.selectChatModels();
    if (model === undefined) {
      return { text: null };
    }
    const before = request.previousSummary === null ? [] : [vscode.LanguageModelChatMessage.User(request.previousSummary)];
    const messages = [
      vscode.LanguageModelChatMessage.User(request.instructions),
      ...before,
      vscode.LanguageModelChatMessage.User(request.text),
    ];
    const answer = await model.sendRequest(messages, {}, cancel.token);
    let text = '';
    for await (const part of answer.text) {
      text += part;
    }
    return { text: text.trim() === '' ? null : text };
  } catch {
    return { text: null };
  } finally {
    clearTimeout(deadline);
    cancel.dispose();
  }
}
