import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { readManifest } from './manifest.ts';

const GOOD = { name: 'rack', version: '1.2.0', entry: 'rack.mjs' };
const FILES = ['generator.json', 'rack.mjs', 'rack.mjs.sh', 'lib/rack.ts'];
const faultsOf = (manifest: unknown): string[] => {
  try {
    readManifest(typeof manifest === 'string' ? manifest : JSON.stringify(manifest), FILES);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('invalid_manifest');
    return (error.details.errors as { path: string }[]).map(({ path }) => path);
  }
};
const params = (properties: object, more: object = {}) => ({
  ...GOOD,
  params: { type: 'object', properties, ...more },
});

test('a manifest needs a name, a version and an entry; without parameters it takes none', () => {
  expect(readManifest(JSON.stringify(GOOD), FILES)).toEqual({
    ...GOOD,
    description: null,
    engine: null,
    units: null,
    makes: [],
    params: { type: 'object' },
  });
  expect(
    readManifest(
      `\ufeff${JSON.stringify({ $schema: 'https://example.com/generator.json', ...GOOD, entry: 'lib/rack.ts', units: 'mm', engine: 'replicad@1' })}`,
      FILES,
    ),
  ).toMatchObject({
    units: 'mm',
  });
});

test.each([
  ['{', ['']],
  [[], ['']],
  [{}, ['/name', '/version', '/entry']],
  [{ ...GOOD, name: '' }, ['/name']],
  [{ ...GOOD, name: 42, version: 1 }, ['/name', '/version']],
  [{ ...GOOD, param: {}, 'a/b': 1 }, ['/param', '/a~1b']],
  [{ ...GOOD, entry: '../x.mjs' }, ['/entry']],
  [{ ...GOOD, entry: '/x.mjs' }, ['/entry']],
  [{ ...GOOD, entry: 'rack.py' }, ['/entry']],
  [{ ...GOOD, entry: 'other.mjs' }, ['/entry']],
  [{ ...GOOD, engine: 'replicad@2', units: 'inch' }, ['/engine', '/units']],
  [
    { ...GOOD, entry: 'rack.mjs.sh', engine: 'my-replicad@1', description: 'x'.repeat(4_001) },
    ['/entry', '/description', '/engine'],
  ],
  [
    {
      ...GOOD,
      makes: [
        { kind: 'assembly', name: 'x' },
        { kind: 'drawing', name: 'x' },
        { kind: 'model', name: '' },
      ],
    },
    ['/makes/1', '/makes/2'],
  ],
  [{ ...GOOD, makes: { kind: 'model', name: 'x' } }, ['/makes']],
  [{ ...GOOD, makes: Array(201).fill({ kind: 'model', name: 'x' }) }, ['/makes']],
  [{ ...GOOD, params: { type: 'array' } }, ['/params']],
  [params({ a: { type: 'nr', minimum: '1' } }), ['/params/properties/a/type', '/params/properties/a/minimum']],
  [params({ 'a/b': { multipleOf: 0 } }), ['/params/properties/a~1b/multipleOf']],
  [params({ a: { $ref: 'https://example.com/schema' } }), ['/params/properties/a/$ref']],
  [params({ a: { $ref: '#/$defs/b' } }), ['/params/properties/a/$ref']],
  [params({ a: { $id: 'x', $dynamicRef: '#a' } }), ['/params/properties/a/$id', '/params/properties/a/$dynamicRef']],
  [params({ a: { pattern: 'x'.repeat(1001) } }), ['/params/properties/a/pattern']],
  [
    params({ a: { enum: [], required: 'x', allOf: [] } }),
    ['/params/properties/a/enum', '/params/properties/a/required', '/params/properties/a/allOf'],
  ],
  ['{"name":"x","version":"1","entry":"rack.mjs","__proto__":{}}', ['']],
] as const)('%j has its faults told with pointers', (manifest, paths) => {
  expect(faultsOf(manifest)).toEqual(paths);
});

test('a reference within the manifest, remarks and everything of the draft that is known pass', () => {
  const length = { type: 'number', exclusiveMinimum: 0, title: 'Length', unit: 'mm', 'x-order': 1 };
  expect(
    faultsOf(
      params(
        { a: { $ref: '#/$defs/length' }, b: { anyOf: [{ const: 1 }, { type: ['string', 'null'] }] } },
        { $defs: { length }, required: ['a'] },
      ),
    ),
  ).toEqual([]);
});

test('a schema nested beyond reason is refused, not followed', () => {
  let schema: object = { type: 'string' };
  for (let i = 0; i < 50; i++) schema = { not: schema };
  expect(faultsOf(params({ a: schema }))).not.toEqual([]);
});

test('no text makes it fail in another way', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void faultsOf(text)));
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      (value) => void faultsOf({ ...GOOD, params: { type: 'object', properties: { a: value } } } as never),
    ),
  );
});
