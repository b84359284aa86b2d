import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evaluateProduct } from './derived-artifacts.ts';
import { FAILURES, JobFailure } from './job-failure.ts';
import { loadProduct } from './product/load-product.ts';
import { checkStep } from './read-step.ts';
import { chain, productTree, stepFile } from './step/test-files.ts';
import { bracket, kernel, stepOf } from './test-models.ts';

const valid = await stepOf(bracket());
const text = valid.toString('latin1');
const latin1 = (source: string) => Buffer.from(source, 'latin1');
const silent = { log: () => {}, progress: () => {} };
const MAX = 64 * 1024 * 1024;

function read(bytes: Buffer): { valid: boolean } {
  using shapes = new DisposableStack();
  const { root } = loadProduct(kernel, checkStep(bytes, MAX), shapes);
  return evaluateProduct(kernel, root, [], null, silent).properties;
}

function failureOf(bytes: Buffer): string {
  try {
    read(bytes);
  } catch (error) {
    if (error instanceof JobFailure) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const NOT_STEP = 'not_step: the file is not a STEP file: it does not start with "ISO-10303-21;"';
const TRUNCATED = 'truncated: STEP file is truncated: END-ISO-10303-21; is missing';
const DAMAGED = 'truncated: the compressed file is damaged or incomplete';
const foreign = (format: string) => `unsupported_format: the file is ${format}, not STEP`;

const invalid: [description: string, bytes: Buffer, failure: string | RegExp][] = [
  ['an empty file', Buffer.alloc(0), NOT_STEP],
  ['random bytes', Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919 + 13) % 256)), NOT_STEP],
  ['plain text', Buffer.from('hello world\n'.repeat(100)), NOT_STEP],
  ['10,000 comments at the start', latin1(`${'/**/'.repeat(10_000)}X`), NOT_STEP],
  ['an image', latin1('\x89PNG\r\n\x1a\n'), foreign('PNG')],
  ['a ZIP file', latin1('PK\x03\x04rest'), DAMAGED],
  ['a gzip file', latin1('\x1f\x8brest'), DAMAGED],
  ['a PDF file', latin1('%PDF-1.7'), foreign('PDF')],
  ['a GLB file', latin1('glTF\x02\0\0\0'), foreign('glTF binary')],
  ['a text STL file', latin1('solid a\nfacet normal 0 0 1\n'), foreign('STL')],
  ['a binary STL file', Buffer.concat([Buffer.alloc(80), Buffer.from([1, 0, 0, 0]), Buffer.alloc(50)]), foreign('STL')],
  ['an IGES file', latin1(`${' '.repeat(72)}S      1\n`), foreign('IGES')],
  ['a BREP file', latin1('DBRep_DrawableShape\n'), foreign('OCCT BREP')],
  ['a Parasolid file', latin1('**ABCDEFGHIJKLMNOPQRSTUVWXYZ\n'), foreign('Parasolid')],
  [
    'an OFB file',
    latin1('\x01\x02classcad\x02\x01\nVersion=11\nContentType=OFB\n\x01\x02hdend\x02\x01'),
    'needs_classcad: the file is OFB: OFB requires a ClassCAD engine; the built-in engine reads and writes STEP',
  ],
  [
    'a header without data',
    latin1('ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n'),
    'no_data: STEP file has no DATA section',
  ],
  ['an empty DATA section', stepFile(''), 'empty: STEP file contains no product with a shape'],
  [
    'a point without a shape',
    stepFile("#1=CARTESIAN_POINT('',(0.,0.,0.));"),
    'empty: STEP file contains no product with a shape',
  ],
  ['the first half of a file', valid.subarray(0, valid.length >> 1), TRUNCATED],
  ['a file without its last 25 bytes', valid.subarray(0, valid.length - 25), TRUNCATED],
  [
    'an unterminated string',
    stepFile("#1=CARTESIAN_POINT('x,(0.,0.,0.));"),
    'truncated: STEP file is truncated: a string is not terminated',
  ],
  [
    'a file without its middle',
    Buffer.concat([valid.subarray(0, valid.length >> 1), valid.subarray(valid.length - 60)]),
    /^(syntax|truncated|dangling): STEP file is (damaged|truncated)/,
  ],
  [
    'missing lines',
    latin1(
      text
        .split('\n')
        .filter((_, i, all) => i < all.length * 0.3 || i > all.length * 0.6)
        .join('\n'),
    ),
    /^(dangling|syntax): STEP file is damaged/,
  ],
  [
    'flipped bits',
    Buffer.from(valid.map((byte, i) => (i > 3000 && i % 401 === 0 ? byte ^ 1 : byte))),
    /^(syntax|dangling|structure): STEP file is damaged/,
  ],
  [
    'a dangling reference',
    stepFile("#1=DIRECTION('',(#2));"),
    'dangling: STEP file is damaged: 1 references point to entities that are not in the file',
  ],
  [
    'coordinates of 1.E400',
    latin1(text.replace(/\(0\.,/, '(1.E400,')),
    /^bad_number: STEP file is damaged: the number at byte \d+ is out of range$/,
  ],
  [
    'faces with an unknown entity name',
    latin1(text.replaceAll('ADVANCED_FACE', 'ADVANCED_FASE')),
    'no_geometry: STEP file names a product, but none of its faces can be built',
  ],
  [
    '100,000 nested parentheses',
    stepFile(`#1=B_SPLINE('',${'('.repeat(100_000)}${')'.repeat(100_000)});`),
    'syntax: STEP file is damaged: parentheses are nested too deeply',
  ],
  [
    'an unterminated list',
    stepFile("#1=CARTESIAN_POINT('',(0.,0.,0.);"),
    /^syntax: STEP file is damaged: the list before byte \d+ is not terminated$/,
  ],
  [
    'an unterminated comment',
    stepFile("/* #1=CARTESIAN_POINT('',(0.,0.,0.));"),
    /^syntax: STEP file is damaged: the comment at byte \d+ is not terminated$/,
  ],
  ['an unterminated enumeration', stepFile("#1=CARTESIAN_POINT('',.T);"), /^syntax: STEP file is damaged at byte \d+$/],
  [
    'a product definition without a formation',
    stepFile("#1=APPLICATION_CONTEXT('');#2=PRODUCT_DEFINITION('','',#1,#1);"),
    'structure: STEP file is damaged: its product structure cannot be read',
  ],
  [
    'an assembly that contains itself',
    stepFile(
      productTree(3, [
        [0, 1],
        [1, 2],
        [2, 1],
      ]),
    ),
    'cycle: assembly contains itself: p1',
  ],
  [
    'products that contain each other',
    stepFile(
      productTree(2, [
        [0, 1],
        [1, 0],
      ]),
    ),
    'cycle: STEP file is damaged: its assembly contains itself',
  ],
  ['400 levels', stepFile(chain(401, 1)), 'too_deep: assembly is nested more than 50 levels deep'],
  [
    '2^40 occurrences',
    stepFile(chain(41, 2)),
    'too_many_occurrences: assembly expands to more than 100000 occurrences',
  ],
];

