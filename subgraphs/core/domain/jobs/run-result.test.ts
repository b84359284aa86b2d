import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { writeArchive } from './code-archive.ts';
import { paramsHash, runKey } from './run-key.ts';
import { assertGenerator, parseRunResult, replaceKeys } from './run-result.ts';

type File = { path: string; bytes: Uint8Array };
const text = (path: string, content: string): File => ({ path, bytes: Buffer.from(content) });
const stp = (key: string) => text(`${key}/stp`, 'ISO-10303-21; and more');
const asm = (key: string, uses: string[]) =>
  text(
    `${key}/asm-json`,
    JSON.stringify({
      templates: uses.map((used) => ({ reference: { location: used.includes(':') ? used : `generated:${used}` } })),
    }),
  );
const json = (documents: unknown, more: object = {}) =>
  text('result.json', JSON.stringify({ engine: 'pdm-occt/1.0.0', isolation: 'strict', documents, ...more }));
const model = (key: string, more: object = {}) => ({ key, kind: 'model', name: key, ...more });
const assembly = (key: string) => ({ key, kind: 'assembly', name: key });
const errorMessage = (files: File[]): string | null => {
  try {
    parseRunResult(writeArchive(files));
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('validation_failed');
    return error.message;
  }
};

test('sorts parts before the assemblies that use them at every depth', () => {
  const result = parseRunResult(
    writeArchive([
      json([assembly('top'), assembly('sub'), model('a'), model('b')]),
      asm('top', ['sub', 'b']),
      asm('sub', ['a', 'a']),
      stp('a'),
      stp('b'),
    ]),
  );
  expect(result.documents.map(({ key }) => key)).toEqual(['a', 'sub', 'b', 'top']);
  expect(result).toMatchObject({ engine: 'pdm-occt/1.0.0', isolation: 'strict' });
});

test.each<[string, File[]]>([
  ['must have a result.json', [stp('a')]],
  ['1 to 200', [json([])]],
  ['1 to 200', [json(Array.from({ length: 201 }, (_, i) => model(`a${i}`)))]],
  ['must have unique keys', [json([model('a'), model('a')]), stp('a')]],
  ['/documents/0/key', [json([model('../a')])]],
  ['/documents/0/kind', [json([{ ...model('a'), kind: 'code' }]), stp('a')]],
  ['/documents/0/name', [json([model('a', { name: 7 })]), stp('a')]],
  ['/documents/0 has the unknown field color', [json([model('a', { color: [1, 2, 3] })]), stp('a')]],
  ['it has the unknown field units', [json([model('a')], { units: 'inch' }), stp('a')]],
  ['must have the file a/stp', [json([model('a')])]],
  ['must have the file a/asm-json', [json([assembly('a')])]],
  ['which is not a stp file', [json([model('a')]), text('a/stp', 'solid ascii')]],
  ['which is not a glb file', [json([model('a')]), stp('a'), text('a/glb', '<script>')]],
  ['belongs to no document', [json([model('a')]), stp('a'), stp('b')]],
  ['belongs to no document', [json([model('a')]), stp('a'), text('a/source', 'x')]],
  ['use b, which is not one of them', [json([assembly('a')]), asm('a', ['b'])]],
  ['in a cycle', [json([assembly('a'), assembly('b')]), asm('a', ['b']), asm('b', ['a'])]],
  ['must reference another document of the run', [json([assembly('a')]), asm('a', ['pdm://documents/PRT-000001'])]],
  ['must reference another document of the run', [json([assembly('a')]), asm('a', ['https://example.com'])]],
  [
    '/documents/0/files list "glb", but the archive has no such file of a',
    [json([model('a', { files: ['stp', 'glb'] })]), stp('a')],
  ],
  [
    '/documents/0/files do not list glb, but the archive has a/glb',
    [json([model('a', { files: ['stp'] })]), stp('a'), text('a/glb', 'glTF')],
  ],
  ['/documents/0/files list a file twice', [json([model('a', { files: ['stp', 'stp'] })]), stp('a')]],
  ['/documents/0/files must be an array', [json([model('a', { files: 'stp' })]), stp('a')]],
  ['/generator/version', [json([model('a')], { generator: { name: 'rack' } }), stp('a')]],
  [
    '/generator has the unknown field commit',
    [json([model('a')], { generator: { name: 'rack', version: '1', commit: 'c' } }), stp('a')],
  ],
  ['/engine', [json([model('a')], { engine: 'x' }), stp('a')]],
  ['/isolation', [json([model('a')], { isolation: 7 }), stp('a')]],
])('rejects a result: %s', (message, files) => {
  expect(errorMessage(files)).toContain(message);
});

test('checks the reported generator and file list', () => {
  const files = [
    json([model('a', { files: ['glb', 'stp'] })], { generator: { name: 'rack', version: '1.2.0' } }),
    stp('a'),
    text('a/glb', 'glTF'),
  ];
  const result = parseRunResult(writeArchive(files));
  expect(result.generator).toEqual({ name: 'rack', version: '1.2.0' });
  assertGenerator(result, { name: 'rack', version: '1.2.0' });
  for (const run of [
    { name: 'rack', version: '1.3.0' },
    { name: 'shelf', version: '1.2.0' },
  ])
    expect(() => assertGenerator(result, run)).toThrow(
      `/generator is rack 1.2.0, but the job runs ${run.name} ${run.version}`,
    );
  expect(() => assertGenerator(result, null)).toThrow('/generator is rack 1.2.0, but the job runs no generator');
  const withoutGenerator = parseRunResult(writeArchive([json([model('a')]), stp('a')]));
  expect(withoutGenerator.generator).toBeNull();
  for (const generator of [{ name: 'any', version: '1' }, null]) assertGenerator(withoutGenerator, generator);
});

test('throws only DomainErrors for any bytes', () => {
  const valid = writeArchive([json([assembly('a'), model('b')]), asm('a', ['b']), stp('b')]);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      (changes) => {
        const changed = Buffer.from(valid);
        for (const [at, value] of changes) changed[at] = value;
        try {
          parseRunResult(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      },
    ),
  );
});

test('replaces the keys of an asm.json by addresses and keeps everything else', () => {
  const asm = {
    version: 1,
    templates: [{ ident: 'b', type: 'part', reference: { location: 'generated:b', type: 'stp' } }],
    instances: [{ ident: 'b:1', template: 'b' }],
  };
  const replaced = JSON.parse(replaceKeys(Buffer.from(JSON.stringify(asm)), (key) => `pdm://documents/doc_${key}@v1`));
  expect(replaced).toEqual({
    ...asm,
    templates: [{ ident: 'b', type: 'part', reference: { location: 'pdm://documents/doc_b@v1', type: 'stp' } }],
  });
});

test('computes equal run keys for equal parameters, and different ones for another commit, folder, document or value', () => {
  const code = { repoUrl: 'https://example.com/a', path: 'gen', commit: 'c1' };
  const keyOf = (params: object, more: object = {}) =>
    runKey({ documentId: 'doc_1', code: { ...code, ...more }, params });
  expect(keyOf({ a: 1, b: [1.5] })).toBe(keyOf({ b: [1.5], a: 1.0 }));
  const keys = [
    keyOf({ a: 1 }),
    keyOf({ a: 2 }),
    keyOf({ a: '1' }),
    keyOf({ a: 1 }, { commit: 'c2' }),
    keyOf({ a: 1 }, { path: '' }),
    runKey({ documentId: 'doc_2', code, params: { a: 1 } }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (params) => {
      expect(paramsHash(params)).toBe(paramsHash(Object.fromEntries(Object.entries(params).reverse())));
    }),
  );
});
