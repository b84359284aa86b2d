import { createPublicKey } from 'node:crypto';
import type { Deed } from '../cli/deed.ts';
import { EXIT } from '../cli/exit.ts';
import { say, sayJson } from '../cli/terminal.ts';
import { presentAuditKey } from '../subgraphs/core/audit-key.ts';
import { checkStore } from '../subgraphs/core/check/check-store.ts';
import { INVARIANTS } from '../subgraphs/core/check/invariant.ts';
import { verifierOf } from '../subgraphs/core/domain/signed-note.ts';
import { withStore } from './open-store.ts';
import { operatorSettings } from './settings.ts';

/** Names every broken invariant of the store. */
export const check: Deed = {
  define: (command) =>
    command.option('--read-data', 'also read and hash every byte of every file').option('--json', 'the faults as JSON'),
  async run(terminal, { readData = false, json }: { readData?: boolean; json?: true }) {
    const config = operatorSettings();
    const key = presentAuditKey(config.PDM_DATA_DIR);
    const verifiers = (origin: string) => (key ? [verifierOf(origin, createPublicKey(key))] : []);
    return withStore(config, async ({ db }) => {
      const faults: { invariant: string; id: string; says: string }[] = [];
      for await (const { invariant, id, says } of checkStore({ db }, { readData, verifiers })) {
        faults.push({ invariant, id, says });
        if (!json) say(terminal.out, `${invariant}  ${id}  ${says}`);
      }
      if (json) sayJson(terminal, { sound: faults.length === 0, faults });
      else
        say(
          terminal.out,
          faults.length
            ? `${faults.length === 1 ? 'One fault' : `${faults.length} faults`}; the invariants are explained in docs/operating.md.`
            : sound(readData),
        );
      return faults.length ? EXIT.refused : EXIT.good;
    });
  },
};

function sound(readData: boolean): string {
  const known = Object.keys(INVARIANTS).length;
  return `sound: ${known} invariants hold${readData ? ', every byte was read' : '; the bytes of files were not read (--read-data)'}.`;
}