describe('rejects', { timeout: 120_000 }, () => {
  test.each(invalid)('%s', (_, bytes, failure) => {
    if (typeof failure === 'string') expect(failureOf(bytes)).toBe(failure);
    else expect(failureOf(bytes)).toMatch(failure);
  });

  test('geometry in other files', () => {
    const elsewhere = text
      .replaceAll('ADVANCED_FACE', 'ADVANCED_FASE')
      .replace('DATA;', "DATA;\n#900001=DOCUMENT_FILE('wheel.stp','','',$,'',$);");
    expect(failureOf(latin1(elsewhere))).toBe(
      'external_files: STEP file references geometry in other files: wheel.stp; upload a ZIP archive (.step.zip) with all of them',
    );
  });

  test('a file over the limit', () => {
    expect(() => checkStep(valid, 1000)).toThrow(
      `STEP file is ${valid.length} bytes; the built-in engine accepts up to 1000`,
    );
  });
});

test('reads a number close to zero', () => expect(read(latin1(text.replace(/\(0\.,/, '(4.9E-324,'))).valid).toBe(true));

test('reads a valid file with the same kernel after all failures', () => {
  expect(read(valid).valid).toBe(true);
});

test('uses every failure code', () => {
  const engine = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'job-failure.ts')
    .map((name) => join(import.meta.dirname, name));
  const transform = join(import.meta.dirname, '../../../subgraphs/core/domain/assembly/asm-transform.ts');
  const generator = join(import.meta.dirname, '../../generator');
  const runs = readdirSync(generator)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => join(generator, name));
  const sources = [...engine, ...runs, transform].map((path) => readFileSync(path, 'utf8')).join('\n');
  const used = new Set(
    [...sources.matchAll(/(?:(?:fail|failure|JobFailure|stop|killLater|FAILURES)[.(]\s*|code: )'?(\w+)/g)].map(
      (match) => match[1],
    ),
  );
  expect(Object.keys(FAILURES).filter((code) => !used.has(code))).toEqual([]);
});
