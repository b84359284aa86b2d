import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Deed } from '../cli/deed.ts';
import { EXIT } from '../cli/exit.ts';
import { say, sayJson } from '../cli/terminal.ts';
import { exportedLines } from '../subgraphs/core/domain/export-log.ts';
import { storedLog } from '../subgraphs/core/store/audit-log.ts';
import { withStore } from './open-store.ts';
import { operatorSettings } from './settings.ts';

/** Writes the whole audit log into a new file that other verifiers can read. */
export const auditExport: Deed = {
  define: (command) =>
    command
      .argument('<file>', 'a new file, for tools/verify-audit.py or a verifier of your own')
      .option('--json', 'tell the name of the file as JSON'),
  run: (terminal, { json }: { json?: true }, file: string) =>
    withStore(operatorSettings(), async ({ db }) => {
      // Whoever reads it sees what administrators see.
      const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(Readable.from(exportedLines(storedLog({ db }))), out);
      if (json) sayJson(terminal, { file });
      else say(terminal.out, `The audit log is in ${file}.`);
      return EXIT.good;
    }),
};
