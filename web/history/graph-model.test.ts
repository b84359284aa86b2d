import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  edgesAcross,
  edgesOf,
  type GraphVersion,
  type GraphWorkspace,
  gridOf,
  rowsOf,
  windowFrom,
} from '../../subgraphs/core/domain/version-graph.ts';
import {
  entriesOf,
  type GraphPage,
  type History,
  type HistoryNode,
  nextWindow,
  rowCount,
  rowOfNode,
  type Wanted,
  withNode,
  withPage,
} from './graph-model.ts';
import { linesOf } from './lines.ts';

// the service's own rules answer here, as it does window by window
type Life = { workspaces: GraphWorkspace[]; versions: GraphVersion[]; drafts: GraphVersion[] };

function live(deeds: readonly (readonly ['make' | 'fork' | 'takeOver', number, number])[], life: Life = begin()): Life {
  const { workspaces, versions, drafts } = structuredClone(life);
  for (const [deed, i, j] of deeds) {
    const target = drafts[i % drafts.length];
    const version = versions[j % Math.max(versions.length, 1)];
    if (!target) throw new Error('there is always a draft');
    if (deed === 'make') {
      const made = { ...target, _id: `v${versions.length + 1}`, type: 'version' as const, n: versions.length + 1 };
      versions.push(made);
      drafts[drafts.indexOf(target)] = draft(target.workspaceId, made._id);
    } else if (version && deed === 'fork') {
      const id = `w${workspaces.length}`;
      workspaces.push({ id, from: { workspaceId: version.workspaceId, n: version.n ?? 0 } });
      drafts.push(draft(id, version._id));
    } else if (version && version._id !== target.basedOnVersionId)
      drafts[drafts.indexOf(target)] = { ...target, parents: [...new Set([...target.parents, version._id])] };
  }
  return { workspaces, versions, drafts };
}

const begin = (): Life => ({ workspaces: [{ id: 'w0', from: null }], versions: [], drafts: [draft('w0', null)] });

function draft(workspaceId: string, basedOnVersionId: string | null): GraphVersion {
  return {
    _id: `draft of ${workspaceId}`,
    workspaceId,
    type: 'draft',
    n: null,
    basedOnVersionId,
    parents: basedOnVersionId ? [basedOnVersionId] : [],
  };
}

function pageOf(
  { workspaces, versions, drafts }: Life,
  { fromRow = Number.MAX_SAFE_INTEGER, limit }: Partial<Wanted> & { limit: number },
): GraphPage {
  const grid = gridOf(workspaces, versions.length);
  const window = windowFrom(grid, fromRow, limit);
  const shown = [
    ...drafts.filter(({ workspaceId }) => window.draftsOf.includes(workspaceId)),
    ...versions.filter(({ n }) => n !== null && n <= window.highest && n >= window.lowest),
  ];
  const nodes = shown
    .map((version) => ({ ...grid.cellOf(version), version: nodeOf(version) }))
    .sort((a, b) => b.row - a.row);
  return {
    rows: grid.rows,
    lanes: grid.lanes.map((id, lane) => ({ lane, workspace: { id, name: id, archived: false } })),
    nodes,
    edges: edgesAcross(grid, [...versions, ...drafts], rowsOf(grid, window)),
  };
}

const nodeOf = ({ _id, n, type, workspaceId }: GraphVersion): HistoryNode => ({
  ...{ id: _id, n, type, workspaceId, name: _id, comment: null, createdAt: '', updatedAt: '' },
  ...{ createdBy: { name: 'Ed' }, releasedAs: null, reservation: null, newestJob: null },
});

/** Reads what is missing around the rows in sight. */
function readAt(life: Life, from: History | null, first: number, sizes = SIZES): History {
  const history = from ?? withPage(null, pageOf(life, { limit: sizes.most }));
  const wanted = nextWindow(history, { first, last: first + 3 }, sizes);
  return wanted ? readAt(life, withPage(history, pageOf(life, wanted)), first, sizes) : history;
}

const SIZES = { ahead: 2, most: 5 };
const readAll = (life: Life, from: History | null, sizes = { ahead: 1000, most: 7 }): History =>
  readAt(life, from, 0, sizes);

