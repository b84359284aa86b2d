import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createGrid,
  edgesInRows,
  edgesTouching,
  type GraphVersion,
  type GraphWorkspace,
  windowFrom,
  windowRows,
} from '../../subgraphs/core/domain/versions/version-graph.ts';
import {
  entriesOf,
  type GraphPage,
  type History,
  type HistoryNode,
  nextWindow,
  rowCount,
  rowOfNode,
  type WindowRequest,
  withNode,
  withPage,
} from './graph-model.ts';
import { linesOf } from './lines.ts';

// a document whose pages are computed with the rules of the service
type Model = { workspaces: GraphWorkspace[]; versions: GraphVersion[]; drafts: GraphVersion[] };

type Step = readonly ['version' | 'fork' | 'takeOver' | 'restore', number, number];

function applySteps(steps: readonly Step[], model: Model = emptyModel()): Model {
  const { workspaces, versions, drafts } = structuredClone(model);
  for (const [step, i, j] of steps) {
    const target = drafts[i % drafts.length];
    const version = versions[j % Math.max(versions.length, 1)];
    if (!target) throw new Error('there is always a draft');
    if (step === 'version') {
      const created = { ...target, _id: `v${versions.length + 1}`, type: 'version' as const, n: versions.length + 1 };
      versions.push(created);
      drafts[drafts.indexOf(target)] = draft(target.workspaceId, created._id);
    } else if (version && step === 'fork') {
      const id = `w${workspaces.length}`;
      workspaces.push({ id, from: { workspaceId: version.workspaceId, n: version.n ?? 0 } });
      drafts.push(draft(id, version._id));
    } else if (version && version._id !== target.basedOnVersionId)
      drafts[drafts.indexOf(target)] = {
        ...target,
        parents: [...new Set([...target.parents, version._id])],
        restoredFromVersionId: step === 'restore' ? version._id : null,
      };
  }
  return { workspaces, versions, drafts };
}

const emptyModel = (): Model => ({ workspaces: [{ id: 'w0', from: null }], versions: [], drafts: [draft('w0', null)] });

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
  { workspaces, versions, drafts }: Model,
  { fromRow = Number.MAX_SAFE_INTEGER, limit }: Partial<WindowRequest> & { limit: number },
): GraphPage {
  const grid = createGrid(workspaces, versions.length);
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
    edges: edgesInRows(grid, [...versions, ...drafts], windowRows(grid, window)),
  };
}

const nodeOf = ({ _id, n, type, workspaceId }: GraphVersion): HistoryNode => ({
  id: _id,
  n,
  type,
  workspaceId,
  name: _id,
  comment: null,
  createdAt: '',
  updatedAt: '',
  createdBy: { name: 'Ed' },
  releasedAs: null,
  reservation: null,
  newestJob: null,
});

/** Loads what is missing around the visible rows. */
function loadAt(model: Model, from: History | null, first: number, sizes = SIZES): History {
  const history = from ?? withPage(null, pageOf(model, { limit: sizes.max }));
  const request = nextWindow(history, { first, last: first + 3 }, sizes);
  return request ? loadAt(model, withPage(history, pageOf(model, request)), first, sizes) : history;
}

const SIZES = { ahead: 2, max: 5 };
const loadAll = (model: Model, from: History | null, sizes = { ahead: 1000, max: 7 }): History =>
  loadAt(model, from, 0, sizes);

const anySteps = fc.array(
  fc.tuple(
    fc.constantFrom('version' as const, 'version' as const, 'fork' as const, 'takeOver' as const, 'restore' as const),
    fc.nat(),
    fc.nat(),
  ),
  { maxLength: 40, size: 'max' },
);
const order = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
const linesIn = (model: Model, from: number, to: number) => {
  const grid = createGrid(model.workspaces, model.versions.length);
  return edgesTouching(grid, [...model.versions, ...model.drafts], [])
    .map(({ kind, child, parent }) => ({
      kind,
      top: grid.rows - 1 - child.row,
      bottom: grid.rows - 1 - parent.row,
      topLane: child.lane,
      bottomLane: parent.lane,
    }))
    .filter(({ top, bottom }) => top < to && bottom >= from)
    .sort(order);
};

