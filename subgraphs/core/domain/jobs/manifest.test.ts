import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { parseManifest } from './manifest.ts';

const VALID = { name: 'rack', version: '1.2.0', entry: 'rack.mjs' };
const FILES = ['generator.json', 'rack.mjs', 'rack.mjs.sh', 'lib/rack.ts'];
const errorPathsOf = (manifest: unknown): string[] => {
  try {
    parseManifest(typeof manifest === 'string' ? manifest : JSON.stringify(manifest), FILES);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('invalid_manifest');
    return (error.details.errors as { path: string }[]).map(({ path }) => path);
  }
};
const params = (properties: object, more: object = {}) => ({
  ...VALID,
  params: { type: 'object', properties, ...more },
});

test('requires a name, a version and an entry, and defaults to no parameters', () => {
  expect(parseManifest(JSON.stringify(VALID), FILES)).toEqual({
    ...VALID,
    description: null,
    engine: null,
    units: null,
    makes: [],
    params: { type: 'object' },
  });
  expect(
    parseManifest(
      `\ufeff${JSON.stringify({ $schema: 'https://example.com/generator.json', ...VALID, entry: 'lib/rack.ts', units: 'mm', engine: 'replicad@1' })}`,
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
  [{ ...VALID, name: '' }, ['/name']],
  [{ ...VALID, name: 42, version: 1 }, ['/name', '/version']],
  [{ ...VALID, param: {}, 'a/b': 1 }, ['/param', '/a~1b']],
  [{ ...VALID, entry: '../x.mjs' }, ['/entry']],
  [{ ...VALID, entry: '/x.mjs' }, ['/entry']],
  [{ ...VALID, entry: 'rack.py' }, ['/entry']],
  [{ ...VALID, entry: 'other.mjs' }, ['/entry']],
  [{ ...VALID, engine: 'replicad@2', units: 'inch' }, ['/engine', '/units']],
  [
    { ...VALID, entry: 'rack.mjs.sh', engine: 'my-replicad@1', description: 'x'.repeat(4_001) },
    ['/entry', '/description', '/engine'],
  ],
  [
    {
      ...VALID,
      makes: [
        { kind: 'assembly', name: 'x' },
        { kind: 'drawing', name: 'x' },
        { kind: 'model', name: '' },
      ],
    },
    ['/makes/1', '/makes/2'],
  ],
  [{ ...VALID, makes: { kind: 'model', name: 'x' } }, ['/makes']],
  [{ ...VALID, makes: Array(201).fill({ kind: 'model', name: 'x' }) }, ['/makes']],
  [{ ...VALID, params: { type: 'array' } }, ['/params']],
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
] as const)('reports the errors of %j with JSON pointers', (manifest, paths) => {
  expect(errorPathsOf(manifest)).toEqual(paths);
});

test('accepts local references, annotations and supported keywords', () => {
  const length = { type: 'number', exclusiveMinimum: 0, title: 'Length', unit: 'mm', 'x-order': 1 };
  expect(
    errorPathsOf(
      params(
        { a: { $ref: '#/$defs/length' }, b: { anyOf: [{ const: 1 }, { type: ['string', 'null'] }] } },
        { $defs: { length }, required: ['a'] },
      ),
    ),
  ).toEqual([]);
});

test('rejects deeply nested schemas', () => {
  let schema: object = { type: 'string' };
  for (let i = 0; i < 50; i++) schema = { not: schema };
  expect(errorPathsOf(params({ a: schema }))).not.toEqual([]);
});

test('throws only DomainErrors for any text', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void errorPathsOf(text)));
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      (value) => void errorPathsOf({ ...VALID, params: { type: 'object', properties: { a: value } } } as never),
    ),
  );
});
