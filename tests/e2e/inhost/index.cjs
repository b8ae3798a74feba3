// Runs INSIDE the extension host of the real VS Code: the `vscode` API is at hand. VS Code calls run(); a throw means exit code 1.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');

const LINE = '- keep it short and say what you did 规则 🍎\n';
let folder, file, extension;

async function until(what, found, ms = 30_000) {
  const limit = Date.now() + ms;
  for (;;) {
    const got = await found();
    if (got) {
      return got;
    }
    if (Date.now() > limit) {
      throw new Error(`not in time: ${what}`);
    }
    await new Promise(done => setTimeout(done, 25));
  }
}

const codes = uri => vscode.languages.getDiagnostics(uri).filter(each => each.source === 'agentbrief').map(each => each.code.value ?? each.code);
const hover = async (uri, line = 0) => {
  const found = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(line, 2));
  return found.flatMap(each => each.contents).map(each => each.value).join('\n');
};
const ours = text => /characters reach the agent/.test(text);
const settings = uri => vscode.workspace.getConfiguration('agentbrief', uri);

/** The language servers of this extension that run below this extension host. */
function servers(mark = 'bundled/run_bundled.py') {
  const listed = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' });
  return listed.split('\n').filter(line => line.includes(mark)).map(line => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === process.pid).map(([pid]) => pid);
}

