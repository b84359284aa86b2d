import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { writeArchive } from './code-archive.ts';
import { paramsHash, runKey } from './run-key.ts';
import { ofGenerator, readRunResult, withAddresses } from './run-result.ts';

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
const said = (documents: unknown, more: object = {}) =>
  text('result.json', JSON.stringify({ engine: 'pdm-occt/1.0.0', isolation: 'strict', documents, ...more }));
const model = (key: string, more: object = {}) => ({ key, kind: 'model', name: key, ...more });
const assembly = (key: string) => ({ key, kind: 'assembly', name: key });
const refusal = (files: File[]): string | null => {
  try {
    readRunResult(writeArchive(files));
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('validation_failed');
    return error.message;
  }
};

test('parts come before the assemblies that use them, at every depth', () => {
  const result = readRunResult(
    writeArchive([
      said([assembly('top'), assembly('sub'), model('a'), model('b')]),
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
  ['no result.json', [stp('a')]],
  ['1 to 200', [said([])]],
  ['1 to 200', [said(Array.from({ length: 201 }, (_, i) => model(`a${i}`)))]],
  ['a key that is used twice', [said([model('a'), model('a')]), stp('a')]],
  ['/documents/0/key', [said([model('../a')])]],
  ['/documents/0/kind', [said([{ ...model('a'), kind: 'code' }]), stp('a')]],
  ['/documents/0/name', [said([model('a', { name: 7 })]), stp('a')]],
  ['/documents/0 has a field color', [said([model('a', { color: [1, 2, 3] })]), stp('a')]],
  ['as a whole has a field units', [said([model('a')], { units: 'inch' }), stp('a')]],
  ['has no file a/stp', [said([model('a')])]],
  ['has no file a/asm-json', [said([assembly('a')])]],
  ['not what a file of that kind looks like', [said([model('a')]), text('a/stp', 'solid ascii')]],
  ['not what a file of that kind looks like', [said([model('a')]), stp('a'), text('a/glb', '<script>')]],
  ['no document names', [said([model('a')]), stp('a'), stp('b')]],
  ['no document names', [said([model('a')]), stp('a'), text('a/source', 'x')]],
  ['use b, which is none of them', [said([assembly('a')]), asm('a', ['b'])]],
  ['in a circle', [said([assembly('a'), assembly('b')]), asm('a', ['b']), asm('b', ['a'])]],
  ['must refer to another document of the run', [said([assembly('a')]), asm('a', ['pdm://documents/PRT-000001'])]],
  ['must refer to another document of the run', [said([assembly('a')]), asm('a', ['https://example.com'])]],
  [
    '/documents/0/files names "glb", but the archive has no file of that kind for a',
    [said([model('a', { files: ['stp', 'glb'] })]), stp('a')],
  ],
  [
    '/documents/0/files does not name glb, but the archive has a/glb',
    [said([model('a', { files: ['stp'] })]), stp('a'), text('a/glb', 'glTF')],
  ],
  ['/documents/0/files names a file twice', [said([model('a', { files: ['stp', 'stp'] })]), stp('a')]],
  ['/documents/0/files must be a list', [said([model('a', { files: 'stp' })]), stp('a')]],
  ['/generator/version', [said([model('a')], { generator: { name: 'rack' } }), stp('a')]],
  [
    '/generator has a field commit',
    [said([model('a')], { generator: { name: 'rack', version: '1', commit: 'c' } }), stp('a')],
  ],
  ['/engine', [said([model('a')], { engine: 'x' }), stp('a')]],
  ['/isolation', [said([model('a')], { isolation: 7 }), stp('a')]],
])('a result is refused: %s', (message, files) => {
  expect(refusal(files)).toContain(message);
});

test('a result that says what made it, and which files there are, has to be right', () => {
  const files = [
    said([model('a', { files: ['glb', 'stp'] })], { generator: { name: 'rack', version: '1.2.0' } }),
    stp('a'),
    text('a/glb', 'glTF'),
  ];
  const result = readRunResult(writeArchive(files));
  expect(result.generator).toEqual({ name: 'rack', version: '1.2.0' });
  ofGenerator(result, { name: 'rack', version: '1.2.0' });
  for (const run of [
    { name: 'rack', version: '1.3.0' },
    { name: 'shelf', version: '1.2.0' },
  ])
    expect(() => ofGenerator(result, run)).toThrow(
      `/generator is rack 1.2.0, but the job is to run ${run.name} ${run.version}`,
    );
  expect(() => ofGenerator(result, null)).toThrow('/generator is rack 1.2.0, but the job runs no generator');
  const silent = readRunResult(writeArchive([said([model('a')]), stp('a')]));
  expect(silent.generator).toBeNull();
  for (const due of [{ name: 'any', version: '1' }, null]) ofGenerator(silent, due);
});

test('no bytes make it fail in another way', () => {
  const good = writeArchive([said([assembly('a'), model('b')]), asm('a', ['b']), stp('b')]);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }), (changes) => {
      const changed = Buffer.from(good);
      for (const [at, value] of changes) changed[at] = value;
      try {
        readRunResult(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
      }
    }),
  );
});

test('keys of an asm.json become addresses, and nothing else of it changes', () => {
  const given = {
    version: 1,
    templates: [{ ident: 'b', type: 'part', reference: { location: 'generated:b', type: 'stp' } }],
    instances: [{ ident: 'b:1', template: 'b' }],
  };
  const made = JSON.parse(withAddresses(Buffer.from(JSON.stringify(given)), (key) => `pdm://documents/doc_${key}@v1`));
  expect(made).toEqual({
    ...given,
    templates: [{ ident: 'b', type: 'part', reference: { location: 'pdm://documents/doc_b@v1', type: 'stp' } }],
  });
});

test('equal parameters have one key however they are written; another commit, folder, document or value has another', () => {
  const code = { repoUrl: 'https://example.com/a', path: 'gen', commit: 'c1' };
  const of = (params: object, more: object = {}) => runKey({ documentId: 'doc_1', code: { ...code, ...more }, params });
  expect(of({ a: 1, b: [1.5] })).toBe(of({ b: [1.5], a: 1.0 }));
  const keys = [
    of({ a: 1 }),
    of({ a: 2 }),
    of({ a: '1' }),
    of({ a: 1 }, { commit: 'c2' }),
    of({ a: 1 }, { path: '' }),
    runKey({ documentId: 'doc_2', code, params: { a: 1 } }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (params) => {
      expect(paramsHash(params)).toBe(paramsHash(Object.fromEntries(Object.entries(params).reverse())));
    }),
  );
});
