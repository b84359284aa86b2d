import type { WhereUsedQuery } from '../../rest-adapter/generated/operations.ts';
import { allOf, apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { namedBy, stateName } from '../named.ts';
import { painter, say, sayJson, table } from '../terminal.ts';

type Options = { all?: true; scope?: string; drafts: boolean; json?: true };
type Use = WhereUsedQuery['whereUsed']['items'][number];

/** Says which assemblies use a document. */
export const whereUsed: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id; with @v3 or @B only where that state is meant')
      .option('--all', 'through every level, not only directly')
      .option('--scope <scope>', 'of each user the latest state, the released ones, or all: latest, released, all')
      .option('--no-drafts', 'without drafts'),
  async run(terminal, { all, scope, drafts, json }: Options, given: string) {
    const { document, state } = namedBy(given);
    const query = { levels: all ? 'all' : undefined, scope, drafts: drafts ? undefined : false, of: state };
    const found = await allOf<Use>(apiFor(terminal), `/documents/${part(document)}/where-used`, query);
    if (json) {
      sayJson(terminal, found);
      return EXIT.good;
    }
    const rows = found.items.map(({ level, document: user, version, location, quantity, points, resolution }) => [
      ...[level, user.number, user.name, `${stateName(version)} of ${version.workspace.name}`],
      ...[quantity, `${points} ${location.replace('pdm://documents/', '')}`, resolution ? `v${resolution.n}` : null],
    ]);
    if (!rows.length) say(terminal.out, 'Nothing uses it.');
    else
      for (const line of table(
        ['Level', 'Number', 'Name', 'In', 'Quantity', 'By', 'Means'],
        rows,
        painter(terminal.out, terminal.environment),
      ))
        say(terminal.out, line);
    return EXIT.good;
  },
};
