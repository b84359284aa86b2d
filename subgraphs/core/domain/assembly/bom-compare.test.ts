import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBoms, compareLines } from './bom-compare.ts';
import type { BomLine, BomStructure } from './bom-line.ts';

/**
 * Creates a line, e.g. `to('bolt', 2, 4)`: version 2 of the document, four times. `at` is the suffix of the address.
 */
function to(name: string, n: number, quantity = 1, at = ''): BomLine {
  const address = `pdm://documents/${name.toUpperCase()}${at}`;
  const resolution = { as: 'version' as const, label: null, n, versionId: `${name}.${n}`, pinned: at !== '' };
  return {
    findNumber: 0,
    address,
    key: address,
    quantity,
    documentId: name,
    resolution,
    hasLines: false,
    reason: null,
  };
}

/** Creates a structure from lines by version. */
function structure(uses: Record<string, BomLine[]>): BomStructure {
  const lines = Object.entries(uses).map(([version, own]) => {
    const read = own.map((line, i) => ({
      ...line,
      findNumber: i + 1,
      hasLines: (line.resolution?.versionId ?? '') in uses,
    }));
    return [version, read] as const;
  });
  return { lines: new Map(lines), documents: new Map() };
}

const compare = (uses: Record<string, BomLine[]>) =>
  compareBoms('top.1', 'top.2', structure(uses)).map(({ change, differences, contentChanged, level, from, to }) => [
    change,
    differences.join('+'),
    contentChanged,
    level,
    from && `${from.path} ${from.documentId} ×${from.totalQuantity}`,
    to && `${to.path} ${to.documentId} ×${to.totalQuantity}`,
  ]);

describe('compareBoms', () => {
  test('lists added, removed and changed lines in the order of the second side, removed lines last', () => {
    const uses = {
      'top.1': [to('a', 1), to('b', 1, 2), to('c', 1)],
      'top.2': [to('d', 1, 3), to('b', 1, 5), to('a', 1, 1, '@v1')],
    };
    expect(compare(uses)).toEqual([
      ['added', '', false, 1, null, '1 d ×3'],
      ['changed', 'quantity', false, 1, '2 b ×2', '2 b ×5'],
      ['changed', 'address', false, 1, '1 a ×1', '3 a ×1'],
      ['removed', '', false, 1, '3 c ×1', null],
    ]);
  });

  test('reports an assembly of which only the version differs as indirect and lists its differences', () => {
    const uses = {
      'top.1': [to('leg', 1, 4)],
      'top.2': [to('leg', 2, 4)],
      'leg.1': [to('foot', 1)],
      'leg.2': [to('foot', 2)],
      'foot.1': [to('screw', 1, 4), to('rubber', 1)],
      'foot.2': [to('screw', 1, 6), to('rubber', 2)],
    };
    expect(compare(uses)).toEqual([
      ['indirect', 'version', true, 1, '1 leg ×4', '1 leg ×4'],
      ['indirect', 'version', true, 2, '1.1 foot ×4', '1.1 foot ×4'],
      ['changed', 'quantity', false, 3, '1.1.1 screw ×16', '1.1.1 screw ×24'],
      ['changed', 'version', false, 3, '1.1.2 rubber ×4', '1.1.2 rubber ×4'],
    ]);
  });

  test('reports an assembly as changed if its line differs, or its version differs without other content', () => {
    const inside = {
      'leg.1': [to('screw', 1)],
      'leg.2': [to('screw', 2)],
      'frame.1': [to('bar', 1)],
      'frame.2': [to('bar', 1)],
    };
    expect(
      compare({ 'top.1': [to('leg', 1, 4), to('frame', 1)], 'top.2': [to('leg', 2, 3), to('frame', 2)], ...inside }),
    ).toEqual([
      ['changed', 'quantity+version', true, 1, '1 leg ×4', '1 leg ×3'],
      ['changed', 'version', false, 2, '1.1 screw ×4', '1.1 screw ×3'],
      ['changed', 'version', false, 1, '2 frame ×1', '2 frame ×1'],
    ]);
  });

  test('lists the content of an assembly that was empty before, but not of a removed one', () => {
    expect(compare({ 'top.1': [to('leg', 1)], 'top.2': [to('leg', 2)], 'leg.2': [to('screw', 1)] })).toEqual([
      ['indirect', 'version', true, 1, '1 leg ×1', '1 leg ×1'],
      ['added', '', false, 2, null, '1.1 screw ×1'],
    ]);
    expect(compare({ 'top.1': [to('leg', 1)], 'top.2': [] })).toEqual([['removed', '', false, 1, '1 leg ×1', null]]);
  });

  test('reports a version difference for an address that resolves only on one side', () => {
    const unresolved = { ...to('a', 1), documentId: null, resolution: null, reason: 'There is no document A.' };
    const withoutVersion = { ...unresolved, documentId: 'a' };
    expect(compare({ 'top.1': [withoutVersion], 'top.2': [to('a', 1)] })).toEqual([
      ['changed', 'version', false, 1, '1 a ×1', '1 a ×1'],
    ]);
    expect(compare({ 'top.1': [unresolved], 'top.2': [unresolved] })).toEqual([]);
  });

  test('lists shared assemblies at every occurrence and rejects more than 40,000 changes', () => {
    const doubled = Array.from({ length: 20 }, (_, i) =>
      [1, 2].map((n) => [`l${i}.${n}`, [to(`l${i + 1}`, n), to(`l${i + 1}`, n, 1, '@x')]] as const),
    ).flat();
    const tops = { 'top.1': [to('l0', 1)], 'top.2': [to('l0', 2)] };
    const uses = { ...Object.fromEntries(doubled), 'l20.1': [to('z', 1)], 'l20.2': [to('z', 2)], ...tops };
    expect(() => compare(uses)).toThrow(/more than 40000/);
    expect(compare({ ...uses, 'l3.1': [to('z', 1)], 'l3.2': [to('z', 2)] })).toHaveLength(1 + 2 + 4 + 8 + 8);
  });
});

