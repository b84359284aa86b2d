import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createGrid,
  edgesTouching,
  type GraphVersion,
  type GraphWorkspace,
} from '../subgraphs/core/domain/versions/version-graph.ts';
import { type DrawnLine, drawHistory, type History } from './draw-history.ts';

/** A change of a document. The numbers select one of the existing workspaces and versions (modulo their count). */
type Change = { kind: 'version' | 'fork' | 'takeOver' | 'restore' | 'base'; workspace: number; version: number };

const changes = fc.array(
  fc.record({
    kind: fc.constantFrom<Change['kind'][]>('version', 'version', 'fork', 'takeOver', 'restore', 'base'),
    workspace: fc.nat(20),
    version: fc.nat(20),
  }),
  { maxLength: 24, size: 'max' },
);

/** Returns the graph of the service after some changes. */
function historyOf(all: readonly Change[]): History {
  const workspaces: GraphWorkspace[] = [{ id: 'w0', from: null }];
  const drafts: GraphVersion[] = [draftIn('w0', null)];
  const versions: GraphVersion[] = [];
  for (const { kind, workspace, version } of all) {
    const index = workspace % workspaces.length;
    const draft = drafts[index];
    const chosen = versions[version % Math.max(versions.length, 1)];
    if (!draft) continue;
    if (kind === 'version') {
      const created: GraphVersion = {
        ...draft,
        _id: `v${versions.length + 1}`,
        type: 'version',
        n: versions.length + 1,
      };
      versions.push(created);
      drafts[index] = draftIn(draft.workspaceId, created._id);
    } else if (chosen && kind === 'fork' && workspaces.length < 6) {
      const id = `w${workspaces.length}`;
      workspaces.push({ id, from: { workspaceId: chosen.workspaceId, n: chosen.n ?? 0 } });
      drafts.push(draftIn(id, chosen._id));
    } else if (chosen && kind === 'takeOver') drafts[index] = { ...draft, parents: [...draft.parents, chosen._id] };
    else if (chosen && kind === 'restore')
      drafts[index] = { ...draft, parents: [...draft.parents, chosen._id], restoredFromVersionId: chosen._id };
    else if (chosen && kind === 'base') drafts[index] = draftIn(draft.workspaceId, chosen._id);
  }
  const grid = createGrid(workspaces, versions.length);
  const nodes = [...drafts, ...versions];
  const placed = nodes.map((node) => ({ id: node._id, type: node.type, released: null, ...grid.cellOf(node) }));
  return { nodes: placed, edges: edgesTouching(grid, nodes, []) };
}

function draftIn(workspaceId: string, from: string | null): GraphVersion {
  return {
    _id: `draft of ${workspaceId}`,
    workspaceId,
    type: 'draft',
    n: null,
    basedOnVersionId: from,
    parents: from ? [from] : [],
  };
}

const [UP, DOWN, LEFT, RIGHT] = [1, 2, 4, 8];
const DIRECTIONS: Record<string, number> = {
  '│': 3,
  '─': 12,
  '┼': 15,
  '╯': 5,
  '╰': 9,
  '╮': 6,
  '╭': 10,
  '┴': 13,
  '┬': 14,
  '┊': 1,
  ' ': 0,
};
const NODES = '●○◉◌';

