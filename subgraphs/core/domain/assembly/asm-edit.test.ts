import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rewriteLocations } from './asm-edit.ts';
import type { AsmJson } from './asm-json.ts';
import { assemblyLines } from './asm-references.ts';

const location = (i: number, at = '') => `pdm://documents/PRT-${i}${at}`;

/** Templates with references, assemblies inside of them, and fields that nobody knows. */
const templates: fc.Arbitrary<unknown[]> = fc.letrec<{ list: unknown[]; template: object }>((tie) => ({
  list: fc.array(tie('template'), { maxLength: 4 }),
  template: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      'ze"ta\\': fc.string({ unit: 'grapheme' }),
      reference: fc.record({ name: fc.jsonValue({ maxDepth: 1 }), location: fc.nat(9).map((i) => location(i, '@A')) }),
      more: fc.jsonValue({ maxDepth: 2 }),
    }),
    fc.record({ assembly: fc.record({ é: fc.jsonValue({ maxDepth: 1 }), templates: tie('list') }) }),
  ),
})).list;

const referencesIn = (text: string): Map<string, string> => {
  const read = assemblyLines(JSON.parse(text) as AsmJson);
  if ('faults' in read) throw new Error('not an assembly');
  return new Map(
    read.lines.flatMap(({ location, occurrences }) => occurrences.map(({ path }) => [path, location] as const)),
  );
};

/** The same JSON as somebody else would write it: other blanks and line ends, some characters as escapes. */
function writtenAs(value: unknown, indent: string, lineEnd: string, escaped: boolean): string {
  const text = JSON.stringify(value, null, indent).replaceAll('\n', lineEnd);
  return escaped ? text.replaceAll('"location"', '"l\\u006fcation"').replaceAll('"pdm://', '"pdm:\\/\\/') : text;
}

describe('other addresses in an asm.json', () => {
  test('change nothing but the strings of the locations that are named', () => {
    const layout = fc.tuple(fc.constantFrom('', ' ', '\t'), fc.constantFrom('\n', '\r\n'), fc.boolean());
    fc.assert(
      fc.property(
        templates,
        layout,
        fc.infiniteStream(fc.boolean()),
        fc.string(),
        (list, [indent, lineEnd, escaped], choose, name) => {
          const text = writtenAs({ name, templates: list, last: [name] }, indent, lineEnd, escaped);
          const before = referencesIn(text);
          const chosen = [...before.keys()].filter(() => choose.next().value);
          const after = rewriteLocations(
            Buffer.from(text),
            chosen.map((path) => ({ path, to: location(77, '@long.label') })),
          ).toString();
          expect(referencesIn(after)).toEqual(
            new Map(
              [...before].map(([path, was]) => [path, chosen.includes(path) ? location(77, '@long.label') : was]),
            ),
          );
          // and back: byte for byte what it was, but for the escapes inside the strings that were written
          const back = rewriteLocations(
            Buffer.from(after),
            chosen.map((path) => ({ path, to: before.get(path)! })),
          ).toString();
          expect(unescaped(back)).toBe(unescaped(text));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('leave every byte that is not theirs, even one that is no UTF-8', () => {
    const file = Buffer.concat([
      Buffer.from('{"x":"'),
      Buffer.of(0xff, 0xc3),
      Buffer.from(`","templates":[{"reference":{"location":"${location(1)}"}}]}`),
    ]);
    const after = rewriteLocations(file, [{ path: '/templates/0/reference', to: location(2) }]);
    expect(after.equals(Buffer.from(file.toString('latin1').replace('PRT-1', 'PRT-2'), 'latin1'))).toBe(true);
  });

  test('go where JSON.parse looks when a key stands twice', () => {
    const one = (i: number) => `"templates": [{"reference": {"location": "no", "location": "${location(i)}"}}]`;
    const after = rewriteLocations(Buffer.from(`{${one(1)}, ${one(2)}}`), [
      { path: '/templates/0/reference', to: location(3) },
    ]).toString();
    expect(after).toBe(`{${one(1)}, ${one(3)}}`);
  });

  test('at a path that is not there are a fault of the caller', () => {
    expect(() =>
      rewriteLocations(Buffer.from('{"templates":[]}'), [{ path: '/templates/0/reference', to: 'x' }]),
    ).toThrow(/no location/);
  });
});

const unescaped = (text: string): string => text.replaceAll('pdm:\\/\\/', 'pdm://');