// one line for each address, as in assemblies
const lines = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.integer({ min: 1, max: 2 }),
    fc.integer({ min: 1, max: 2 }),
    fc.constantFrom('', '@v1', '@A'),
  ),
  { maxLength: 5, selector: ([name, , , at]) => name + at },
);
const toLines = (tuples: [string, number, number, string][]) => tuples.map((each) => to(...each));

describe('compareLines', () => {
  test('returns no changes for equal lines in any order', () => {
    fc.assert(
      fc.property(lines, (tuples) => {
        expect(compareLines(toLines(tuples), toLines(tuples.toReversed()))).toEqual([]);
      }),
    );
  });

  test('lists each line at most once, and omits only lines with an equal on the other side', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [from, to] = [toLines(before), toLines(after)];
        const changes = compareLines(from, to);
        const [fromSide, toSide] = [
          changes.flatMap((change) => change.from ?? []),
          changes.flatMap((change) => change.to ?? []),
        ];
        expect([new Set(fromSide).size, new Set(toSide).size]).toEqual([fromSide.length, toSide.length]);
        const rest = (all: BomLine[], listed: BomLine[]) =>
          all
            .filter((line) => !listed.includes(line))
            .map((line) => JSON.stringify(line))
            .sort();
        expect(rest(from, fromSide)).toEqual(rest(to, toSide));
        for (const { from, to, differences } of changes)
          if (from && to) expect([from.documentId, differences.length > 0]).toEqual([to.documentId, true]);
      }),
    );
  });

  test('reports additions as removals when the sides are swapped', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const count = (from: BomLine[], to: BomLine[]) =>
          compareLines(from, to).filter((change) => !change.from).length;
        const removed = compareLines(toLines(after), toLines(before)).filter((change) => !change.to).length;
        expect(count(toLines(before), toLines(after))).toBe(removed);
      }),
    );
  });
});