/** Reads the edges back from the characters of a drawing, as "child > parent". A parent below the drawing is `?`. */
function readBack(drawn: readonly DrawnLine[]): string[] {
  const at = (line: number, x: number) => drawn[line]?.cells[x]?.text ?? ' ';
  const directions = (line: number, x: number) =>
    NODES.includes(at(line, x)) ? 15 : (DIRECTIONS[at(line, x)] ?? Number.NaN);
  /** Returns the version that a line ends at. Follows the horizontal line, and expects it to be unbroken. */
  const versionAt = (line: number, x: number): string => {
    if (at(line, x) === '┊') return '?';
    const node = drawn[line]?.cells.findIndex(({ text }) => NODES.includes(text)) ?? -1;
    const step = Math.sign(node - x);
    for (let position = x; position !== node; position += step) {
      expect(directions(line, position) & (step > 0 ? RIGHT : LEFT)).toBeTruthy();
      expect(directions(line, position + step) & (step > 0 ? LEFT : RIGHT)).toBeTruthy();
    }
    return drawn[line]?.id ?? 'none';
  };
  const passes = (line: number, x: number) => '│┼'.includes(at(line, x));
  const edges: string[] = [];
  drawn.forEach(({ cells }, line) => {
    cells.forEach((_, x) => {
      const startsHere = directions(line, x) & UP && !passes(line, x);
      if (!startsHere || !(directions(line - 1, x) & DOWN)) {
        if (startsHere) expect(NODES).toContain(at(line, x));
        return;
      }
      let top = line - 1;
      while (passes(top, x)) top -= 1;
      expect(directions(top, x) & DOWN).toBeTruthy();
      edges.push(`${versionAt(top, x)} > ${versionAt(line, x)}`);
    });
  });
  return edges.sort();
}

const edgesIn = ({ edges }: History) =>
  edges.map(({ child, parent }) => `${child.versionId} > ${parent.versionId}`).sort();
const lines = (drawn: readonly DrawnLine[]) =>
  drawn.map(({ cells }) =>
    cells
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

test('draws every draft and version once, with lines that can be read back as the edges', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const history = historyOf(all);
      const drawn = drawHistory(history);
      const top = [...history.nodes].sort((a, b) => b.row - a.row).map(({ id }) => id);
      expect(drawn.flatMap(({ id }) => id ?? [])).toEqual(top);
      expect(
        lines(drawn)
          .join('')
          .replace(/[^●○◉◌]/g, ''),
      ).toHaveLength(top.length);
      expect(readBack(drawn)).toEqual(edgesIn(history));
    }),
    { numRuns: 200 },
  );
});

test('draws lines to versions below the lowest row as open lines', () => {
  fc.assert(
    fc.property(changes, fc.nat(), (all, cut) => {
      const whole = historyOf(all);
      const lowest = cut % whole.nodes.length;
      const nodes = whole.nodes.filter(({ row }) => row >= lowest);
      const edges = whole.edges.filter(({ child }) => child.row >= lowest);
      const expected = edges
        .map(({ child, parent }) => `${child.versionId} > ${parent.row < lowest ? '?' : parent.versionId}`)
        .sort();
      expect(readBack(drawHistory({ nodes, edges }))).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

const EXAMPLE: Change[] = [
  { kind: 'version', workspace: 0, version: 0 },
  { kind: 'fork', workspace: 0, version: 0 },
  { kind: 'version', workspace: 0, version: 0 },
  { kind: 'fork', workspace: 0, version: 1 },
  { kind: 'version', workspace: 2, version: 0 },
  { kind: 'version', workspace: 1, version: 0 },
  { kind: 'takeOver', workspace: 0, version: 3 },
  { kind: 'version', workspace: 0, version: 0 },
  { kind: 'restore', workspace: 0, version: 1 },
  { kind: 'version', workspace: 0, version: 0 },
];

test('draws forks, a take-over and a restored version', () => {
  const history = historyOf(EXAMPLE);
  const released = history.nodes.map((node) => (node.id === 'v2' ? { ...node, released: 'released' as const } : node));
  expect(`\n${lines(drawHistory({ ...history, nodes: released })).join('\n')}\n`).toBe(`
○
│ ○
│ │ ○
●─┼─┼───╮
●─┼─┼─╮ │
│ │ ●─╯ │
│ ● │   │
◉─┴─┼───╯
●───╯
`);
  expect(`\n${lines(drawHistory({ ...history, nodes: released }, { ascii: true })).join('\n')}\n`).toBe(`
o
| o
| | o
*-|-|---.
*-|-|-. |
| | *-' |
| * |   |
@-+-|---'
*---'
`);
});