const tests = {
  async 'a folder without instruction files starts no server'() {
    assert.equal(extension.isActive, false);
    assert.deepEqual(servers(), []);
  },
  async 'activation is quick, and starts no server either'() {
    const start = performance.now();
    await extension.activate();
    const took = performance.now() - start;
    console.log(`ok - activation took ${took.toFixed(0)} ms`);
    await vscode.workspace.openTextDocument({ language: 'markdown', content: '# A README\n' });
    assert.deepEqual(servers(), []);
  },
  async 'its commands are registered'() {
    const all = new Set(await vscode.commands.getCommands(true));
    const declared = extension.packageJSON.contributes.commands.map(each => each.command);
    assert.ok(declared.length > 10);
    assert.deepEqual(declared.filter(each => !all.has(each)), []);
  },
  async 'a file that comes to be wakes the server'() {
    fs.writeFileSync(file.fsPath, `# Rules\n\n## Build\n\n${LINE.repeat(150)}`);
    const start = performance.now();
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await until('finding', () => codes(file).includes('file-over-limit'), 60_000);
    console.log(`ok - first finding after ${(performance.now() - start).toFixed(0)} ms`);
    assert.equal(servers().length, 1);
  },
  async 'findings, once each'() {
    const found = vscode.languages.getDiagnostics(file);
    assert.deepEqual(codes(file).sort(), ['file-over-limit', 'text-past-limit']);
    const past = found.find(each => (each.code.value ?? each.code) === 'text-past-limit');
    assert.deepEqual(past.tags, [vscode.DiagnosticTag.Unnecessary]);
    assert.equal(past.severity, vscode.DiagnosticSeverity.Hint);
  },
  async 'hover with the numbers and the picture'() {
    const text = await hover(file);
    assert.match(text, /\*\*4,000 of [\d,]+ characters reach the agent\*\* \(Claw: 4,000 a file\)/);
    assert.match(text, /!\[[^\]]+\]\(data:image\/svg\+xml;base64,/);
  },
  async 'a profile of the user\'s own makes another file an instruction file'() {
    const own = vscode.Uri.joinPath(file, '..', 'RULES.md');
    const profile = path.join(os.tmpdir(), `agentbrief-profile-${process.pid}.json`);
    fs.writeFileSync(own.fsPath, LINE.repeat(20));
    fs.writeFileSync(profile, process.env.TEST_PROFILE);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(own));
    assert.deepEqual(codes(own), []);
    const [global, before] = [vscode.ConfigurationTarget.Global, settings().inspect('agents')?.globalValue];
    try {
      await settings().update('customProfiles', [profile], global);
      await settings().update('agents', ['mine'], global);
      await until('its finding', () => codes(own).includes('file-over-limit'));
      await until('its hover', async () => /My Agent: 100 a file/.test(await hover(own)));
      fs.writeFileSync(profile, '{ "id": "mine" }');
      await until('its fault', () => vscode.languages.getDiagnostics(vscode.Uri.file(profile)).some(each => /mine: missing key 'walk'/.test(each.message)));
      await until('no finding', () => codes(own).length === 0);
    } finally {
      await settings().update('agents', before, global);
      await settings().update('customProfiles', undefined, global);
      fs.rmSync(profile);
      fs.rmSync(own.fsPath);
    }
    await until('the others again', async () => /Claw: 4,000 a file/.test(await hover(file)));
  },
  async 'a file that is not UTF-8 is offered to be opened otherwise'() {
    const latin = vscode.Uri.joinPath(file, '..', 'CLAUDE.local.md');
    fs.writeFileSync(latin.fsPath, Buffer.from('# Règles\n', 'latin1'));
    try {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(latin));
      await until('its finding', () => codes(latin).includes('not-loaded'));
      const top = new vscode.Range(0, 0, 0, 0);
      const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', latin, top, vscode.CodeActionKind.QuickFix.value);
      const [reopen] = actions.filter(each => each.command?.command === 'workbench.action.editor.changeEncoding');
      assert.equal(reopen?.title, 'Reopen with Encoding…');
      const others = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', file, top, vscode.CodeActionKind.QuickFix.value);
      assert.deepEqual(others.filter(each => each.title === reopen.title), []);
    } finally {
      fs.rmSync(latin.fsPath);
    }
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
  },
  async 'one lens line, at most three entries'() {
    const lenses = await until('lenses', async () => {
      const found = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', file, 10);
      return found.length > 0 && found;
    });
    assert.ok(lenses.length <= 3);
    assert.ok(lenses.every(each => each.range.start.line === 0));
    assert.match(lenses[0].command.title, /^Claw reads 4,000 of/);
  },
  async 'inlay hints are off until they are asked for'() {
    const hints = () => vscode.commands.executeCommand('vscode.executeInlayHintProvider', file, new vscode.Range(0, 0, 9, 0));
    assert.deepEqual(await hints(), []);
    await settings(file).update('inlayHints.headings', true, vscode.ConfigurationTarget.Workspace);
    const [first] = await until('hints', async () => (await hints()).length > 0 && (await hints()));
    assert.match(typeof first.label === 'string' ? first.label : first.label[0].value, /chars · ~\d+ tokens/);
    await settings(file).update('inlayHints.headings', undefined, vscode.ConfigurationTarget.Workspace);
  },
  async 'a changed setting reaches the server'() {
    await settings(file).update('limits.perFile', 1000, vscode.ConfigurationTarget.Workspace);
    await until('new limit', () => vscode.languages.getDiagnostics(file).some(each => each.message.includes('first 1,000 characters')));
    await settings(file).update('limits.perFile', undefined, vscode.ConfigurationTarget.Workspace);
    await until('old limit', () => vscode.languages.getDiagnostics(file).some(each => each.message.includes('first 4,000 characters')));
  },
  async 'other Markdown files have nothing of ours'() {
    const readme = vscode.Uri.joinPath(folder, 'README.md');
    fs.writeFileSync(readme.fsPath, `# Read me\n\n${LINE.repeat(300)}`);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(readme));
    assert.equal(ours(await hover(readme)), false);
    assert.deepEqual(await vscode.commands.executeCommand('vscode.executeCodeLensProvider', readme, 10), []);
    assert.deepEqual(codes(readme), []);
  },
  async 'pages of a folder with a sign in its name are read'() {
    const reply = await vscode.commands.executeCommand('agentbrief.budget.show', { uri: file.toString(), show: false });
    assert.match(reply.text, /^# Context budget: a & b/);
    await vscode.commands.executeCommand('agentbrief.ui.showBudget');
    const page = await until('page', () => vscode.workspace.textDocuments.find(each => each.uri.scheme === 'agentbrief'));
    assert.match(page.getText(), /^# Context budget: a & b/);
    assert.match(page.getText(), /data:image\/svg\+xml;base64,/);
    assert.equal(page.languageId, 'markdown');
  },
  async 'an edit that moves text is undone by Undo'() {
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document);
    const before = document.getText();
    await editor.edit(change => change.insert(new vscode.Position(2, 0), LINE));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), before);
    await until('finding', () => codes(file).includes('file-over-limit'));
  },
  async 'a crash of the server is survived'() {
    const [pid] = servers();
    process.kill(pid, 'SIGKILL');
    await until('another server', () => servers().some(each => each !== pid));
    // The findings stay through a restart (the client keeps them): ask for a hover.
    await until('hover again', async () => ours(await hover(file)));
  },
  async 'after three stops in five minutes it stays down until it is started by hand'() {
    for (let i = 0; i < 2; i++) {
      const [pid] = await until('a server', () => servers().length === 1 && servers());
      await until('hover', async () => ours(await hover(file)));
      process.kill(pid, 'SIGKILL');
      await until('it is gone', () => !servers().includes(pid));
    }
    await new Promise(done => setTimeout(done, 1500));
    assert.deepEqual(servers(), []);
    await vscode.commands.executeCommand('agentbrief.ui.restartServer');
    await until('hover again', async () => ours(await hover(file)));
  },
  async 'restarts at the same time are one'() {
    const before = servers();
    await Promise.all([1, 2, 3].map(() => vscode.commands.executeCommand('agentbrief.ui.restartServer')));
    await until('hover again', async () => ours(await hover(file)));
    assert.equal(servers().length, 1);
    assert.notDeepEqual(servers(), before);
  },
  async 'the server of the environment takes the place of the bundled one'() {
    const global = vscode.ConfigurationTarget.Global;
    await settings().update('interpreter', process.env.TEST_PYTHON, global);
    await settings().update('importStrategy', 'fromEnvironment', global);
    await until('another server', async () => servers('-m agentbrief_server serve').length === 1 && ours(await hover(file)));
    assert.deepEqual(servers(), []);
    await settings().update('importStrategy', undefined, global);
    await settings().update('interpreter', undefined, global);
    await until('the bundled server', async () => servers().length === 1 && ours(await hover(file)));
  },
  async 'an interpreter that is none is refused, and the next one is taken'() {
    const global = vscode.ConfigurationTarget.Global;
    await settings().update('interpreter', '/bin/false', global);
    await until('no server', () => servers().length === 0);
    await settings().update('interpreter', undefined, global);
    await until('a server', async () => servers().length === 1 && ours(await hover(file)));
  },
};

exports.run = async () => {
  extension = vscode.extensions.getExtension('agentbrief.agentbrief');
  assert.ok(extension, 'the extension is not installed');
  folder = vscode.workspace.workspaceFolders[0].uri;
  file = vscode.Uri.joinPath(folder, 'CLAUDE.md');
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    const start = Date.now();
    try {
      await test();
      console.log(`ok - ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`not ok - ${name}\n${error.stack}`);
    }
  }
  console.log(`INHOST ${Object.keys(tests).length - failed} passed, ${failed} failed`);
  if (failed) {
    throw new Error(`${failed} failed`);
  }
};
