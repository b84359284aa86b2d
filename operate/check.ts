import { createPublicKey } from 'node:crypto';
import { presentAuditKey } from '../subgraphs/core/audit-key.ts';
import { checkStore } from '../subgraphs/core/check/check-store.ts';
import { INVARIANTS } from '../subgraphs/core/check/invariant.ts';
import { verifierOf } from '../subgraphs/core/domain/signed-note.ts';
import { EXIT, type OperatorCommand } from './command.ts';
import { withStore } from './open-store.ts';

/** Names every broken invariant of the store. */
export const check: OperatorCommand = {
  words: 'check',
  usage: 'check [--read-data]',
  says: 'Check every invariant of the store; with --read-data also every byte of every file.',
  options: { 'read-data': { type: 'boolean', default: false } },
  run: (given, config) =>
    withStore(config, async ({ db }) => {
      const readData = given['read-data'] === true;
      const key = presentAuditKey(config.PDM_DATA_DIR);
      const verifiers = (origin: string) => (key ? [verifierOf(origin, createPublicKey(key))] : []);
      let count = 0;
      for await (const { invariant, id, says } of checkStore({ db }, { readData, verifiers })) {
        count += 1;
        console.log(`${invariant}  ${id}  ${says}`);
      }
      const known = Object.keys(INVARIANTS).length;
      if (count === 0)
        console.log(`sound: ${known} invariants hold${readData ? ', every byte was read' : '; the bytes of files were not read (--read-data)'}.`);
      else console.log(`${count === 1 ? 'One fault' : `${count} faults`}; the invariants are explained in docs/operating.md.`);
      return count ? EXIT.wrong : EXIT.good;
    }),
};
