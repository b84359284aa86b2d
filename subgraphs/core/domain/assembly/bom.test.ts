import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BomMode, type BomRow, bomRows } from './bom.ts';
import { type BomDocument, type BomLine, type BomStructure, versionsWithOutdated } from './bom-line.ts';

// Versions v0, v1 … of documents d0, d1 …; each uses only later ones, so none contains itself. v0 is the top.
type Plan = { uses: [later: number, quantity: number][][]; outdated: boolean[] };
const plans: fc.Arbitrary<Plan> = fc.integer({ min: 1, max: 7 }).chain((count) =>
  fc.record({
    uses: fc.tuple(
      ...Array.from({ length: count }, (_, i) =>
        i === count - 1
          ? fc.constant<[number, number][]>([])
          : fc.array(fc.tuple(fc.integer({ min: i + 1, max: count - 1 }), fc.integer({ min: 1, max: 5 })), {
              maxLength: 3,
            }),
      ),
    ),
    outdated: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
  }),
);

function structureOf({ uses, outdated }: Plan): BomStructure {
  const lines = uses.map((own, version) => {
    const read = own.map(([to, quantity], i) =>
      lineTo(to, { findNumber: i + 1, quantity, hasLines: (uses[to]?.length ?? 0) > 0 }),
    );
    return [`v${version}`, read] as const;
  });
  return {
    lines: new Map(lines.filter(([, own]) => own.length)),
    documents: new Map(uses.map((own, i) => [`d${i}`, document(i, own.length > 0, outdated[i])])),
  };
}

function lineTo(to: number, more: Partial<BomLine>): BomLine {
  const address = `pdm://documents/P-${to}`;
  const resolution = { as: 'version' as const, label: null, n: 1, versionId: `v${to}`, pinned: true };
  return {
    findNumber: 1,
    address,
    key: address,
    quantity: 1,
    documentId: `d${to}`,
    resolution,
    hasLines: false,
    reason: null,
    ...more,
  };
}

function document(i: number, isAssembly: boolean, outdated = false): BomDocument {
  const newest = {
    as: 'version' as const,
    label: null,
    versionId: outdated ? `newer than v${i}` : `v${i}`,
    n: outdated ? 2 : 1,
    obsolete: false,
    pinned: false,
  };
  return { number: `P-${i}`, name: `Part ${i}`, kind: isAssembly ? 'assembly' : 'model', newest, obsolete: new Set() };
}

const rowsOf = (structure: BomStructure, mode: BomMode, depth?: number) => bomRows('v0', structure, { mode, depth });
const leavesOf = (rows: readonly BomRow[]) =>
  rows.filter(({ path }) => !rows.some((other) => other.path.startsWith(`${path}.`)));
const depths = fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined });

describe('bomRows', () => {
  test('multiplies the quantities down each path', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const rows = rowsOf(structureOf(plan), 'indented');
        const byPath = new Map(rows.map((row) => [row.path, row]));
        for (const row of rows) {
          const ancestors = row.path.split('.').map((_, i, steps) => byPath.get(steps.slice(0, i + 1).join('.')));
          expect(row.totalQuantity).toBe(
            ancestors.reduce((product, each) => product * (each?.quantity ?? Number.NaN), 1),
          );
          expect([row.level, row.findNumber]).toEqual([ancestors.length, Number(row.path.split('.').at(-1))]);
        }
        expect(byPath.size).toBe(rows.length);
      }),
    );
  });

  test('truncates the tree at the requested depth, and treats top as depth 1', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 8 }), (plan, depth) => {
        const structure = structureOf(plan);
        expect(rowsOf(structure, 'indented', depth)).toEqual(
          rowsOf(structure, 'indented').filter(({ level }) => level <= depth),
        );
        expect(rowsOf(structure, 'top', depth)).toEqual(rowsOf(structure, 'indented', 1));
      }),
    );
  });

  test('sums the leaves by version in flat mode at any depth', () => {
    fc.assert(
      fc.property(plans, depths, (plan, depth) => {
        const structure = structureOf(plan);
        const sums = new Map<string | undefined, number>();
        for (const { resolution, totalQuantity } of leavesOf(rowsOf(structure, 'indented', depth)))
          sums.set(resolution?.versionId, (sums.get(resolution?.versionId) ?? 0) + totalQuantity);
        const flat = rowsOf(structure, 'flat', depth);
        expect(new Map(flat.map(({ resolution, totalQuantity }) => [resolution?.versionId, totalQuantity]))).toEqual(
          sums,
        );
        expect(flat.map(({ path, findNumber, level }) => [path, findNumber, level])).toEqual(
          flat.map((_, i) => [String(i + 1), i + 1, 1]),
        );
        expect(flat.map(({ number }) => number)).toEqual(flat.map(({ number }) => number).sort());
      }),
    );
  });

  test('marks every row above an outdated one, also from below the cut', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 8 }), (plan, depth) => {
        const structure = structureOf(plan);
        const all = rowsOf(structure, 'indented');
        for (const row of rowsOf(structure, 'indented', depth)) {
          expect(row.outdated).toBe(plan.outdated[Number(row.number?.slice(2))]);
          expect(row.outdatedBelow).toBe(all.some(({ path, outdated }) => outdated && path.startsWith(`${row.path}.`)));
        }
        expect(versionsWithOutdated(structure).has('v0')).toBe(all.some(({ outdated }) => outdated));
      }),
    );
  });
});

