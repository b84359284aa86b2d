import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edgesOf, type GraphPlace, type GraphVersion, type GraphWorkspace, gridOf, windowBelow } from '../../subgraphs/core/domain/version-graph.ts';
import { entriesOf, type GraphPage, type History, type HistoryNode, rowCount, rowOfNode, rowsKnown, withNode, withPage } from './graph-model.ts';
import { linesOf } from './lines.ts';

// the service's own rules answer here, as it does page by page
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

function pageOf({ workspaces, versions, drafts }: Life, cursor: string | null, limit: number): GraphPage {
  const grid = gridOf(workspaces, versions.length);
  const place: GraphPlace | undefined = cursor === null ? undefined : JSON.parse(cursor);
  const window = windowBelow(grid, place, limit);
  const shown = [
    ...drafts.filter(({ workspaceId }) => window.draftsOf.includes(workspaceId)),
    ...versions.filter(({ n }) => n !== null && n <= window.highest && n >= window.lowest),
  ];
  const nodes = shown.map((version) => ({ ...grid.cellOf(version), version: nodeOf(version) })).sort((a, b) => b.row - a.row);
  return {
    rows: grid.rows,
    lanes: grid.lanes.map((id, lane) => ({ lane, workspace: { id, name: id, archived: false } })),
    nodes,
    edges: edgesOf(grid, shown, [...versions, ...drafts]),
    nextCursor: window.last && JSON.stringify(window.last),
  };
}

const nodeOf = ({ _id, n, type, workspaceId }: GraphVersion): HistoryNode => ({
  ...{ id: _id, n, type, workspaceId, name: _id, comment: null, createdAt: '', updatedAt: '' },
  ...{ createdBy: { name: 'Ed' }, releasedAs: null, reservation: null, newestJob: null },
});

function readOn(life: Life, from: History | null, limit: number): History {
  let history = from ?? withPage(null, pageOf(life, null, limit));
  while (history.cursor !== null) history = withPage(history, pageOf(life, history.cursor, limit));
  return history;
}

const deeds = fc.array(fc.tuple(fc.constantFrom('make' as const, 'make' as const, 'fork' as const, 'takeOver' as const), fc.nat(), fc.nat()), {
  maxLength: 40,
});
const limit = fc.integer({ min: 1, max: 12 });

test('read page by page it is the whole history: every row has its node, every edge its line', () => {
  fc.assert(
    fc.property(deeds, limit, (made, size) => {
      const life = live(made);
      const history = readOn(life, null, size);
      const grid = gridOf(life.workspaces, life.versions.length);
      const all = [...life.versions, ...life.drafts];
      expect(entriesOf(history).map(({ node }) => node?.id)).toEqual(
        all.sort((a, b) => grid.cellOf(b).row - grid.cellOf(a).row).map(({ _id }) => _id),
      );
      const wanted = edgesOf(grid, all, []).map(({ kind, child, parent }) => ({
        ...{ kind, top: grid.rows - 1 - child.row, bottom: grid.rows - 1 - parent.row },
        ...{ topLane: child.lane, bottomLane: parent.lane },
      }));
      const order = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
      expect(linesOf(history).sort(order)).toEqual(wanted.sort(order));
    }),
  );
});

test('what is made while one reads comes on top, and reading goes on below as if it had always been there', () => {
  fc.assert(
    fc.property(deeds, deeds, limit, fc.nat(3), (before, later, size, pages) => {
      const old = live(before);
      let history = withPage(null, pageOf(old, null, size));
      for (let page = 0; page < pages && history.cursor !== null; page++) history = withPage(history, pageOf(old, history.cursor, size));
      const life = live(later, old);
      history = withPage(history, pageOf(life, null, rowCount(withPage(null, pageOf(life, null, 1)))), true);
      history = readOn(life, history, size);
      const whole = readOn(life, null, 1000);
      expect(entriesOf(history)).toEqual(entriesOf(whole));
      const order = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
      expect(linesOf(history).sort(order)).toEqual(linesOf(whole).sort(order));
    }),
  );
});

test('rows are known down to the lowest version that was read', () => {
  const life = live([...Array(10)].map(() => ['make', 0, 0] as const));
  const history = withPage(null, pageOf(life, null, 4));
  expect(rowsKnown(history)).toBe(4);
  expect(entriesOf(history).map(({ node }) => node?.n)).toEqual([null, 10, 9, 8, ...Array(7).fill(undefined)]);
  expect([rowOfNode(history, 'v9'), rowOfNode(history, 'draft of w0'), rowOfNode(history, 'v1')]).toEqual([2, 0, -1]);
  expect(rowsKnown(readOn(life, history, 4))).toBe(11);
});

test('a node that changed takes its place; one that was not read stays so', () => {
  const life = live([...Array(10)].map(() => ['make', 0, 0] as const));
  const history = withPage(null, pageOf(life, null, 4));
  const said = (n: number) => ({ ...nodeOf(life.versions[n - 1] ?? draft('w0', null)), comment: 'said' });
  expect(withNode(history, said(9)).versions.get(9)?.comment).toBe('said');
  expect(withNode(history, said(2))).toBe(history);
});
