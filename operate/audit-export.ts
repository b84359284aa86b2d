import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportedLines } from '../subgraphs/core/domain/export-log.ts';
import { storedLog } from '../subgraphs/core/store/audit-log.ts';
import { EXIT, type OperatorCommand, OperatorError, textsOf } from './command.ts';
import { withStore } from './open-store.ts';

/** Writes the whole audit log into a new file that other verifiers can read. */
export const auditExport: OperatorCommand = {
  words: 'audit export',
  usage: 'audit export FILE',
  says: 'Write the whole audit log into a new file, for tools/verify-audit.py or a verifier of your own.',
  options: {},
  operands: true,
  run: async (given, config) => {
    const [file, ...more] = textsOf(given, 'operands');
    if (!file || more.length) throw new OperatorError('It takes the name of one file.', EXIT.usage);
    return withStore(config, async ({ db }) => {
      // Whoever reads it sees what administrators see.
      const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(Readable.from(exportedLines(storedLog({ db }))), out);
      console.log(`The audit log is in ${file}.`);
      return EXIT.good;
    });
  },
};
