import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBoms, compareLines } from './bom-compare.ts';
import type { BomLine, BomStructure } from './bom-line.ts';

/** A line by its document, e.g. `to('bolt', 2, 4)`: version 2 of it, four times; an address when it is not the bare one. */
function to(name: string, n: number, quantity = 1, at = ''): BomLine {
  const address = `pdm://documents/${name.toUpperCase()}${at}`;
  const resolution = { as: 'version' as const, label: null, n, versionId: `${name}.${n}`, pinned: at !== '' };
  return { findNumber: 0, address, key: address, quantity, documentId: name, resolution, opens: false, reason: null };
}

/** Lines by version; what has lines is opened where it is used. */
function structure(uses: Record<string, BomLine[]>): BomStructure {
  const lines = Object.entries(uses).map(([version, own]) => {
    const read = own.map((line, i) => ({
      ...line,
      findNumber: i + 1,
      opens: (line.resolution?.versionId ?? '') in uses,
    }));
    return [version, read] as const;
  });
  return { lines: new Map(lines), documents: new Map() };
}

const told = (uses: Record<string, BomLine[]>) =>
  compareBoms('top.1', 'top.2', structure(uses)).map(({ change, differences, contentChanged, level, from, to }) => [
    ...[change, differences.join('+'), contentChanged, level],
    ...[
      from && `${from.path} ${from.documentId} ×${from.totalQuantity}`,
      to && `${to.path} ${to.documentId} ×${to.totalQuantity}`,
    ],
  ]);

describe('two structures', () => {
  test('lines are added, removed and changed, in the order of the second; what only the first has comes last', () => {
    const uses = {
      'top.1': [to('a', 1), to('b', 1, 2), to('c', 1)],
      'top.2': [to('d', 1, 3), to('b', 1, 5), to('a', 1, 1, '@v1')],
    };
    expect(told(uses)).toEqual([
      ['added', '', false, 1, null, '1 d ×3'],
      ['changed', 'quantity', false, 1, '2 b ×2', '2 b ×5'],
      ['changed', 'address', false, 1, '1 a ×1', '3 a ×1'],
      ['removed', '', false, 1, '3 c ×1', null],
    ]);
  });

  test('an assembly that is used alike but in another version is changed indirectly when something inside differs, at any depth', () => {
    const uses = {
      ...{ 'top.1': [to('leg', 1, 4)], 'top.2': [to('leg', 2, 4)], 'leg.1': [to('foot', 1)], 'leg.2': [to('foot', 2)] },
      ...{ 'foot.1': [to('screw', 1, 4), to('rubber', 1)], 'foot.2': [to('screw', 1, 6), to('rubber', 2)] },
    };
    expect(told(uses)).toEqual([
      ['indirect', 'version', true, 1, '1 leg ×4', '1 leg ×4'],
      ['indirect', 'version', true, 2, '1.1 foot ×4', '1.1 foot ×4'],
      ['changed', 'quantity', false, 3, '1.1.1 screw ×16', '1.1.1 screw ×24'],
      ['changed', 'version', false, 3, '1.1.2 rubber ×4', '1.1.2 rubber ×4'],
    ]);
  });

  test('an assembly is changed when its own line differs too, or when another version of it uses the same', () => {
    const inside = {
      'leg.1': [to('screw', 1)],
      'leg.2': [to('screw', 2)],
      'frame.1': [to('bar', 1)],
      'frame.2': [to('bar', 1)],
    };
    expect(
      told({ 'top.1': [to('leg', 1, 4), to('frame', 1)], 'top.2': [to('leg', 2, 3), to('frame', 2)], ...inside }),
    ).toEqual([
      ['changed', 'quantity+version', true, 1, '1 leg ×4', '1 leg ×3'],
      ['changed', 'version', false, 2, '1.1 screw ×4', '1.1 screw ×3'],
      ['changed', 'version', false, 1, '2 frame ×1', '2 frame ×1'],
    ]);
  });

  test('what was empty and now uses something, and the other way round, differs inside', () => {
    expect(told({ 'top.1': [to('leg', 1)], 'top.2': [to('leg', 2)], 'leg.2': [to('screw', 1)] })).toEqual([
      ['indirect', 'version', true, 1, '1 leg ×1', '1 leg ×1'],
      ['added', '', false, 2, null, '1.1 screw ×1'],
    ]);
    expect(told({ 'top.1': [to('leg', 1)], 'top.2': [] })).toEqual([['removed', '', false, 1, '1 leg ×1', null]]);
  });

  test('an address that means something now differs in its version', () => {
    const lost = { ...to('a', 1), documentId: null, resolution: null, reason: 'There is no document A.' };
    const waiting = { ...lost, documentId: 'a' };
    expect(told({ 'top.1': [waiting], 'top.2': [to('a', 1)] })).toEqual([
      ['changed', 'version', false, 1, '1 a ×1', '1 a ×1'],
    ]);
    expect(told({ 'top.1': [lost], 'top.2': [lost] })).toEqual([]);
  });

  test('shared assemblies that differ are told at every place, and more than 40,000 changes refused', () => {
    const doubled = Array.from({ length: 20 }, (_, i) =>
      [1, 2].map((n) => [`l${i}.${n}`, [to(`l${i + 1}`, n), to(`l${i + 1}`, n, 1, '@x')]] as const),
    ).flat();
    const tops = { 'top.1': [to('l0', 1)], 'top.2': [to('l0', 2)] };
    const uses = { ...Object.fromEntries(doubled), 'l20.1': [to('z', 1)], 'l20.2': [to('z', 2)], ...tops };
    expect(() => told(uses)).toThrow(/more than 40000/);
    expect(told({ ...uses, 'l3.1': [to('z', 1)], 'l3.2': [to('z', 2)] })).toHaveLength(1 + 2 + 4 + 8 + 8);
  });
});

// one line for each address, as assemblies have it
const lines = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('a', 'b', 'c'),
    fc.integer({ min: 1, max: 2 }),
    fc.integer({ min: 1, max: 2 }),
    fc.constantFrom('', '@v1', '@A'),
  ),
  { maxLength: 5, selector: ([name, , , at]) => name + at },
);
const read = (given: [string, number, number, string][]) => given.map((each) => to(...each));

describe('lines of any two assemblies', () => {
  test('equal ones do not differ, in whatever order', () => {
    fc.assert(
      fc.property(lines, (given) => {
        expect(compareLines(read(given), read(given.toReversed()))).toEqual([]);
      }),
    );
  });

  test('every line is told at most once, and what is not told has its equal on the other side', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [from, to] = [read(before), read(after)];
        const changes = compareLines(from, to);
        const [mine, theirs] = [
          changes.flatMap((change) => change.from ?? []),
          changes.flatMap((change) => change.to ?? []),
        ];
        expect([new Set(mine).size, new Set(theirs).size]).toEqual([mine.length, theirs.length]);
        const rest = (all: BomLine[], seen: BomLine[]) =>
          all
            .filter((line) => !seen.includes(line))
            .map((line) => JSON.stringify(line))
            .sort();
        expect(rest(from, mine)).toEqual(rest(to, theirs));
        for (const { from, to, differences } of changes)
          if (from && to) expect([from.documentId, differences.length > 0]).toEqual([to.documentId, true]);
      }),
    );
  });

  test('the other way round additions are removals', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const count = (from: BomLine[], to: BomLine[]) =>
          compareLines(from, to).filter((change) => !change.from).length;
        const removed = compareLines(read(after), read(before)).filter((change) => !change.to).length;
        expect(count(read(before), read(after))).toBe(removed);
      }),
    );
  });
});
