// The sample workspace in the real VS Code, in a browser on this machine, to try things by hand:
//   node tests/e2e/run.mjs [FOLDER]     PORT (default 8080); ends with Ctrl+C
import path from 'node:path';
import { startCodeServer } from './harness/code-server.mjs';
import { remove, sample } from './harness/folders.mjs';

const folder = process.argv[2] ? path.resolve(process.argv[2]) : sample();
const vscode = await startCodeServer({ port: Number(process.env.PORT ?? 8080), trust: true });
console.log(`VS Code with ${folder}:\n  ${vscode.folderUrl(folder)}\nCtrl+C ends it.`);
const end = async () => {
  await vscode.stop();
  remove();
  process.exit(0);
};
process.on('SIGINT', end);
process.on('SIGTERM', end);
setInterval(() => {}, 1 << 30);