const deeds = fc.array(
  fc.tuple(fc.constantFrom('make' as const, 'make' as const, 'fork' as const, 'takeOver' as const), fc.nat(), fc.nat()),
  {
    maxLength: 40,
    size: 'max',
  },
);
const order = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
const linesIn = (life: Life, from: number, to: number) => {
  const grid = gridOf(life.workspaces, life.versions.length);
  return edgesOf(grid, [...life.versions, ...life.drafts], [])
    .map(({ kind, child, parent }) => ({
      ...{ kind, top: grid.rows - 1 - child.row, bottom: grid.rows - 1 - parent.row },
      ...{ topLane: child.lane, bottomLane: parent.lane },
    }))
    .filter(({ top, bottom }) => top < to && bottom >= from)
    .sort(order);
};

test('read window by window it is the whole history: every row has its node, every edge its line', () => {
  fc.assert(
    fc.property(deeds, fc.integer({ min: 1, max: 12 }), (made, most) => {
      const life = live(made);
      const history = readAll(life, null, { ahead: 1000, most });
      const grid = gridOf(life.workspaces, life.versions.length);
      const all = [...life.versions, ...life.drafts].sort((a, b) => grid.cellOf(b).row - grid.cellOf(a).row);
      expect(entriesOf(history).map(({ node }) => node?.id)).toEqual(all.map(({ _id }) => _id));
      expect(entriesOf(history).map(({ n }) => n)).toEqual(all.map(({ n }) => n));
      expect(linesOf(history).sort(order)).toEqual(linesIn(life, 0, grid.rows));
    }),
  );
});

test('wherever one looks first, what is in sight there is complete: its nodes, and every line that ends there or passes by', () => {
  fc.assert(
    fc.property(deeds, fc.array(fc.nat(45), { minLength: 1, maxLength: 6 }), (made, places) => {
      const life = live(made);
      const rows = life.versions.length + life.workspaces.length;
      let history: History | null = null;
      for (const place of places) {
        const first = Math.min(place, rows - 1);
        history = readAt(life, history, first);
        expect(
          entriesOf(history)
            .slice(first, first + 3)
            .every(({ node }) => node),
        ).toBe(true);
        const crossing = linesOf(history).filter(({ top, bottom }) => top < first + 3 && bottom >= first);
        expect(crossing.sort(order)).toEqual(linesIn(life, first, first + 3));
      }
    }),
  );
});

test('what is made while one reads comes on top, and all that was read stays where it is', () => {
  fc.assert(
    fc.property(deeds, deeds, fc.nat(45), (before, later, place) => {
      const old = live(before);
      const known = readAt(old, null, Math.min(place, old.versions.length));
      const life = live(later, old);
      const top = withPage(known, pageOf(life, { limit: life.workspaces.length + later.length }));
      for (const [n, node] of known.versions) expect(top.versions.get(n)).toEqual(node);
      const history = readAll(life, top);
      const whole = readAll(life, null);
      expect(entriesOf(history)).toEqual(entriesOf(whole));
      expect(linesOf(history).sort(order)).toEqual(linesOf(whole).sort(order));
    }),
  );
});

test('at the far end it reads the far end: one window, and nothing between', () => {
  const life = live([...Array(50)].map(() => ['make', 0, 0] as const));
  const top = withPage(null, pageOf(life, { limit: 5 }));
  expect(nextWindow(top, { first: 48, last: 51 }, { ahead: 4, most: 10 })).toEqual({ fromRow: 9, limit: 10 });
  const history = readAt(life, top, 48, { ahead: 4, most: 10 });
  expect(entriesOf(history).flatMap(({ n, node }) => (node && n !== null ? [n] : []))).toEqual([
    50, 49, 48, 47, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
  ]);
  expect([rowOfNode(history, 'v9'), rowOfNode(history, 'draft of w0'), rowOfNode(history, 'v20')]).toEqual([42, 0, -1]);
  expect(rowCount(history)).toBe(51);
});

test('a node that changed takes its place; one that was not read stays so', () => {
  const life = live([...Array(10)].map(() => ['make', 0, 0] as const));
  const history = withPage(null, pageOf(life, { limit: 4 }));
  const said = (n: number) => ({ ...nodeOf(life.versions[n - 1] ?? draft('w0', null)), comment: 'said' });
  expect(withNode(history, said(9)).versions.get(9)?.comment).toBe('said');
  expect(withNode(history, said(2))).toBe(history);
});
