// How do the server's addresses become VS Code's, and back?
//
// The query of an `agentbrief:` address is kept as it was written: VS Code would decode it, and could then not tell a part of a
// name from a sign between two names.

import * as vscode from 'vscode';

export const SCHEME = 'agentbrief';

export function toCode(value: string): vscode.Uri {
  const address = /^agentbrief:([^?]*)(?:\?(.*))?$/s.exec(value);
  return address === null
    ? vscode.Uri.parse(value)
    : vscode.Uri.from({ scheme: SCHEME, path: decodeURIComponent(address[1] ?? ''), query: address[2] ?? '' });
}

export function toServer(uri: vscode.Uri): string {
  if (uri.scheme !== SCHEME) {
    return uri.toString();
  }
  const path = uri.path.split('/').map(encodeURIComponent).join('/');
  return `${SCHEME}:${path}${uri.query === '' ? '' : `?${uri.query}`}`;
}
