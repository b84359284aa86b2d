import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rewriteLocations } from './asm-edit.ts';
import type { AsmJson } from './asm-json.ts';
import { assemblyLines } from './asm-references.ts';

const location = (i: number, at = '') => `pdm://documents/PRT-${i}${at}`;

/** Templates with references, nested assemblies and unknown fields. */
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
  if ('errors' in read) throw new Error('not an assembly');
  return new Map(
    read.lines.flatMap(({ location, occurrences }) => occurrences.map(({ path }) => [path, location] as const)),
  );
};

/** Formats JSON with the given whitespace and line ends, optionally with escaped characters. */
function formatJson(value: unknown, indent: string, lineEnd: string, escaped: boolean): string {
  const text = JSON.stringify(value, null, indent).replaceAll('\n', lineEnd);
  return escaped ? text.replaceAll('"location"', '"l\\u006fcation"').replaceAll('"pdm://', '"pdm:\\/\\/') : text;
}

describe('rewriteLocations', () => {
  test('changes only the strings of the given locations', () => {
    const layout = fc.tuple(fc.constantFrom('', ' ', '\t'), fc.constantFrom('\n', '\r\n'), fc.boolean());
    fc.assert(
      fc.property(
        templates,
        layout,
        fc.infiniteStream(fc.boolean()),
        fc.string(),
        (list, [indent, lineEnd, escaped], choose, name) => {
          const text = formatJson({ name, templates: list, last: [name] }, indent, lineEnd, escaped);
          const before = referencesIn(text);
          const chosen = [...before.keys()].filter(() => choose.next().value);
          const after = rewriteLocations(
            Buffer.from(text),
            chosen.map((path) => ({ path, to: location(77, '@long.label') })),
          ).toString();
          expect(referencesIn(after)).toEqual(
            new Map(
              [...before].map(([path, old]) => [path, chosen.includes(path) ? location(77, '@long.label') : old]),
            ),
          );
          // restoring the addresses restores every byte, except escapes inside the rewritten strings
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

  test('keeps all other bytes, even invalid UTF-8', () => {
    const file = Buffer.concat([
      Buffer.from('{"x":"'),
      Buffer.of(0xff, 0xc3),
      Buffer.from(`","templates":[{"reference":{"location":"${location(1)}"}}]}`),
    ]);
    const after = rewriteLocations(file, [{ path: '/templates/0/reference', to: location(2) }]);
    expect(after.equals(Buffer.from(file.toString('latin1').replace('PRT-1', 'PRT-2'), 'latin1'))).toBe(true);
  });

  test('edits the last of duplicate keys', () => {
    const one = (i: number) => `"templates": [{"reference": {"location": "no", "location": "${location(i)}"}}]`;
    const after = rewriteLocations(Buffer.from(`{${one(1)}, ${one(2)}}`), [
      { path: '/templates/0/reference', to: location(3) },
    ]).toString();
    expect(after).toBe(`{${one(1)}, ${one(3)}}`);
  });

  test('throws for a path that does not exist', () => {
    expect(() =>
      rewriteLocations(Buffer.from('{"templates":[]}'), [{ path: '/templates/0/reference', to: 'x' }]),
    ).toThrow(/no location/);
  });
});

const unescaped = (text: string): string => text.replaceAll('pdm:\\/\\/', 'pdm://');
