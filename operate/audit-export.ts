import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CliCommand } from '../cli/command.ts';
import { EXIT } from '../cli/exit.ts';
import { writeJson, writeLine } from '../cli/terminal.ts';
import { exportLog } from '../subgraphs/core/domain/audit/export-log.ts';
import { storedLog } from '../subgraphs/core/store/audit/audit-log.ts';
import { storedStates } from '../subgraphs/core/store/audit/proven-records.ts';
import { withStore } from './open-store.ts';
import { readSettings } from './settings.ts';

/** `pdm audit export`: writes the audit log to a file for other verifiers. */
export const auditExport: CliCommand = {
  define: (command) =>
    command
      .argument('<file>', 'new file, for tools/verify-audit.py or another verifier')
      .option('--records', 'also export the stored records, to compare them with the log; stop the service before')
      .option('--json', 'print the result as JSON'),
  run: (terminal, { records, json }: { records?: true; json?: true }, file: string) =>
    withStore(readSettings(), async ({ db }) => {
      // The file contains what only administrators may read.
      const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
      const stored = records ? { records: storedStates({ db }), now: new Date() } : undefined;
      await pipeline(Readable.from(exportLog(storedLog({ db }), stored)), out);
      if (json) writeJson(terminal, { file });
      else writeLine(terminal.out, `Exported the audit log to ${file}.`);
      return EXIT.success;
    }),
};
