import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CliCommand } from '../cli/command.ts';
import { CliError, EXIT } from '../cli/exit.ts';
import { writeJson, writeLine } from '../cli/terminal.ts';
import { ensureDirectory } from '../subgraphs/core/platform/ensure-directory.ts';
import { version } from '../subgraphs/core/platform/version.ts';
import {
  type BackupManifest,
  copyKeys,
  embeddedStoreFolder,
  hashFiles,
  hasStore,
  keyFilesIn,
  resolveFolder,
  runStoreTask,
  STORE_FILE,
  writeManifest,
} from './backup-files.ts';
import { readSettings } from './settings.ts';

/** `pdm backup`: copies a consistent snapshot of the store, and the keys. Deletes the copy if it fails. */
export const backup: CliCommand = {
  define: (command) =>
    command
      .argument('<folder>', 'new or empty folder; the service may keep running')
      .option('--json', 'print the result as JSON'),
  async run(terminal, { json }: { json?: true }, folderArg: string) {
    const config = readSettings();
    const store = embeddedStoreFolder(config);
    if (!hasStore(store))
      throw new CliError(
        `There is no store in ${config.PDM_DATA_DIR}. Set PDM_DATA_DIR to the data folder of the service.`,
      );
    const folder = resolveFolder(folderArg);
    const createdFolder = ensureDirectory(folder);
    if (readdirSync(folder).length) throw new CliError(`${folder} is not empty. Choose a new or empty folder.`);
    try {
      const manifest = await copyInto(folder, store, config.PDM_DATA_DIR);
      const { createdAt, collections, documents } = manifest;
      const keys = keyFilesIn(folder).join(', ');
      if (json) writeJson(terminal, { folder, ...manifest });
      else
        writeLine(
          terminal.out,
          `Backed up the store of ${createdAt} to ${folder}: ${collections} collections, ${documents} documents, verified; keys: ${keys}.`,
        );
      return EXIT.success;
    } catch (error) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
      if (createdFolder) rmSync(createdFolder, { recursive: true });
      throw new CliError(`The backup to ${folder} failed: ${error instanceof Error ? error.message : error}`);
    }
  },
};

async function copyInto(folder: string, store: string, dataDir: string): Promise<BackupManifest> {
  const createdAt = new Date().toISOString();
  const contents = await runStoreTask(['backup', '--data', store, '--to', join(folder, STORE_FILE)]);
  const keys = await copyKeys(dataDir, folder);
  const files = { ...(await hashFiles(folder, [STORE_FILE])), ...keys };
  const manifest: BackupManifest = { format: 'pdm-backup-1', version, createdAt, ...contents, files };
  writeManifest(folder, manifest);
  return manifest;
}
