import type { CliCommand } from '../cli/command.ts';
import { EXIT } from '../cli/exit.ts';
import { type Terminal, writeJson, writeLine } from '../cli/terminal.ts';
import { checkStore } from '../subgraphs/core/check/check-store.ts';
import { INVARIANTS } from '../subgraphs/core/check/invariant.ts';
import { createVerifier } from '../subgraphs/core/domain/audit/signed-note.ts';
import { pluralize } from '../subgraphs/core/domain/text/pluralize.ts';
import { readAuditPublicKey } from '../subgraphs/core/platform/audit-key.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import { withStore } from './open-store.ts';
import { readSettings } from './settings.ts';

/** `pdm check`: checks the invariants of the store and lists every violation. */
export const check: CliCommand = {
  define: (command) =>
    command
      .option('--read-data', 'also read every file and verify its SHA-256')
      .option('--json', 'print the result as JSON'),
  async run(terminal, { readData = false, json }: { readData?: boolean; json?: true }) {
    const isSound = await reportViolations(terminal, readSettings(), { readData, json });
    return isSound ? EXIT.success : EXIT.failure;
  },
};

/** Checks the store of these settings and prints every violation. Returns whether there is none. */
export async function reportViolations(
  terminal: Terminal,
  config: Config,
  { readData, json = false }: { readData: boolean; json?: boolean },
): Promise<boolean> {
  const key = readAuditPublicKey(config.PDM_DATA_DIR);
  const verifiers = (origin: string) => (key ? [createVerifier(origin, key)] : []);
  return withStore(config, async ({ db }) => {
    const errors: { invariant: string; id: string; message: string }[] = [];
    for await (const { invariant, id, message } of checkStore({ db }, { readData, verifiers })) {
      errors.push({ invariant, id, message });
      if (!json) writeLine(terminal.out, `${invariant}  ${id}  ${message}`);
    }
    if (json) writeJson(terminal, { ok: errors.length === 0, errors });
    else writeLine(terminal.out, summarize(errors.length, readData));
    return errors.length === 0;
  });
}

function summarize(errors: number, readData: boolean): string {
  if (errors) return `${pluralize(errors, 'error')} found; docs/operating.md explains the invariants.`;
  const scope = readData ? 'all file contents were read' : 'file contents were not read (use --read-data)';
  return `ok: ${Object.keys(INVARIANTS).length} invariants hold, ${scope}.`;
}
