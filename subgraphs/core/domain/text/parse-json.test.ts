import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { parseJson, parseStoredJson } from './parse-json.ts';

const outcome = (text: string | Uint8Array): unknown => {
  try {
    parseJson(text);
  } catch (error) {
    return error instanceof DomainError ? error.code : error;
  }
  return 'accepted';
};

// fast-check also generates the rejected keys.
const ordinary = (value: unknown): boolean => !/"(?:__proto__|prototype)":/.test(JSON.stringify(value));
const ordinaryValue = (maxDepth: number) => fc.jsonValue({ maxDepth }).filter(ordinary);

test('parses ordinary JSON values', () => {
  fc.assert(
    fc.property(ordinaryValue(10), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('accepts UTF-8 bytes with or without a byte order mark and rejects others', () => {
  expect(parseJson(Buffer.from('\ufeff{"a":"部品"}'))).toEqual({ a: '部品' });
  expect(outcome(Buffer.from([0x22, 0x83, 0x75, 0x22]))).toBe('validation_failed');
});

test('accepts 64 levels of nesting and rejects more without exhausting the stack', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect([64, 65, 1_000_000].map((depth) => outcome(nested(depth)))).toEqual([
    'accepted',
    'validation_failed',
    'validation_failed',
  ]);
});

test('rejects keys that could reach a prototype, at any depth and escaped', () => {
  const hostile = [
    '{"__proto__":{"x":1}}',
    '[{"a":{"__proto__":1}}]',
    '{"\\u005f_proto__":{}}',
    '{"constructor":{"prototype":{"x":1}}}',
  ];
  expect(hostile.map(outcome)).toEqual(hostile.map(() => 'validation_failed'));
  expect(outcome('{"constructor":"the company that built it"}')).toBe('accepted');
  expect(({} as { x?: number }).x).toBeUndefined();
});

test('rejects numbers beyond a double at any depth', () => {
  expect(['1e400', '-1e400', '[1e400]', '{"a":[{"b":-1e999}]}'].map(outcome)).toEqual(
    Array(4).fill('validation_failed'),
  );
  expect(['1.7976931348623157e308', '[1e-400]'].map(outcome)).toEqual(['accepted', 'accepted']);
});

test('rejects text that is not JSON', () => {
  expect(['', '{', '{"a":1,}', 'undefined', '{"a":1}x'].map(outcome)).toEqual(Array(5).fill('validation_failed'));
  expect(() => parseJson('\ufeff{\n"a": 1,\n}')).toThrow(
    'The body is not JSON: expected a name in double quotes at line 3, column 1, but there is "}".',
  );
});

describe('a duplicate key', () => {
  const pathOf = (text: string): unknown => {
    try {
      parseJson(text);
    } catch (error) {
      return error instanceof DomainError && (error.details.errors as { path: string }[])[0]?.path;
    }
    return null;
  };

  test.each([
    ['{"name":"a","name":"b"}', '/name'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"":1,"":2}', '/'],
    ['[{"a":{}},{"b":[0,{"c/~":1,"d":2,"c/~":3}]}]', '/1/b/1/c~1~0'],
    [' { "a" : ":" , "b\\"" : "{" , "b\\"" : 1 } ', '/b"'],
  ])('is rejected with its path in %s', (text, path) => {
    expect(pathOf(text)).toBe(path);
  });

  test.each(['{"a":{"a":1},"b":[{"a":1},{"a":1}]}', '{"a":"a","b":"a:a","c":"\\\\","d":"\\":"}'])(
    'is not reported for %s',
    (text) => {
      expect(pathOf(text)).toBeNull();
    },
  );

  test('is found at any place, and unique keys are not reported', () => {
    const keyed = fc.dictionary(fc.string(), ordinaryValue(2), { minKeys: 1, noNullPrototype: true }).filter(ordinary);
    fc.assert(
      fc.property(keyed, ordinaryValue(2), fc.nat(), (value, other, at) => {
        const entries = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}:${JSON.stringify(child)}`);
        const [key = ''] = Object.keys(value).slice(at % entries.length);
        const duplicated = [...entries, `${JSON.stringify(key)}:${JSON.stringify(other)}`].join();
        expect(pathOf(`{${entries.join()}}`)).toBeNull();
        expect(pathOf(`[0,{${duplicated}}]`)).toBe(`/1/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      }),
    );
  });

  test('is accepted in stored JSON, where the last one counts', () => {
    expect(parseStoredJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  });
});
