// The words of GLOSSARY.md are used, and the words on the list of forbidden terms are not: in names, texts and both API snapshots.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORBIDDEN_TERMS, FORMER_PUBLIC_NAMES, type ForbiddenTerm, STORED_NAMES } from './forbidden-terms.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const SNAPSHOTS = [
  'gateway/generated/api.graphql',
  'gateway/generated/api-v1.graphql',
  'rest-adapter/generated/openapi.json',
];
// The list itself, the history of names, the texts that describe other programs, and generated code (checked by its sources).
const EXCLUDED =
  /(^|\/)generated\/|^test\/(forbidden-terms|glossary\.test)\.ts$|^(CHANGELOG|GLOSSARY)\.md$|^embedded\/test\/conformance\/|package-lock|^LICENSE$/;
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|graphql|md|css|yml|py)$/.test(file) && !EXCLUDED.test(file));

type Finding = { file: string; line: number; word: string; use: string };

/** The words of a line that belong to names (identifiers, split at capitals) or to texts (strings, comments, prose). */
function wordsOf(line: string, kind: 'names' | 'texts'): string[] {
  const tokens = line.match(/[A-Za-z]+(?:['’]t)?|[A-Za-z_][A-Za-z0-9_]*/g) ?? [];
  if (kind === 'texts') return tokens.map((token) => token.toLowerCase());
  const identifiers = line.match(/[A-Za-z_$][A-Za-z0-9_$]*/g) ?? [];
  return identifiers
    .filter((name) => !STORED_NAMES.has(name))
    .flatMap((name) => name.split(/_+|\$|(?<=[a-z0-9])(?=[A-Z])/))
    .map((part) => part.toLowerCase());
}

const isProse = (file: string) => /\.(md|css|yml|graphql)$/.test(file);
// In code, the names of a line are what is left when comments and strings are taken away; its texts are the comments and strings.
const CODE_TEXT =
  /\/\/.*$|\/?\*\*?.*$|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=>)[^<>{}=;]+(?=<)|^\s*[A-Z][^<>{}=;()]*$/g;

function findings(file: string): Finding[] {
  return read(file)
    .split('\n')
    .flatMap((line, index) => {
      const texts = isProse(file) ? line : (line.match(CODE_TEXT) ?? []).join(' ');
      const names = isProse(file) ? '' : line.replace(CODE_TEXT, ' ');
      return FORBIDDEN_TERMS.filter(({ except }) => !except?.test(file)).flatMap((term) =>
        wordsIn(term, names, texts).map((word) => ({ file, line: index + 1, word, use: term.use })),
      );
    });
}

function wordsIn(term: ForbiddenTerm, names: string, texts: string): string[] {
  const candidates = [
    ...(term.in.includes('names') ? wordsOf(names, 'names') : []),
    ...(term.in.includes('texts') ? wordsOf(texts, 'texts') : []),
  ];
  return candidates.filter((word) => term.pattern.test(word));
}

test('no name, comment, message or document uses a forbidden term', { timeout: 120_000 }, () => {
  const found = files.flatMap(findings);
  const listed = found.slice(0, 100).map(({ file, line, word, use }) => `${file}:${line} "${word}": use ${use}`);
  expect([`${found.length} findings`, ...listed]).toEqual(['0 findings']);
});

test.each(SNAPSHOTS)('%s uses neither a forbidden term nor a former name', (file) => {
  const text = read(file);
  const words = new Set([...wordsOf(text, 'names'), ...wordsOf(text, 'texts')]);
  const everywhere = FORBIDDEN_TERMS.filter((term) => term.in.includes('names') && term.in.includes('texts'));
  const forbidden = [...words].filter((word) => everywhere.some(({ pattern }) => pattern.test(word)));
  const former = FORMER_PUBLIC_NAMES.filter((name) => name.test(text)).map(String);
  expect([...forbidden, ...former]).toEqual([]);
});

test('documents and settings use no former public name', () => {
  const documents = files.filter((file) =>
    /^(docs|operate)\/.*(?<!\.ts)$|^README\.md$|^docker-compose\.yml$/.test(file),
  );
  const found = documents.flatMap((file) =>
    FORMER_PUBLIC_NAMES.filter((name) => name.test(read(file))).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('the glossary defines the domain terms that the API descriptions use', () => {
  const defined = [...read('GLOSSARY.md').matchAll(/^\| \*\*([^*]+)\*\*/gm)].flatMap(([, terms = '']) =>
    terms.split(/[,()]/).map((term) => term.trim().toLowerCase()),
  );
  const required = [
    'document',
    'workspace',
    'draft',
    'version',
    'revision',
    'reservation',
    'take over',
    'artifact',
    'run',
  ];
  const further = [
    'lineage',
    'seal',
    'checkpoint',
    'lease',
    'attempt',
    'tombstone',
    'job',
    'generator',
    'where-used',
    'bom',
  ];
  expect([...required, ...further].filter((term) => !defined.includes(term))).toEqual([]);
});
