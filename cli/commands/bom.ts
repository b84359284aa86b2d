import { pipeline } from 'node:stream/promises';
import type { ReadBomQuery } from '../../rest-adapter/generated/operations.ts';
import { createApi, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { type DraftOptions, resolveVersionId } from '../document-reference.ts';
import { CliError, EXIT } from '../exit.ts';
import { parsePositiveInteger } from '../positive-integer.ts';
import { createStyler, formatTable, sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = DraftOptions & {
  csv?: true;
  flat?: true;
  top?: true;
  depth?: number;
  resolveNow?: true;
  json?: true;
};
type Bom = ReadBomQuery['bom'];

/** `pdm bom`: prints the bill of materials of an assembly. */
export const bom: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'number or id, optionally with @v3 or @B (default: newest release, else newest version)')
      .option('--flat', 'list each part once, with its total quantity')
      .option('--top', 'list only the direct components of the assembly')
      .option('--depth <levels>', 'maximum number of levels', parsePositiveInteger)
      .option('--draft', 'use the draft of the main workspace')
      .option('--workspace <name>', 'use the draft of this workspace')
      .option('--resolve-now', 'resolve references now (default: as recorded when the version was created)')
      .option('--csv', 'print CSV for spreadsheets'),
  async run(terminal, { csv, flat, top, depth, draft, workspace, resolveNow, json }: Options, documentArg: string) {
    if (csv && json) throw new CliError('--csv cannot be combined with --json.', EXIT.usage);
    if (flat && top) throw new CliError('--flat cannot be combined with --top.', EXIT.usage);
    const api = createApi(terminal);
    const path = `/versions/${pathSegment(await resolveVersionId(api, documentArg, { draft, workspace }))}/bom`;
    const mode = (flat && 'flat') || (top && 'top') || undefined;
    const query = { mode, depth, resolve: resolveNow ? 'now' : undefined };
    if (csv) {
      await pipeline(await api.open(path, { ...query, format: 'csv' }), terminal.out, { end: false });
      return EXIT.success;
    }
    const bom = await api.get<Bom>(path, query);
    const style = createStyler(terminal.out, terminal.environment);
    if (json) writeJson(terminal, bom);
    else for (const line of formatBom(bom, style)) writeLine(terminal.out, line);
    return EXIT.success;
  },
};

function formatBom({ number, name, n, mode, items }: Bom, style: ReturnType<typeof createStyler>): string[] {
  const title = `${number} ${sanitize(name)}, ${n === null ? 'draft' : `V${n}`}`;
  if (!items.length) return [title, 'No components.'];
  const rows = items.map((item) => {
    const { resolution } = item;
    const label = resolution?.label ? ` (${resolution.label})` : '';
    const indent = mode === 'indented' ? '  '.repeat(Math.max(item.level - 1, 0)) : '';
    return [
      `${indent}${item.findNumber}`,
      item.number ?? item.address,
      item.name,
      resolution ? `v${resolution.n}${label}` : null,
      item.quantity,
      item.totalQuantity,
      formatNote(item),
    ];
  });
  return [title, '', ...formatTable(['Find', 'Number', 'Name', 'Version', 'Quantity', 'Total', 'Note'], rows, style)];
}

function formatNote({ status, reason, resolution, outdated, outdatedBelow }: Bom['items'][number]): string {
  if (status === 'unresolved') return reason ?? 'unresolved';
  const notes = [
    resolution?.obsolete && 'obsolete',
    outdated && 'outdated',
    outdatedBelow && 'outdated component below',
  ];
  return notes.filter(Boolean).join(', ');
}
