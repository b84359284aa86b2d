import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliCommand } from '../cli/command.ts';
import { CliError, EXIT } from '../cli/exit.ts';
import { writeJson, writeLine } from '../cli/terminal.ts';
import { ensureDirectory } from '../subgraphs/core/platform/ensure-directory.ts';
import { version } from '../subgraphs/core/platform/version.ts';
import {
  type BackupManifest,
  embeddedStoreFolder,
  hashFile,
  hasStore,
  keyFilesIn,
  MANIFEST,
  resolveFolder,
  runStoreTask,
  STORE_FILE,
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
  const contents = await runStoreTask('backup', store, join(folder, STORE_FILE));
  const keys = keyFilesIn(dataDir);
  for (const name of keys) copyFileSync(join(dataDir, name), join(folder, name));
  const files: BackupManifest['files'] = {};
  for (const name of [STORE_FILE, ...keys]) files[name] = await hashFile(join(folder, name));
  const manifest: BackupManifest = { format: 'pdm-backup-1', version, createdAt, ...contents, files };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  return manifest;
}
