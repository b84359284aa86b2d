import { pipeline } from 'node:stream/promises';
import type { ReadBomQuery } from '../../rest-adapter/generated/operations.ts';
import { apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT, Failure } from '../exit.ts';
import { type DraftOptions, stateOf } from '../named.ts';
import { countIn } from '../number.ts';
import { painter, plain, say, sayJson, table } from '../terminal.ts';

type Options = DraftOptions & { csv?: true; flat?: true; top?: true; depth?: number; now?: true; json?: true };
type Bom = ReadBomQuery['bom'];

/** Shows the bill of material of an assembly. */
export const bom: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id: the newest release, else the newest version; with @v3 or @B that one')
      .option('--flat', 'each part once, with what is needed of it in all')
      .option('--top', 'the lines of the assembly itself alone')
      .option('--depth <levels>', 'no deeper than this', countIn)
      .option('--draft', 'of the draft of the main workspace')
      .option('--workspace <name>', 'of the draft of this workspace')
      .option('--now', 'with what its references mean now, not what they meant when the version was made')
      .option('--csv', 'as the service writes it for spreadsheets'),
  async run(terminal, { csv, flat, top, depth, draft, workspace, now, json }: Options, given: string) {
    if ((csv && json) || (flat && top))
      throw new Failure(csv && json ? 'Either --csv or --json.' : 'Either --flat or --top.', EXIT.usage);
    const api = apiFor(terminal);
    const path = `/versions/${part(await stateOf(api, given, { draft, workspace }))}/bom`;
    const query = { mode: flat ? 'flat' : top ? 'top' : undefined, depth, resolve: now ? 'now' : undefined };
    if (csv) {
      await pipeline(await api.open(path, { ...query, format: 'csv' }), terminal.out, { end: false });
      return EXIT.good;
    }
    const answer = await api.get<Bom>(path, query);
    if (json) sayJson(terminal, answer);
    else for (const line of linesOf(answer, painter(terminal.out, terminal.environment))) say(terminal.out, line);
    return EXIT.good;
  },
};

function linesOf({ number, name, n, mode, items }: Bom, paint: ReturnType<typeof painter>): string[] {
  const rows = items.map(
    ({
      level,
      findNumber,
      number,
      name,
      address,
      resolution,
      quantity,
      totalQuantity,
      outdated,
      outdatedBelow,
      status,
      reason,
    }) => [
      `${mode === 'indented' ? '  '.repeat(Math.max(level - 1, 0)) : ''}${findNumber}`,
      ...[
        number ?? address,
        name,
        resolution ? `v${resolution.n}${resolution.label ? ` (${resolution.label})` : ''}` : null,
        quantity,
        totalQuantity,
      ],
      status === 'unresolved'
        ? (reason ?? 'unresolved')
        : [resolution?.obsolete && 'obsolete', outdated && 'outdated', outdatedBelow && 'outdated below']
            .filter(Boolean)
            .join(', '),
    ],
  );
  const title = `${number} ${plain(name)}, ${n === null ? 'draft' : `V${n}`}`;
  return items.length
    ? [title, '', ...table(['Find', 'Number', 'Name', 'State', 'Quantity', 'In all', 'Note'], rows, paint)]
    : [title, 'It uses nothing.'];
}