test('assembles the complete history from pages', () => {
  fc.assert(
    fc.property(anySteps, fc.integer({ min: 1, max: 12 }), (steps, max) => {
      const model = applySteps(steps);
      const history = loadAll(model, null, { ahead: 1000, max });
      const grid = createGrid(model.workspaces, model.versions.length);
      const all = [...model.versions, ...model.drafts].sort((a, b) => grid.cellOf(b).row - grid.cellOf(a).row);
      expect(entriesOf(history).map(({ node }) => node?.id)).toEqual(all.map(({ _id }) => _id));
      expect(entriesOf(history).map(({ n }) => n)).toEqual(all.map(({ n }) => n));
      expect(linesOf(history).sort(order)).toEqual(linesIn(model, 0, grid.rows));
    }),
  );
});

test('loads all nodes of the visible rows and all lines that cross them', () => {
  fc.assert(
    fc.property(anySteps, fc.array(fc.nat(45), { minLength: 1, maxLength: 6 }), (steps, places) => {
      const model = applySteps(steps);
      const rows = model.versions.length + model.workspaces.length;
      let history: History | null = null;
      for (const place of places) {
        const first = Math.min(place, rows - 1);
        history = loadAt(model, history, first);
        expect(
          entriesOf(history)
            .slice(first, first + 3)
            .every(({ node }) => node),
        ).toBe(true);
        const crossing = linesOf(history).filter(({ top, bottom }) => top < first + 3 && bottom >= first);
        expect(crossing.sort(order)).toEqual(linesIn(model, first, first + 3));
      }
    }),
  );
});

test('keeps loaded versions in place when versions are created meanwhile', () => {
  fc.assert(
    fc.property(anySteps, anySteps, fc.nat(45), (before, later, place) => {
      const old = applySteps(before);
      const known = loadAt(old, null, Math.min(place, old.versions.length));
      const model = applySteps(later, old);
      const top = withPage(known, pageOf(model, { limit: model.workspaces.length + later.length }));
      for (const [n, node] of known.versions) expect(top.versions.get(n)).toEqual(node);
      const history = loadAll(model, top);
      const whole = loadAll(model, null);
      expect(entriesOf(history)).toEqual(entriesOf(whole));
      expect(linesOf(history).sort(order)).toEqual(linesOf(whole).sort(order));
    }),
  );
});

test('loads only the far end when the user jumps there', () => {
  const model = applySteps([...Array(50)].map(() => ['version', 0, 0] as const));
  const top = withPage(null, pageOf(model, { limit: 5 }));
  expect(nextWindow(top, { first: 48, last: 51 }, { ahead: 4, max: 10 })).toEqual({ fromRow: 9, limit: 10 });
  const history = loadAt(model, top, 48, { ahead: 4, max: 10 });
  expect(entriesOf(history).flatMap(({ n, node }) => (node && n !== null ? [n] : []))).toEqual([
    50, 49, 48, 47, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
  ]);
  expect([rowOfNode(history, 'v9'), rowOfNode(history, 'draft of w0'), rowOfNode(history, 'v20')]).toEqual([42, 0, -1]);
  expect(rowCount(history)).toBe(51);
});

test('updates a loaded node and ignores one that is not loaded', () => {
  const model = applySteps([...Array(10)].map(() => ['version', 0, 0] as const));
  const history = withPage(null, pageOf(model, { limit: 4 }));
  const commented = (n: number) => ({ ...nodeOf(model.versions[n - 1] ?? draft('w0', null)), comment: 'changed' });
  expect(withNode(history, commented(9)).versions.get(9)?.comment).toBe('changed');
  expect(withNode(history, commented(2))).toBe(history);
});
