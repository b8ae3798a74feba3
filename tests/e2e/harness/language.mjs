// What does a reader of another language see where a reader of English sees this sentence?
//   LOCALE: the language of the run: en (default), zh-cn, zh-tw. The catalogues themselves are asked, so that no test holds a
//   translation, and none passes by looking for a sentence that nothing says any more.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './code-server.mjs';

export const LOCALE = process.env.LOCALE ?? 'en';
const MESSAGES = path.join(ROOT, 'features', 'agentbrief', 'messages', 'data');
const EXTENSION = path.join(ROOT, 'vscode-extension');
const read = file => JSON.parse(fs.readFileSync(file, 'utf8'));

/** A sentence in pieces: its own text at the even places, the names of its placeholders between. */
function pieces(sentence) {
  const found = [''];
  for (const [, brace, name, text] of sentence.matchAll(/(\{\{|\}\})|\{(\w+)\}|([^{}]+)/g)) {
    if (name === undefined) {
      found[found.length - 1] += text ?? brace[0];
    } else {
      found.push(name, '');
    }
  }
  return found;
}

/** The forms of a catalogue's sentence: one for the number 1 of the argument `by`, and one for all else. */
function forms(sentence) {
  return typeof sentence === 'string'
    ? { other: pieces(sentence) }
    : { by: sentence.by, one: pieces(sentence.one), other: pieces(sentence.other) };
}

/** Every sentence of the server and the extension: its key (none in the manifest), in English, and in the language of the run. */
function catalogues() {
  const found = [];
  for (const name of fs.readdirSync(path.join(MESSAGES, 'en'))) {
    const there = read(path.join(MESSAGES, LOCALE, name));
    for (const [key, english] of Object.entries(read(path.join(MESSAGES, 'en', name)))) {
      found.push({ key, english: forms(english), local: forms(there[key]) });
    }
  }
  // What stands in the manifest has no placeholders, and braces of its own.
  const manifest = locale => read(path.join(EXTENSION, locale === 'en' ? 'package.nls.json' : `package.nls.${locale}.json`));
  const there = manifest(LOCALE);
  for (const [key, english] of Object.entries(manifest('en'))) {
    found.push({ english: { other: [english] }, local: { other: [there[key]] } });
  }
  // The extension's own sentences are their own keys; zh-cn has all of them.
  for (const [key, translated] of Object.entries(read(path.join(EXTENSION, 'l10n', `bundle.l10n.${LOCALE === 'en' ? 'zh-cn' : LOCALE}.json`)))) {
    found.push({ key, english: forms(key), local: forms(LOCALE === 'en' ? key : translated) });
  }
  return found;
}

const SENTENCES = catalogues();
const letters = text => text.match(/[a-z]/gi)?.length ?? 0;
/** The letters of what placeholders hold that is more than a name: where they are most of a sentence, it would be any sentence at all. */
const spoken = values => letters(Object.values(values).filter(value => /\s/.test(value)).join(''));
const literally = text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** What the placeholders of these pieces hold in a text: undefined where it is not this sentence. */
function valuesIn(text, found) {
  const names = [...new Set(found.filter((_, i) => i % 2 === 1))];
  const seen = new Set();
  const source = found.map((piece, i) => {
    if (i % 2 === 0) {
      return literally(piece);
    }
    return seen.has(piece) ? `\\${names.indexOf(piece) + 1}` : (seen.add(piece), '(.+?)');
  });
  const match = new RegExp(`^${source.join('')}$`, 's').exec(text);
  return match && Object.fromEntries(names.map((name, i) => [name, match[i + 1]]));
}

function filled({ by, one, other }, values) {
  return (by !== undefined && values[by] === '1' ? one : other).map((piece, i) => (i % 2 === 0 ? piece : values[piece])).join('');
}

/** The sentence with the most words of its own that this English text is, as the language of the run has it. */
function translated(english) {
  let best = { own: 0, says: new Map() };
  for (const { key, english: { by, ...each }, local } of SENTENCES) {
    for (const [form, found] of Object.entries(each)) {
      const values = valuesIn(english, found);
      const own = found.filter((_, i) => i % 2 === 0).reduce((sum, piece) => sum + letters(piece), 0);
      if (!values || own === 0 || own < spoken(values) || (by in values && (values[by] === '1') !== (form === 'one'))) {
        continue;
      }
      if (own > best.own) {
        best = { own, says: new Map() };
      }
      if (own === best.own) {
        best.says.set(filled(local, values), key ?? 'the manifest');
      }
    }
  }
  if (best.says.size !== 1) {
    const why = best.says.size === 0 ? 'no catalogue says this' : `the catalogues differ (${[...best.says.values()].join(', ')}): say it by its key`;
    throw new Error(`“${english}”: ${why}`);
  }
  return [...best.says.keys()][0];
}

/** A hole in a text is a character that stands in no catalogue, one for each, until it is filled. */
const hole = i => String.fromCodePoint(0xe000 + i);
const HOLES = /([\ue000-\uf8ff])/u;

/** The text with each hole filled; a regular expression as soon as one of the values is one. */
function withHoles(text, holes) {
  const parts = text.split(HOLES).map((part, i) => (i % 2 === 0 ? part : holes[part.codePointAt(0) - 0xe000]));
  return holes.some(each => each instanceof RegExp)
    ? new RegExp(parts.map(part => (part instanceof RegExp ? part.source : literally(String(part)))).join(''))
    : parts.join('');
}

/**
 * What a reader sees where a reader of English sees this whole sentence, its placeholders filled:
 *   words('Claw reads 4,000 of 6,012 characters')
 * As a tag, what is not English or not known stands in holes, and with a regular expression in one, one comes back:
 *   words`Compacted. ~${/[\d.]+k/} → ~${/[\d.]+k/} tokens.`
 * Throws where no catalogue says it, in English too, or two say it differently.
 */
export function words(english, ...holes) {
  const text = typeof english === 'string' ? english : english.reduce((before, each, i) => before + hole(i - 1) + each);
  return withHoles(translated(text), holes);
}

/** The sentence of a key with these values, for one that has no words of its own, or that shares them. Throws where they do not fit. */
export function said(key, values = {}) {
  const { local } = SENTENCES.find(each => each.key === key) ?? {};
  if (!local) {
    throw new Error(`no sentence has the key ${key}`);
  }
  const names = Object.keys(values);
  const asked = [...new Set([local.by, ...local.other.filter((_, i) => i % 2 === 1)])].filter(Boolean);
  if (names.length !== asked.length || names.some(name => !asked.includes(name))) {
    throw new Error(`${key} asks for ${asked.join(', ') || 'nothing'}, not for ${names.join(', ')}`);
  }
  // The number 1 goes in as it is: it may choose the form.
  const marks = names.map((name, i) => [name, String(values[name]) === '1' ? '1' : hole(i)]);
  return withHoles(filled(local, Object.fromEntries(marks)), Object.values(values));
}