test('multiplies 4 legs by 4 screws', () => {
  const structure = structureOf({ uses: [[[1, 4]], [[2, 4]], []], outdated: [] });
  expect(rowsOf(structure, 'indented').map(({ path, totalQuantity }) => [path, totalQuantity])).toEqual([
    ['1', 4],
    ['1.1', 16],
  ]);
});

test('marks an obsolete release and reports it as outdated if there is a newer one', () => {
  const structure = structureOf({ uses: [[[1, 1]], []], outdated: [false, true] });
  const { documents, ...rest } = structure;
  const known = new Map([...documents, ['d1', { ...document(1, false, true), obsolete: new Set(['v1']) }] as const]);
  expect(rowsOf({ ...rest, documents: known }, 'top')[0]).toMatchObject({
    outdated: true,
    resolution: { obsolete: true },
  });
});

test('names the version in flat rows with several addresses and lists unresolved lines last', () => {
  const pinned = lineTo(1, { quantity: 2, address: 'pdm://documents/P-1@v1', key: 'pdm://documents/P-1@v1' });
  const unresolved = { documentId: null, resolution: null, reason: 'There is no document X.' };
  const lines = [
    lineTo(9, { ...unresolved, findNumber: 1, address: 'x', key: 'x' }),
    lineTo(1, { findNumber: 2 }),
    { ...pinned, findNumber: 3 },
  ];
  const structure = { lines: new Map([['v0', lines]]), documents: new Map([['d1', document(1, false)]]) };
  expect(rowsOf(structure, 'flat')).toMatchObject([
    { path: '1', number: 'P-1', address: 'pdm://documents/P-1@v1', totalQuantity: 3, resolution: { pinned: true } },
    { path: '2', number: null, address: 'x', status: 'unresolved', reason: 'There is no document X.' },
  ]);
  expect(
    rowsOf({ ...structure, lines: new Map([['v0', [lineTo(1, {}), lineTo(1, { findNumber: 2 })]]]) }, 'flat'),
  ).toMatchObject([{ address: 'pdm://documents/P-1', totalQuantity: 2 }]);
});

describe('the limits', () => {
  const chain = (length: number, each: [number, number][] | null = null): Plan => ({
    uses: Array.from({ length }, (_, i) =>
      i === length - 1 ? [] : (each ?? [[1, 1] as [number, number]]).map(([, q]) => [i + 1, q]),
    ),
    outdated: [],
  });
  const errorOf = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  test.each<BomMode>(['indented', 'flat'])('rejects more than 50 levels in mode %s', (mode) => {
    expect(rowsOf(structureOf(chain(51)), mode)).toHaveLength(mode === 'flat' ? 1 : 50);
    const deep = structureOf(chain(52));
    expect(errorOf(() => rowsOf(deep, mode))).toMatchObject({
      code: 'validation_failed',
      details: { limit: 'bomDepth', allowed: 50 },
    });
    expect(rowsOf(deep, mode, 50).at(-1)).toMatchObject({ number: 'P-50' });
  });

  test('rejects more than 100,000 rows, but not in flat mode', () => {
    const doubled = structureOf(
      chain(18, [
        [1, 1],
        [1, 1],
      ]),
    );
    expect(errorOf(() => rowsOf(doubled, 'indented'))).toMatchObject({
      code: 'validation_failed',
      message: expect.stringMatching(/262142 rows.*depth.*flat/),
      details: { limit: 'bomRows', allowed: 100_000, found: 2 ** 18 - 2 },
    });
    expect(rowsOf(doubled, 'indented', 12)).toHaveLength(2 ** 13 - 2);
    expect(rowsOf(doubled, 'flat')).toMatchObject([{ totalQuantity: 2 ** 17 }]);
  });

  test.each<BomMode>(['indented', 'flat'])('rejects quantities beyond the safe integers in mode %s', (mode) => {
    const many = structureOf(chain(7, [[1, 1_000]]));
    expect(errorOf(() => rowsOf(many, mode))).toMatchObject({
      code: 'validation_failed',
      details: { limit: 'bomQuantity' },
    });
  });

  test.each([0, -1, 51, 1.5, Number.NaN])('rejects a depth of %d', (depth) => {
    expect(errorOf(() => rowsOf(structureOf(chain(3)), 'indented', depth))).toMatchObject({
      code: 'validation_failed',
    });
  });
});
