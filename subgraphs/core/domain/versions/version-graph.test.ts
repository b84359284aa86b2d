import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  assignLanes,
  createGrid,
  edgesInRows,
  edgesTouching,
  type GraphPosition,
  type GraphVersion,
  type GraphWindow,
  type GraphWorkspace,
  type Grid,
  windowAfter,
  windowFrom,
  windowRows,
} from './version-graph.ts';

type History = { workspaces: GraphWorkspace[]; versions: GraphVersion[]; drafts: GraphVersion[] };

// A random history: versions are created, workspaces fork from any version, and drafts take over or are restored from any
// version.
const steps = fc.array(
  fc.tuple(fc.constantFrom('create', 'create', 'create', 'fork', 'takeOver', 'restore'), fc.nat(), fc.nat()),
  {
    maxLength: 60,
    size: 'max',
  },
);
const histories = steps.map((actions): History => {
  const workspaces: GraphWorkspace[] = [{ id: 'w0', from: null }];
  const drafts = [draft('w0', null)];
  const versions: GraphVersion[] = [];
  for (const [action, i, j] of actions) {
    const target = drafts[i % drafts.length]!;
    const version = versions[j % Math.max(versions.length, 1)];
    if (action === 'create') {
      const created = { ...target, _id: `v${versions.length + 1}`, type: 'version' as const, n: versions.length + 1 };
      versions.push(created);
      drafts[drafts.indexOf(target)] = draft(target.workspaceId, created._id);
    } else if (version && action === 'fork') {
      const id = `w${workspaces.length}`;
      workspaces.push({ id, from: { workspaceId: version.workspaceId, n: version.n! } });
      drafts.push(draft(id, version._id));
    } else if (version) {
      const restoredFromVersionId = action === 'restore' ? version._id : null;
      const { parents } = draft(target.workspaceId, target.basedOnVersionId);
      drafts[drafts.indexOf(target)] = { ...target, parents: [...parents, version._id], restoredFromVersionId };
    }
  }
  return { workspaces, versions, drafts };
});

function draft(workspaceId: string, basedOnVersionId: string | null): GraphVersion {
  const parents = basedOnVersionId ? [basedOnVersionId] : [];
  return { _id: `draft of ${workspaceId}`, workspaceId, type: 'draft', n: null, basedOnVersionId, parents };
}

const gridFor = ({ workspaces, versions }: History) => createGrid(workspaces, versions.length);
const all = ({ versions, drafts }: History) => [...versions, ...drafts];
const forAllHistories = (rule: (history: History) => void) => fc.assert(fc.property(histories, rule));

test('places exactly one node in each row', () => {
  forAllHistories((history) => {
    const grid = gridFor(history);
    const rows = all(history).map((version) => grid.cellOf(version).row);
    expect(rows.sort((a, b) => a - b)).toEqual(Array.from({ length: grid.rows }, (_, row) => row));
  });
});

test('places main in lane 0 and every workspace to the right of the one it forked from', () => {
  forAllHistories(({ workspaces }) => {
    const lanes = assignLanes(workspaces);
    expect(lanes[0]).toBe('w0');
    expect([...lanes].sort()).toEqual(workspaces.map(({ id }) => id).sort());
    for (const { id, from } of workspaces)
      if (from) expect(lanes.indexOf(id)).toBeGreaterThan(lanes.indexOf(from.workspaceId));
  });
});

test('draws one edge for each parent, with the child above the parent', () => {
  forAllHistories((history) => {
    const edges = edgesTouching(gridFor(history), all(history), []);
    const drawn = edges.map(({ child, parent }) => `${child.versionId} ${parent.versionId}`).sort();
    expect(drawn).toEqual(
      [...new Set(all(history).flatMap(({ _id, parents }) => parents.map((parent) => `${_id} ${parent}`)))].sort(),
    );
    for (const { child, parent } of edges) expect(child.row).toBeGreaterThan(parent.row);
  });
});

test('draws the version that a draft was restored from as restored, and other sources as taken over', () => {
  const [v1, v2] = [1, 2].map((n) => ({ ...draft('w0', null), _id: `v${n}`, type: 'version' as const, n }));
  const grid = createGrid([{ id: 'w0', from: null }], 2);
  const kindsOf = (fields: Partial<GraphVersion>) =>
    edgesTouching(grid, [{ ...draft('w0', 'v2'), ...fields }], [v1!, v2!]).map(({ kind }) => kind);
  const parents = ['v2', 'v1'];
  expect(kindsOf({ parents, restoredFromVersionId: 'v1' })).toEqual(['continues', 'restore']);
  expect(kindsOf({ parents, restoredFromVersionId: null })).toEqual(['continues', 'take_over']);
  expect(kindsOf({ parents })).toEqual(['continues', 'take_over']);
  expect(kindsOf({ restoredFromVersionId: 'v2' })).toEqual(['continues']);
});

