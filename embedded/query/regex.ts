// Translates PCRE patterns to JavaScript.
import { storeError } from '../protocol/errors.ts';

/**
 * Compiles a PCRE pattern with MongoDB's options i, m, s, x and u. Throws Location51091 for constructs that JavaScript
 * lacks (possessive quantifiers, recursion, atomic groups).
 */
export function compileRegex(pattern: string, options: string): RegExp {
  let flags = '';
  let extended = false;
  for (const option of options) {
    if (option === 'x') extended = true;
    else if (option === 'i' || option === 'm' || option === 's') flags += flags.includes(option) ? '' : option;
    else if (option !== 'u') throw storeError(51108, `invalid flag in regex options: ${option}`);
  }
  const leading = /^\(\?([imsx]+)\)/.exec(pattern);
  for (const option of leading?.[1] ?? '') {
    if (option === 'x') extended = true;
    else if (!flags.includes(option)) flags += option;
  }
  const source = translate(leading ? pattern.slice(leading[0].length) : pattern, extended, flags.includes('m'));
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // The strict Unicode grammar rejects escapes such as \- that PCRE accepts.
    return withoutUnicode(source, flags, pattern);
  }
}

function withoutUnicode(source: string, flags: string, pattern: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw storeError(51091, `Regular expression is invalid: ${error instanceof Error ? error.message : pattern}`);
  }
}

/** Returns the literal that every match must begin with; undefined if the pattern has none. */
export function anchoredPrefix(pattern: string, options: string): string | undefined {
  if (/[imx]/.test(options) || pattern.includes('|')) return undefined;
  const match = /^(?:\^|\\A)((?:[^\\^$.|?*+()[\]{}]|\\[^A-Za-z0-9])*)([?*{])?/u.exec(pattern);
  if (!match) return undefined;
  const literal = [...match[1]!.replace(/\\(.)/gsu, '$1')];
  // A quantifier that allows zero repetitions applies to the last character.
  return (match[2] ? literal.slice(0, -1) : literal).join('');
}

function translate(pattern: string, extended: boolean, multiline: boolean): string {
  let out = '';
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === '\\') {
      const next = pattern[++at] ?? '';
      out += (inClass ? IN_CLASS[next] : ANCHORS[next]) ?? ESCAPES[next] ?? char + next;
    } else if (inClass) {
      const posixClass = /^\[:(\w+):\]/.exec(pattern.slice(at, at + 12));
      if (posixClass) {
        out += POSIX[posixClass[1]!] ?? posixClass[0];
        at += posixClass[0].length - 1;
      } else {
        if (char === ']') inClass = false;
        out += char === '[' ? '\\[' : char;
      }
    } else if (char === '[') {
      inClass = true;
      out += char;
      // A bracket at the start of a class is a literal.
      if (pattern[at + 1] === '^') out += pattern[++at];
      if (pattern[at + 1] === ']') out += `\\${pattern[++at]}`;
    } else if (char === '$' && !multiline) out += END;
    else if (extended && /\s/.test(char)) out += '';
    else if (extended && char === '#') at = endOfLine(pattern, at);
    else if (pattern.startsWith('(?P<', at)) {
      out += '(?<';
      at += 3;
    } else out += char;
  }
  return out;
}

function endOfLine(pattern: string, from: number): number {
  const end = pattern.indexOf('\n', from);
  return end < 0 ? pattern.length : end;
}

// Without the option m, PCRE's $ also matches before a final newline.
const END = '(?=\\n?(?![\\s\\S]))';
const ANCHORS: { [char: string]: string } = { A: '(?<![\\s\\S])', z: '(?![\\s\\S])', Z: END };
const IN_CLASS: { [char: string]: string } = { h: ' \\t' };
const ESCAPES: { [char: string]: string } = { h: '[ \\t]', a: '\\x07', e: '\\x1b' };
const POSIX: { [name: string]: string } = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
};
