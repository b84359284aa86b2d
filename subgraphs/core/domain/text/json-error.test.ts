import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeJsonError } from './json-error.ts';

test.each([
  ['', 'expected a value at line 1, column 1, but the text ends'],
  ['{"a": 1', 'expected a comma or } at line 1, column 8, but the text ends'],
  ['{"a": 1,}', 'expected a name in double quotes at line 1, column 9, but there is "}"'],
  ["{'a': 1}", 'expected a name in double quotes or } at line 1, column 2, but there is "\'"'],
  ['{\n  "a" 1\n}', 'expected a colon at line 2, column 7, but there is "1"'],
  ['[1 2]', 'expected a comma or ] at line 1, column 4, but there is "2"'],
  ['[1,]', 'expected a value at line 1, column 4, but there is "]"'],
  ['{} {}', 'expected the end of the text at line 1, column 4, but there is "{"'],
  ['"a\nb"', 'expected the end of a string at line 1, column 3, but there is "\\n"'],
  ['"\\x41"', 'expected a valid escape sequence at line 1, column 2, but there is "\\\\"'],
  ['NaN', 'expected a value at line 1, column 1, but there is "N"'],
])('describes the error of %j', (text, description) => {
  expect(describeJsonError(text)).toBe(description);
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('finds an error exactly if JSON.parse does', () => {
  const fragments = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u00e4',
    '\\u12',
    '1',
    '-',
    '.',
    'e5',
    '0',
    'true',
    'nul',
  ];
  const near = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.nat(2),
      fc.constantFrom('', ...fragments, ' ', '\n', '\u007f', '\u0085', '\u0001', '🦊'),
    )
    .map(([text, at, length, inserted]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + inserted + text.slice(start + length);
    });
  const built = fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join(''));
  const check = (text: string): void => {
    expect([text, describeJsonError(text) === null]).toEqual([text, isJson(text)]);
  };
  fc.assert(fc.property(fc.oneof(near, built), check), { numRuns: 3000 });
});

test('describes the end of a long text without exhausting the stack', () => {
  expect(describeJsonError('['.repeat(1_000_000))).toContain('expected a value or ] at line 1, column 1000001');
  expect(describeJsonError(`"${'x'.repeat(5_000_000)}`)).toContain('expected the end of a string');
  expect(describeJsonError(`"${'\\n'.repeat(2_000_000)}`)).toContain('expected the end of a string');
});
