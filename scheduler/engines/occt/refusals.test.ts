import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProduct } from './load-product.ts';
import { measureProduct } from './measure-product.ts';
import { placements } from './product.ts';
import { checkStep } from './read-step.ts';
import { REFUSALS, Refusal } from './refusal.ts';
import { chain, productTree, stepFile } from './step/test-files.ts';
import { bracket, kernel, stepOf } from './test-models.ts';

const good = await stepOf(bracket());
const text = good.toString('latin1');
const latin1 = (source: string) => Buffer.from(source, 'latin1');
const MAX = 64 * 1024 * 1024;

function read(bytes: Buffer): { valid: boolean } {
  using shapes = new DisposableStack();
  return measureProduct(kernel, placements(loadProduct(kernel, checkStep(bytes, MAX), shapes).root));
}

function refusalOf(bytes: Buffer): string {
  try {
    read(bytes);
  } catch (error) {
    if (error instanceof Refusal) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const NOT_STEP = 'not_step: not a STEP file: it does not start with ISO-10303-21;';
const CUT_OFF = 'truncated: STEP file is cut off: END-ISO-10303-21; is missing';
const foreign = (format: string) =>
  `unsupported_format: the source is ${format}, not STEP; the built-in engine reads STEP (AP203, AP214, AP242)`;

const bad: [what: string, bytes: Buffer, refusal: string | RegExp][] = [
  ['an empty file', Buffer.alloc(0), NOT_STEP],
  ['random bytes', Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919 + 13) % 256)), NOT_STEP],
  ['plain text', Buffer.from('hello world\n'.repeat(100)), NOT_STEP],
  ['10,000 comments first', latin1(`${'/**/'.repeat(10_000)}X`), NOT_STEP],
  ['a picture', latin1('\x89PNG\r\n\x1a\n'), foreign('a picture')],
  ['a ZIP file', latin1('PK\x03\x04rest'), foreign('ZIP')],
  ['a gzip file', latin1('\x1f\x8brest'), foreign('gzip')],
  ['a PDF file', latin1('%PDF-1.7'), foreign('PDF')],
  ['a GLB file', latin1('glTF\x02\0\0\0'), foreign('GLB')],
  ['an STL file as text', latin1('solid a\nfacet normal 0 0 1\n'), foreign('STL')],
  ['a binary STL file', Buffer.concat([Buffer.alloc(80), Buffer.from([1, 0, 0, 0]), Buffer.alloc(50)]), foreign('STL')],
  ['an IGES file', latin1(`${' '.repeat(72)}S      1\n`), foreign('IGES')],
  ['a BREP file', latin1('DBRep_DrawableShape\n'), foreign('OCCT BREP')],
  ['a Parasolid file', latin1('**ABCDEFGHIJKLMNOPQRSTUVWXYZ\n'), foreign('Parasolid')],
  [
    'an OFB file',
    latin1('\x01\x02classcad\x02\x01\nVersion=11\nContentType=OFB\n\x01\x02hdend\x02\x01'),
    'needs_classcad: the source is OFB: OFB needs the ClassCAD engine; the built-in engine reads and writes STEP',
  ],
  [
    'a header without data',
    latin1('ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n'),
    'no_data: STEP file has no DATA section',
  ],
  ['an empty DATA section', stepFile(''), 'empty: STEP file holds no product with a shape'],
  [
    'a point and no shape',
    stepFile("#1=CARTESIAN_POINT('',(0.,0.,0.));"),
    'empty: STEP file holds no product with a shape',
  ],
  ['a file cut at half', good.subarray(0, good.length >> 1), CUT_OFF],
  ['a file cut near its end', good.subarray(0, good.length - 25), CUT_OFF],
  [
    'a string without end',
    stepFile("#1=CARTESIAN_POINT('x,(0.,0.,0.));"),
    'truncated: STEP file is cut off: a string does not end',
  ],
  [
    'a file without a middle',
    Buffer.concat([good.subarray(0, good.length >> 1), good.subarray(good.length - 60)]),
    /^(syntax|truncated|dangling): STEP file is (damaged|cut off)/,
  ],
  [
    'lost lines',
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
    Buffer.from(good.map((byte, i) => (i > 3000 && i % 401 === 0 ? byte ^ 1 : byte))),
    /^(syntax|dangling|structure): STEP file is damaged/,
  ],
  [
    'a reference to nothing',
    stepFile("#1=DIRECTION('',(#2));"),
    'dangling: STEP file is damaged: 1 references point at entities that are not in the file',
  ],
  [
    'coordinates of 1.E400',
    latin1(text.replace(/\(0\.,/, '(1.E400,')),
    /^bad_number: STEP file is damaged: the number at byte \d+ is out of range$/,
  ],
  [
    'faces by another name',
    latin1(text.replaceAll('ADVANCED_FACE', 'ADVANCED_FASE')),
    'no_geometry: STEP file names a product, but none of its faces could be built',
  ],
  [
    '100,000 brackets',
    stepFile(`#1=B_SPLINE('',${'('.repeat(100_000)}${')'.repeat(100_000)});`),
    'syntax: STEP file is damaged: brackets are nested too deep',
  ],
  [
    'a list without end',
    stepFile("#1=CARTESIAN_POINT('',(0.,0.,0.);"),
    /^syntax: STEP file is damaged: the list before byte \d+ does not end$/,
  ],
  [
    'a comment without end',
    stepFile("/* #1=CARTESIAN_POINT('',(0.,0.,0.));"),
    /^syntax: STEP file is damaged: the comment at byte \d+ does not end$/,
  ],
  ['an enumeration without end', stepFile("#1=CARTESIAN_POINT('',.T);"), /^syntax: STEP file is damaged at byte \d+$/],
  [
    'a product without formation',
    stepFile("#1=APPLICATION_CONTEXT('');#2=PRODUCT_DEFINITION('','',#1,#1);"),
    'structure: STEP file is damaged: its product structure cannot be followed',
  ],
  [
    'an assembly in itself',
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
    'products in a ring',
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

describe('a bad file is refused with its code, and the kernel lives on:', { timeout: 120_000 }, () => {
  test.each(bad)('%s', (_, bytes, refusal) => {
    if (typeof refusal === 'string') expect(refusalOf(bytes)).toBe(refusal);
    else expect(refusalOf(bytes)).toMatch(refusal);
  });

  test('but noise next to zero is read', () =>
    expect(read(latin1(text.replace(/\(0\.,/, '(4.9E-324,'))).valid).toBe(true));

  test('geometry in other files', () => {
    const elsewhere = text
      .replaceAll('ADVANCED_FACE', 'ADVANCED_FASE')
      .replace('DATA;', "DATA;\n#900001=DOCUMENT_FILE('wheel.stp','','',$,'',$);");
    expect(refusalOf(latin1(elsewhere))).toBe(
      'external_files: STEP file keeps its geometry in other files (wheel.stp); upload one file that contains everything',
    );
  });

  test('a file over the limit', () => {
    expect(() => checkStep(good, 1000)).toThrow(
      `STEP file has ${good.length} bytes; the built-in engine takes up to 1000`,
    );
  });

  test('after all of them the same kernel reads the good file', () => {
    expect(read(good).valid).toBe(true);
  });
});

test('every code of the catalogue is used in the engine, and no other', () => {
  const own = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'refusal.ts')
    .map((name) => join(import.meta.dirname, name));
  const transform = join(import.meta.dirname, '../../../subgraphs/core/domain/asm-transform.ts');
  const generator = join(import.meta.dirname, '../../generator');
  const runs = readdirSync(generator)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => join(generator, name));
  const sources = [...own, ...runs, transform].map((path) => readFileSync(path, 'utf8')).join('\n');
  const used = new Set(
    [...sources.matchAll(/(?:(?:refuse|refusal|Refusal|stop|killLater|REFUSALS)[.(]\s*|code: )'?(\w+)/g)].map(
      (match) => match[1],
    ),
  );
  expect(Object.keys(REFUSALS).filter((code) => !used.has(code))).toEqual([]);
});
