import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deed } from '../cli/deed.ts';
import { EXIT, Failure } from '../cli/exit.ts';
import { say, sayJson } from '../cli/terminal.ts';
import { makeFolder } from '../subgraphs/core/make-folder.ts';
import { version } from '../subgraphs/core/version.ts';
import { operatorSettings } from './settings.ts';
import {
  type Backup,
  embeddedFolder,
  folderIn,
  holdsStore,
  keysIn,
  LIST,
  STORE,
  storeTask,
  weighed,
} from './store-copy.ts';

/** Copies the store of one moment and the keys into a new folder, also while the service runs. The folder holds everything, or is not there. */
export const backup: Deed = {
  define: (command) =>
    command.argument('<folder>', 'a folder that is new or empty').option('--json', 'what it holds as JSON'),
  async run(terminal, { json }: { json?: true }, given: string) {
    const config = operatorSettings();
    const store = embeddedFolder(config);
    if (!holdsStore(store))
      throw new Failure(
        `There is no store in ${config.PDM_DATA_DIR}. Set PDM_DATA_DIR to the data folder of the service.`,
      );
    const folder = folderIn(given);
    const made = makeFolder(folder);
    if (readdirSync(folder).length)
      throw new Failure(`${folder} holds something already; a backup goes into a folder of its own.`);
    try {
      const told = await copyInto(folder, store, config.PDM_DATA_DIR);
      if (json) sayJson(terminal, { folder, ...told });
      else
        say(
          terminal.out,
          `${folder} holds the store as it was at ${told.madeAt}: ${told.collections} collections, ${told.documents} documents, all checked; and ${keysIn(folder).join(', ')}.`,
        );
      return EXIT.good;
    } catch (error) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
      if (made) rmSync(made, { recursive: true });
      throw new Failure(`No backup was made in ${folder}: ${error instanceof Error ? error.message : error}`);
    }
  },
};

async function copyInto(folder: string, store: string, dataDir: string): Promise<Backup> {
  const madeAt = new Date().toISOString();
  const contents = await storeTask('backup', store, join(folder, STORE));
  const keys = keysIn(dataDir);
  for (const name of keys) copyFileSync(join(dataDir, name), join(folder, name));
  const files: Backup['files'] = {};
  for (const name of [STORE, ...keys]) files[name] = await weighed(join(folder, name));
  const told: Backup = { format: 'pdm-backup-1', version, madeAt, ...contents, files };
  writeFileSync(join(folder, LIST), `${JSON.stringify(told, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return told;
}
