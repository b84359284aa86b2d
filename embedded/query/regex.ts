// Translates regular expressions of PCRE2 to JavaScript.
import { notImplemented, storeError } from '../protocol/errors.ts';

/** A regular expression, and texts (if any) for which JavaScript would give another result than PCRE2. */
type CompiledRegex = { regex: RegExp; unsupportedTexts: RegExp | undefined };

/**
 * Compiles a pattern with the options i, m, s and u. Only what both engines interpret in the same way is translated:
 * literals, classes, groups, alternatives, greedy and lazy quantifiers, anchors and lookaheads. Throws NotImplemented
 * (238) for anything else, and Location51091 for an invalid pattern.
 */
export function compileRegex(pattern: string, options: string): CompiledRegex {
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  const flags = options + (leading?.[1] ?? '');
  const unknown = /[^imsu]/.exec(flags)?.[0];
  if (unknown === 'x') throw unsupported('the option x');
  if (unknown) throw storeError(51108, `invalid flag in regex options: ${unknown}`);
  const body = leading ? pattern.slice(leading[0].length) : pattern;
  const source = translate(body, flags.includes('m'), flags.includes('s'));
  try {
    const regex = new RegExp(source, flags.includes('i') ? 'iu' : 'u');
    return { regex, unsupportedTexts: regex.ignoreCase && WORD_CLASS.test(body) ? FOLDED_TO_ASCII : undefined };
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : pattern);
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

// Without case, JavaScript counts ſ and the Kelvin sign as word characters, because they fold to s and k.
const WORD_CLASS = /\\[wWbB]|\[:/;
const FOLDED_TO_ASCII = /[\u017f\u212a]/;

const MAX_REPETITIONS = 65_535;
const TOKENS =
  /\\x\{[0-9A-Fa-f]{1,6}\}|\\x[0-9A-Fa-f]{2}|\\[\s\S]?|\[\^?\]?|\(\?(?:[:=!])|\(\?|\(\*|[*+?](?:[?+])?|\{\d+(?:,\d*)?\}[?+]?|\{,\d+\}|[\s\S]/uy;

type Repeatable = 'nothing' | 'item' | 'assertion';

function translate(pattern: string, multiline: boolean, dotAll: boolean): string {
  let out = '';
  // What a quantifier would repeat: nothing, an item, or an assertion.
  let last: Repeatable = 'nothing';
  const groups: Repeatable[] = [];
  for (let at = 0; at < pattern.length; ) {
    TOKENS.lastIndex = at;
    const token = TOKENS.exec(pattern)![0];
    at += token.length;
    const isQuantifier = /^(?:[*+?]|\{\d)/.test(token);
    if (isQuantifier) {
      if (last === 'nothing') throw invalid('a quantifier does not follow a repeatable item');
      if (last === 'assertion') throw unsupported('the repetition of an assertion');
      if (token.length > 1 && token.endsWith('+')) throw unsupported('a possessive quantifier');
      if (token.match(/\d+/g)?.some((count) => Number(count) > MAX_REPETITIONS)) throw invalid('a number is too big');
      out += token;
      last = 'nothing';
      continue;
    }
    const anchor = ANCHORS[token] ?? (multiline ? MULTILINE_ANCHORS : LINE_ANCHORS)[token];
    if (anchor) {
      out += anchor;
      last = 'assertion';
    } else if (token.startsWith('[')) {
      const end = classEnd(pattern, at);
      const body = pattern.slice(at, end);
      if (token === '[' && /^([:.=])[\s\S]*\1$/.test(body)) throw invalid('a named class is outside of a class');
      out += translateClass(token, body);
      at = end + 1;
      last = 'item';
    } else if (token === '(?' || token === '(*') throw unsupported(`the group ${pattern.slice(at - 2, at + 3)}`);
    else if (token.startsWith('(')) {
      groups.push(token === '(?=' || token === '(?!' ? 'assertion' : 'item');
      out += token === '(' ? '(?:' : token;
      last = 'nothing';
    } else if (token === ')') {
      const group = groups.pop();
      if (!group) throw invalid('a closing parenthesis is unmatched');
      out += token;
      last = group;
    } else if (token === '|') {
      out += token;
      last = 'nothing';
    } else if (/^\{,/.test(token)) throw unsupported(`the quantifier ${token}`);
    else {
      out +=
        token === '.' ? (dotAll ? '[^]' : '[^\\n]') : token.startsWith('\\') ? escaped(token, ESCAPES) : literal(token);
      last = 'item';
    }
  }
  if (groups.length > 0) throw invalid('a closing parenthesis is missing');
  return out;
}

// Returns the position of the bracket that closes a class.
function classEnd(pattern: string, from: number): number {
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === ']') return at;
    if (pattern[at] === '\\') at++;
    else if (/^\[[:.=]/.test(pattern.slice(at, at + 2))) {
      const end = pattern.indexOf(`${pattern[at + 1]}]`, at + 2);
      if (end > 0) at = end + 1;
    }
  }
  throw invalid('the closing bracket of a class is missing');
}

const CLASS_ITEMS = /\\x\{[0-9A-Fa-f]{1,6}\}|\\x[0-9A-Fa-f]{2}|\\[\s\S]?|\[:[^\]]*?:\]|\[\.|\[=|[\s\S]/gu;

// `opening` may contain a literal bracket at the start of the class.
function translateClass(opening: string, body: string): string {
  const items = (opening.endsWith(']') ? [']'] : []).concat(body.match(CLASS_ITEMS) ?? []);
  let out = opening.startsWith('[^') ? '[^' : '[';
  for (let at = 0; at < items.length; at++) {
    const [item, dash, end] = [items[at]!, items[at + 1], items[at + 2]];
    out += classItem(item);
    if (dash !== '-' || end === undefined) continue;
    if (isSet(item) || isSet(end)) throw unsupported('a class as the bound of a range');
    out += `-${classItem(end)}`;
    at += 2;
  }
  return `${out}]`;
}

const isSet = (item: string): boolean => /^\\[dDwWsS]$|^\[[:.=]/.test(item);

function classItem(item: string): string {
  if (item.startsWith('\\')) return escaped(item, CLASS_ESCAPES);
  if (!/^\[[:.=]/.test(item)) return literal(item);
  const posix = Object.hasOwn(POSIX, item) ? POSIX[item] : undefined;
  if (posix === undefined) throw unsupported(`the class ${item}`);
  return posix;
}

function escaped(token: string, known: { readonly [token: string]: string }): string {
  if (token === '\\') throw invalid('a backslash is at the end of the pattern');
  if (Object.hasOwn(known, token)) return known[token]!;
  const code = /^\\x\{?([0-9A-Fa-f]{2,6})/.exec(token)?.[1] ?? /^\\x\{([0-9A-Fa-f])\}/.exec(token)?.[1];
  if (code) return codePoint(Number.parseInt(code, 16));
  if (/^\\[A-Za-z0-9]/.test(token)) throw unsupported(token);
  return literal(token.slice(1));
}

function codePoint(code: number): string {
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw invalid('a code point is too large');
  return `\\u{${code.toString(16)}}`;
}

const literal = (char: string): string => (/^[\^$\\.*+?()[\]{}|/-]$/.test(char) ? codePoint(char.charCodeAt(0)) : char);

const unsupported = (what: string) => notImplemented(`${what} in a regular expression`);
const invalid = (reason: string) => storeError(51091, `Regular expression is invalid: ${reason}`);

const START = '(?<![\\s\\S])';
const END = '(?![\\s\\S])';
// Also before a final newline.
const LAST_LINE_END = `(?=\\n?${END})`;
const ANCHORS: { readonly [token: string]: string } = {
  '\\A': START,
  '\\z': END,
  '\\Z': LAST_LINE_END,
  '\\b': '\\b',
  '\\B': '\\B',
};
const LINE_ANCHORS: { readonly [token: string]: string } = { '^': '^', $: LAST_LINE_END };
// A line ends with \n only, and none begins after a final \n.
const MULTILINE_ANCHORS: { readonly [token: string]: string } = {
  '^': `(?:${START}|(?<=\\n)(?!${END}))`,
  $: `(?=\\n|${END})`,
};
// PCRE2 knows only the ASCII white space.
const SPACE = ' \\t\\n\\v\\f\\r';
const OTHER_SPACE = '\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const SHARED_ESCAPES = {
  '\\d': '\\d',
  '\\D': '\\D',
  '\\w': '\\w',
  '\\W': '\\W',
  '\\n': '\\n',
  '\\r': '\\r',
  '\\t': '\\t',
  '\\f': '\\f',
};
const ESCAPES: { readonly [token: string]: string } = {
  ...SHARED_ESCAPES,
  '\\s': `[${SPACE}]`,
  '\\S': `[^${SPACE}]`,
};
const CLASS_ESCAPES: { readonly [token: string]: string } = {
  ...SHARED_ESCAPES,
  '\\s': SPACE,
  '\\S': `\\S${OTHER_SPACE}`,
  '\\b': '\\b',
};
const POSIX: { readonly [name: string]: string } = {
  '[:alpha:]': 'a-zA-Z',
  '[:digit:]': '0-9',
  '[:alnum:]': 'a-zA-Z0-9',
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:space:]': SPACE,
  '[:punct:]': '!-\\/:-@\\[-`\\{-~',
  '[:xdigit:]': '0-9A-Fa-f',
  '[:word:]': '\\w',
};