test('keeps continuing edges in their lane and moves forks to the right', () => {
  forAllHistories((history) => {
    for (const { kind, child, parent } of edgesTouching(gridFor(history), all(history), [])) {
      if (kind === 'continues') expect(child.lane).toBe(parent.lane);
      if (kind === 'fork') expect(child.lane).toBeGreaterThan(parent.lane);
    }
  });
});

test('draws forks without crossing the line of another workspace', () => {
  forAllHistories((history) => {
    const forks = edgesTouching(gridFor(history), all(history), []).filter(({ kind }) => kind === 'fork');
    const forkRows = new Map(forks.map(({ child, parent }) => [child.lane, parent.row]));
    for (const { child, parent } of forks)
      for (let lane = parent.lane + 1; lane < child.lane; lane++)
        expect(forkRows.get(lane)).toBeGreaterThanOrEqual(parent.row);
  });
});

test('does not move versions or lanes when a version is added', () => {
  forAllHistories((history) => {
    const { workspaces, versions } = history;
    const [before, after] = [gridFor(history), createGrid(workspaces, versions.length + 1)];
    for (const version of versions) expect(after.cellOf(version)).toEqual(before.cellOf(version));
    expect(after.lanes).toEqual(before.lanes);
  });
});

test('shows every row once on pages of any size, with the edges that leave each page', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 20 }), (history, limit) => {
      const grid = gridFor(history);
      const shown = pages(history, grid, limit);
      expect(shown.flat().map((version) => grid.cellOf(version).row)).toEqual(
        Array.from({ length: grid.rows }, (_, i) => grid.rows - 1 - i),
      );
      const whole = edgesTouching(grid, all(history), []);
      for (const page of shown) {
        const inside = new Set(page.map(({ _id }) => _id));
        const beyond = all(history).filter(({ _id }) => !inside.has(_id));
        expect(edgesTouching(grid, page, beyond)).toEqual(
          whole.filter(({ child, parent }) => inside.has(child.versionId) || inside.has(parent.versionId)),
        );
      }
    }),
  );
});

test('shows the rows from any row down with every edge that passes through them', () => {
  fc.assert(
    fc.property(histories, fc.nat(90), fc.integer({ min: 1, max: 20 }), (history, row, limit) => {
      const grid = gridFor(history);
      const window = windowFrom(grid, row, limit);
      const top = Math.min(row, grid.rows - 1);
      const bottom = Math.max(0, top - limit + 1);
      expect(windowRows(grid, window)).toEqual({ top, bottom });
      expect(shownIn(history, window).map((version) => grid.cellOf(version).row)).toEqual(
        Array.from({ length: top - bottom + 1 }, (_, below) => top - below),
      );
      expect(window.last === null).toBe(bottom === 0);
      const whole = edgesTouching(grid, all(history), []);
      expect(edgesInRows(grid, all(history), { top, bottom })).toEqual(
        whole.filter(({ child, parent }) => child.row >= bottom && parent.row <= top),
      );
    }),
  );
});

test('covers the whole graph with adjacent windows', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 20 }), (history, size) => {
      const grid = gridFor(history);
      const [nodes, edges] = [new Set<string>(), new Set<string>()];
      for (let row = grid.rows - 1; row >= 0; row -= size) {
        const window = windowFrom(grid, row, size);
        for (const { _id } of shownIn(history, window)) nodes.add(_id);
        for (const edge of edgesInRows(grid, all(history), windowRows(grid, window))) edges.add(JSON.stringify(edge));
      }
      expect([...nodes].sort()).toEqual(
        all(history)
          .map(({ _id }) => _id)
          .sort(),
      );
      expect([...edges].sort()).toEqual(
        edgesTouching(grid, all(history), [])
          .map((edge) => JSON.stringify(edge))
          .sort(),
      );
    }),
  );
});

test('continues after the previous page when versions were added meanwhile', () => {
  const history = { workspaces: [{ id: 'w0', from: null }], drafts: [draft('w0', null)], versions: [] };
  const [before, after] = [createGrid(history.workspaces, 5), createGrid(history.workspaces, 9)];
  const { last } = windowAfter(before, undefined, 3);
  expect(last).toEqual(['version', 4]);
  expect(windowAfter(after, last!, 3)).toMatchObject({ draftsOf: [], highest: 3, lowest: 1, last: null });
});

function pages(history: History, grid: Grid, limit: number): GraphVersion[][] {
  const found: GraphVersion[][] = [];
  let position: GraphPosition | undefined;
  do {
    const window = windowAfter(grid, position, limit);
    found.push(shownIn(history, window));
    position = window.last ?? undefined;
  } while (position);
  return found;
}

function shownIn({ versions, drafts }: History, { draftsOf, highest, lowest }: GraphWindow): GraphVersion[] {
  const shown = draftsOf.map((id) => drafts.find(({ workspaceId }) => workspaceId === id)!);
  return [...shown, ...versions.slice(lowest - 1, highest).reverse()];
}
