import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  edgesOf,
  type GraphVersion,
  type GraphWorkspace,
  gridOf,
} from '../subgraphs/core/domain/versions/version-graph.ts';
import { type DrawnLine, drawHistory, type History } from './draw-history.ts';

/** What happens to a document: numbers choose among the workspaces and versions there are. */
type Deed = { deed: 'version' | 'fork' | 'takeOver' | 'restore'; workspace: number; version: number };

const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom<Deed['deed'][]>('version', 'version', 'fork', 'takeOver', 'restore'),
    workspace: fc.nat(20),
    version: fc.nat(20),
  }),
  { maxLength: 24, size: 'max' },
);

/** The graph as the service draws it. */
function historyOf(all: readonly Deed[]): History {
  const workspaces: GraphWorkspace[] = [{ id: 'w0', from: null }];
  const drafts: GraphVersion[] = [draftIn('w0', null)];
  const versions: GraphVersion[] = [];
  for (const { deed, workspace, version } of all) {
    const at = workspace % workspaces.length;
    const draft = drafts[at];
    const chosen = versions[version % Math.max(versions.length, 1)];
    if (!draft) continue;
    if (deed === 'version') {
      const made: GraphVersion = { ...draft, _id: `v${versions.length + 1}`, type: 'version', n: versions.length + 1 };
      versions.push(made);
      drafts[at] = draftIn(draft.workspaceId, made._id);
    } else if (chosen && deed === 'fork' && workspaces.length < 6) {
      const id = `w${workspaces.length}`;
      workspaces.push({ id, from: { workspaceId: chosen.workspaceId, n: chosen.n ?? 0 } });
      drafts.push(draftIn(id, chosen._id));
    } else if (chosen && deed === 'takeOver') drafts[at] = { ...draft, parents: [...draft.parents, chosen._id] };
    else if (chosen && deed === 'restore') drafts[at] = draftIn(draft.workspaceId, chosen._id);
  }
  const grid = gridOf(workspaces, versions.length);
  const nodes = [...drafts, ...versions];
  const placed = nodes.map((node) => ({ id: node._id, type: node.type, released: null, ...grid.cellOf(node) }));
  return { nodes: placed, edges: edgesOf(grid, nodes, []) };
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
const WAYS: Record<string, number> = {
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

/** Reads a drawing with nothing but its characters: which version each line joins to which, `?` for one below the picture. */
function readBack(drawn: readonly DrawnLine[]): string[] {
  const at = (line: number, x: number) => drawn[line]?.cells[x]?.text ?? ' ';
  const ways = (line: number, x: number) => (NODES.includes(at(line, x)) ? 15 : (WAYS[at(line, x)] ?? Number.NaN));
  /** Whose line ends here; follows it along the row, and every place of it must lead on. */
  const owner = (line: number, x: number): string => {
    if (at(line, x) === '┊') return '?';
    const node = drawn[line]?.cells.findIndex(({ text }) => NODES.includes(text)) ?? -1;
    const step = Math.sign(node - x);
    for (let place = x; place !== node; place += step) {
      expect(ways(line, place) & (step > 0 ? RIGHT : LEFT)).toBeTruthy();
      expect(ways(line, place + step) & (step > 0 ? LEFT : RIGHT)).toBeTruthy();
    }
    return drawn[line]?.id ?? 'nobody';
  };
  const passes = (line: number, x: number) => '│┼'.includes(at(line, x));
  const found: string[] = [];
  drawn.forEach(({ cells }, line) => {
    cells.forEach((_, x) => {
      const begins = ways(line, x) & UP && !passes(line, x);
      if (!begins || !(ways(line - 1, x) & DOWN)) {
        if (begins) expect(NODES).toContain(at(line, x));
        return;
      }
      let top = line - 1;
      while (passes(top, x)) top -= 1;
      expect(ways(top, x) & DOWN).toBeTruthy();
      found.push(`${owner(top, x)} > ${owner(line, x)}`);
    });
  });
  return found.sort();
}

const told = ({ edges }: History) =>
  edges.map(({ child, parent }) => `${child.versionId} > ${parent.versionId}`).sort();
const shown = (drawn: readonly DrawnLine[]) =>
  drawn.map(({ cells }) =>
    cells
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

test('every draft and version is drawn once, and the lines can be read back as exactly the edges there are', () => {
  fc.assert(
    fc.property(deeds, (all) => {
      const history = historyOf(all);
      const drawn = drawHistory(history);
      const top = [...history.nodes].sort((a, b) => b.row - a.row).map(({ id }) => id);
      expect(drawn.flatMap(({ id }) => id ?? [])).toEqual(top);
      expect(
        shown(drawn)
          .join('')
          .replace(/[^●○◉◌]/g, ''),
      ).toHaveLength(top.length);
      expect(readBack(drawn)).toEqual(told(history));
    }),
    { numRuns: 200 },
  );
});

test('of a window from the top down nothing is lost: lines to older versions run out of it', () => {
  fc.assert(
    fc.property(deeds, fc.nat(), (all, cut) => {
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

const EXAMPLE: Deed[] = [
  { deed: 'version', workspace: 0, version: 0 },
  { deed: 'fork', workspace: 0, version: 0 },
  { deed: 'version', workspace: 0, version: 0 },
  { deed: 'fork', workspace: 0, version: 1 },
  { deed: 'version', workspace: 2, version: 0 },
  { deed: 'version', workspace: 1, version: 0 },
  { deed: 'takeOver', workspace: 0, version: 3 },
  { deed: 'version', workspace: 0, version: 0 },
  { deed: 'restore', workspace: 0, version: 1 },
  { deed: 'version', workspace: 0, version: 0 },
];

test('a history with two workspaces, a take-over and a restoration looks like this', () => {
  const history = historyOf(EXAMPLE);
  const released = history.nodes.map((node) => (node.id === 'v2' ? { ...node, released: 'released' as const } : node));
  expect(`\n${shown(drawHistory({ ...history, nodes: released })).join('\n')}\n`).toBe(`
○
│ ○
│ │ ○
●─┼─┼─╮
  │ │ │
●─┼─┼─┼─╮
│ │ ●─┼─╯
│ ● │ │
◉─┴─┼─╯
●───╯
`);
  expect(`\n${shown(drawHistory({ ...history, nodes: released }, { ascii: true })).join('\n')}\n`).toBe(`
o
| o
| | o
*-|-|-.
  | | |
*-|-|-|-.
| | *-|-'
| * | |
@-+-|-'
*---'
`);
});
