import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { parseJson, parseStoredJson } from './parse-json.ts';

const refusal = (text: string | Uint8Array): unknown => {
  try {
    parseJson(text);
  } catch (error) {
    return error instanceof DomainError ? error.code : error;
  }
  return 'accepted';
};

// fast-check likes the names that are refused
const ordinary = (value: unknown): boolean => !/"(?:__proto__|prototype)":/.test(JSON.stringify(value));
const ordinaryValue = (maxDepth: number) => fc.jsonValue({ maxDepth }).filter(ordinary);

test('any ordinary JSON value is read as it is', () => {
  fc.assert(
    fc.property(ordinaryValue(10), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('bytes are UTF-8, with or without the mark, or refused', () => {
  expect(parseJson(Buffer.from('\ufeff{"a":"部品"}'))).toEqual({ a: '部品' });
  expect(refusal(Buffer.from([0x22, 0x83, 0x75, 0x22]))).toBe('validation_failed');
});

test('nesting of 64 levels is read, of 65 refused, and of a million refused without exhausting the stack', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect([64, 65, 1_000_000].map((depth) => refusal(nested(depth)))).toEqual([
    'accepted',
    'validation_failed',
    'validation_failed',
  ]);
});

test('keys that could reach a prototype are refused wherever they are, also when escaped', () => {
  const hostile = [
    '{"__proto__":{"x":1}}',
    '[{"a":{"__proto__":1}}]',
    '{"\\u005f_proto__":{}}',
    '{"constructor":{"prototype":{"x":1}}}',
  ];
  expect(hostile.map(refusal)).toEqual(hostile.map(() => 'validation_failed'));
  expect(refusal('{"constructor":"the firm that built it"}')).toBe('accepted');
  expect(({} as { x?: number }).x).toBeUndefined();
});

test('a number beyond all numbers is refused wherever it is', () => {
  expect(['1e400', '-1e400', '[1e400]', '{"a":[{"b":-1e999}]}'].map(refusal)).toEqual(
    Array(4).fill('validation_failed'),
  );
  expect(['1.7976931348623157e308', '[1e-400]'].map(refusal)).toEqual(['accepted', 'accepted']);
});

test('text that is no JSON is refused', () => {
  expect(['', '{', '{"a":1,}', 'undefined', '{"a":1}x'].map(refusal)).toEqual(Array(5).fill('validation_failed'));
});

describe('a key that stands twice in its object', () => {
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
  ])('%s is refused, naming it', (text, path) => {
    expect(pathOf(text)).toBe(path);
  });

  test.each(['{"a":{"a":1},"b":[{"a":1},{"a":1}]}', '{"a":"a","b":"a:a","c":"\\\\","d":"\\":"}'])(
    '%s has none',
    (text) => {
      expect(pathOf(text)).toBeNull();
    },
  );

  test('is found wherever it is put, and no other key is taken for one', () => {
    const keyed = fc.dictionary(fc.string(), ordinaryValue(2), { minKeys: 1, noNullPrototype: true }).filter(ordinary);
    fc.assert(
      fc.property(keyed, ordinaryValue(2), fc.nat(), (value, other, at) => {
        const entries = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}:${JSON.stringify(child)}`);
        const [key = ''] = Object.keys(value).slice(at % entries.length);
        const twice = [...entries, `${JSON.stringify(key)}:${JSON.stringify(other)}`].join();
        expect(pathOf(`{${entries.join()}}`)).toBeNull();
        expect(pathOf(`[0,{${twice}}]`)).toBe(`/1/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      }),
    );
  });

  test('in what was stored before is passed over: the last one counts', () => {
    expect(parseStoredJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  });
});
