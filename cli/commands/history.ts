import type { ReadVersionGraphQuery } from '../../rest-adapter/generated/operations.ts';
import { type Api, createApi, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { parseDocumentReference } from '../document-reference.ts';
import { type DrawnLine, drawHistory, type History } from '../draw-history.ts';
import { EXIT } from '../exit.ts';
import { parsePositiveInteger } from '../positive-integer.ts';
import { createStyler, formatTime, type Style, sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = { ascii?: true; limit: number; json?: true };
type QueryGraph = NonNullable<ReadVersionGraphQuery['document']>['versionGraph'];
/** The version graph as returned by REST: the fields of a version are part of its node. */
type RestGraph = Omit<QueryGraph, 'nodes' | 'lanes'> & {
  lanes: ({ lane: number } & QueryGraph['lanes'][number]['workspace'])[];
  nodes: ({ row: number; lane: number } & QueryGraph['nodes'][number]['version'])[];
};

const COLORS: readonly Style[] = ['cyan', 'green', 'magenta', 'yellow', 'blue', 'red'];
const PAGE_SIZE = 1000;

/** `pdm history`: draws the history of a document as a graph. */
export const history: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'document number or id')
      .option('--ascii', 'use only ASCII characters')
      .option('--limit <rows>', 'maximum number of drafts and versions, newest first', parsePositiveInteger, 200),
  async run(terminal, { ascii, limit, json }: Options, documentArg: string) {
    const api = createApi(terminal);
    const graph = await fetchGraph(api, parseDocumentReference(documentArg).document, limit);
    if (json) {
      writeJson(terminal, graph);
      return EXIT.success;
    }
    const style = createStyler(terminal.out, terminal.environment);
    const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    const restored = graph.edges.filter(({ kind }) => kind === 'restore');
    const restoredFrom = new Map(restored.map(({ child, parent }) => [child.versionId, parent.row + 1]));
    const labeledWorkspaces = new Set<string>();
    for (const { id, cells } of drawHistory(toHistory(graph), { ascii })) {
      const node = id === null ? undefined : nodes.get(id);
      const drawing = formatCells(cells, style);
      if (!node) {
        writeLine(terminal.out, drawing.trimEnd());
        continue;
      }
      const showWorkspace = !labeledWorkspaces.has(node.workspace.id);
      labeledWorkspaces.add(node.workspace.id);
      writeLine(
        terminal.out,
        `${drawing}  ${formatNode(node, { showWorkspace, restoredFrom: restoredFrom.get(node.id) }, style)}`.trimEnd(),
      );
    }
    if (graph.nextCursor)
      writeLine(terminal.err, `${graph.rows - graph.nodes.length} older versions not shown; use --limit to show more.`);
    return EXIT.success;
  },
};

async function fetchGraph(api: Api, document: string, limit: number): Promise<RestGraph> {
  const path = `/documents/${pathSegment(document)}/version-graph`;
  const graph = await api.get<RestGraph>(path, { limit: Math.min(limit, PAGE_SIZE) });
  while (graph.nextCursor && graph.nodes.length < limit) {
    const page = await api.get<RestGraph>(path, {
      limit: Math.min(limit - graph.nodes.length, PAGE_SIZE),
      cursor: graph.nextCursor,
    });
    graph.nodes.push(...page.nodes);
    graph.edges.push(...page.edges);
    graph.nextCursor = page.nextCursor;
  }
  // An edge between two pages is part of both.
  const uniqueEdges = new Map(graph.edges.map((edge) => [`${edge.child.versionId} ${edge.parent.versionId}`, edge]));
  return { ...graph, edges: [...uniqueEdges.values()] };
}

function toHistory({ nodes, edges }: RestGraph): History {
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

function formatCells(cells: DrawnLine['cells'], style: ReturnType<typeof createStyler>): string {
  return cells
    .map(({ text, column }) => (text === ' ' ? text : style(COLORS[column % COLORS.length] ?? 'cyan', text)))
    .join('');
}

function formatNode(
  { n, name, comment, releasedAs, reservation, workspace, createdAt, createdBy }: RestGraph['nodes'][number],
  { showWorkspace, restoredFrom }: { showWorkspace: boolean; restoredFrom: number | undefined },
  style: ReturnType<typeof createStyler>,
): string {
  const parts = [style('bold', n === null ? 'draft' : `v${n}`)];
  if (releasedAs?.obsolete) parts.push(style('dim', `[${releasedAs.label}, obsolete]`));
  else if (releasedAs) parts.push(style('green', `[${releasedAs.label}]`));
  if (showWorkspace) parts.push(style('cyan', `(${sanitize(workspace.name)})`));
  if (reservation) parts.push(`reserved by ${sanitize(reservation.by.name)}`);
  if (restoredFrom !== undefined) parts.push(style('dim', `restored from v${restoredFrom}`));
  if (n !== null && name !== `V${n}`) parts.push(sanitize(name));
  parts.push(sanitize(comment));
  if (n !== null) parts.push(style('dim', `${formatTime(createdAt)} ${sanitize(createdBy.name)}`));
  return parts.filter(Boolean).join('  ');
}
