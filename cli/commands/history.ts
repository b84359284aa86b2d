import type { ReadVersionGraphQuery } from '../../rest-adapter/generated/operations.ts';
import { type Api, apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { type Drawn, drawHistory, type History } from '../draw-history.ts';
import { EXIT } from '../exit.ts';
import { namedBy } from '../named.ts';
import { countIn } from '../number.ts';
import { type Paint, painter, plain, say, sayJson, when } from '../terminal.ts';

type Options = { ascii?: true; limit: number; json?: true };
type Graph = NonNullable<ReadVersionGraphQuery['document']>['versionGraph'];
/** As REST answers it: the version is spread over its node. */
type Flat = Omit<Graph, 'nodes' | 'lanes'> & {
  lanes: ({ lane: number } & Graph['lanes'][number]['workspace'])[];
  nodes: ({ row: number; lane: number } & Graph['nodes'][number]['version'])[];
};

const COLOURS: readonly Paint[] = ['cyan', 'green', 'magenta', 'yellow', 'blue', 'red'];
const PAGE = 1000;

/** Draws the history of a document as a graph. */
export const history: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id')
      .option('--ascii', 'with plain characters alone')
      .option('--limit <rows>', 'how many drafts and versions at most, from the newest', countIn, 200),
  async run(terminal, { ascii, limit, json }: Options, given: string) {
    const api = apiFor(terminal);
    const graph = await graphOf(api, namedBy(given).document, limit);
    if (json) {
      sayJson(terminal, graph);
      return EXIT.good;
    }
    const paint = painter(terminal.out, terminal.environment);
    const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    const used = new Set<string>();
    for (const { id, cells } of drawHistory(historyIn(graph), { ascii })) {
      const node = id === null ? undefined : nodes.get(id);
      const first = node !== undefined && !used.has(node.workspace.id);
      if (node) used.add(node.workspace.id);
      say(terminal.out, `${drawingOf(cells, paint)}${node ? `  ${textOf(node, first, paint)}` : ''}`.trimEnd());
    }
    if (graph.nextCursor)
      say(terminal.err, `${graph.rows - graph.nodes.length} older versions are not shown; --limit shows more.`);
    return EXIT.good;
  },
};

async function graphOf(api: Api, document: string, limit: number): Promise<Flat> {
  const path = `/documents/${part(document)}/version-graph`;
  const graph = await api.get<Flat>(path, { limit: Math.min(limit, PAGE) });
  while (graph.nextCursor && graph.nodes.length < limit) {
    const more = await api.get<Flat>(path, {
      limit: Math.min(limit - graph.nodes.length, PAGE),
      cursor: graph.nextCursor,
    });
    graph.nodes.push(...more.nodes);
    graph.edges.push(...more.edges);
    graph.nextCursor = more.nextCursor;
  }
  // an edge from one page to the next is in both
  const once = new Map(graph.edges.map((edge) => [`${edge.child.versionId} ${edge.parent.versionId}`, edge]));
  return { ...graph, edges: [...once.values()] };
}

function historyIn({ nodes, edges }: Flat): History {
  return {
    nodes: nodes.map(({ id, row, lane, type, releasedAs }) => ({
      id,
      row,
      lane,
      type,
      released: releasedAs && (releasedAs.obsolete ? 'obsolete' : 'released'),
    })),
    edges,
  };
}

function drawingOf(cells: Drawn['cells'], paint: ReturnType<typeof painter>): string {
  return cells
    .map(({ text, column }) => (text === ' ' ? text : paint(COLOURS[column % COLOURS.length] ?? 'cyan', text)))
    .join('');
}

function textOf(
  { n, name, comment, releasedAs, reservation, workspace, createdAt, createdBy }: Flat['nodes'][number],
  first: boolean,
  paint: ReturnType<typeof painter>,
): string {
  const own = n !== null && name !== `V${n}` ? plain(name) : '';
  const parts = [
    paint('bold', n === null ? 'draft' : `v${n}`),
    releasedAs
      ? paint(releasedAs.obsolete ? 'dim' : 'green', `[${releasedAs.label}${releasedAs.obsolete ? ', obsolete' : ''}]`)
      : '',
    // the first line of a workspace, mostly its draft, tells its name
    first ? paint('cyan', `(${plain(workspace.name)})`) : '',
    reservation ? `reserved by ${plain(reservation.by.name)}` : '',
    own,
    plain(comment),
    n === null ? '' : paint('dim', `${when(createdAt)} ${plain(createdBy.name)}`),
  ];
  return parts.filter(Boolean).join('  ');
}
