import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliCommand } from '../cli/command.ts';
import { CliError, EXIT } from '../cli/exit.ts';
import { type Terminal, writeJson, writeLine } from '../cli/terminal.ts';
import { errorMessage } from '../subgraphs/core/domain/text/error-message.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import { ensureDirectory } from '../subgraphs/core/platform/ensure-directory.ts';
import { readOrCreateFile } from '../subgraphs/core/platform/read-or-create-file.ts';
import { version } from '../subgraphs/core/platform/version.ts';
import {
  type BackupManifest,
  embeddedStoreFolder,
  hashFile,
  hasStore,
  KEY_FILES,
  keyFilesIn,
  MANIFEST,
  resolveFolder,
  runStoreTask,
  STORE_FILE,
  STORE_LIST,
} from './backup-files.ts';
import { reportViolations } from './check.ts';
import { readSettings } from './settings.ts';

/**
 * `pdm restore`: verifies every file of a backup, then restores it into a data folder without a store. With `--check`
 * it restores into a temporary folder, and checks the result like `pdm check --read-data`.
 */
export const restore: CliCommand = {
  define: (command) =>
    command
      .argument('<folder>', 'folder of the backup')
      .option('--check', 'restore into a temporary folder, check the result, and delete it')
      .option('--json', 'print the result as JSON'),
  async run(terminal, { check, json }: { check?: true; json?: true }, folderArg: string) {
    const config = readSettings();
    const store = embeddedStoreFolder(config);
    const folder = resolveFolder(folderArg);
    const manifest = readManifest(folder);
    await verifyFiles(folder, manifest);
    if (check) return rehearse(terminal, config, { folder, manifest, json });

    const dataDir = config.PDM_DATA_DIR;
    const { collections, documents } = await copyInto(dataDir, store, folder, manifest);
    const { createdAt } = manifest;
    if (json) writeJson(terminal, { dataDir, createdAt, collections, documents });
    else {
      writeLine(
        terminal.out,
        `Restored the backup of ${createdAt} to ${dataDir}: ${collections} collections, ${documents} documents.`,
      );
      writeLine(
        terminal.out,
        'Verify it with "pdm check --read-data" and "pdm audit verify". Tokens revoked since the backup are valid again.',
      );
    }
    return EXIT.success;
  },
};

async function rehearse(
  terminal: Terminal,
  config: Config,
  { folder, manifest, json }: { folder: string; manifest: BackupManifest; json?: true },
): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdm-restore-check-'));
  try {
    const restored = { ...config, PDM_DATA_DIR: dataDir };
    await copyInto(dataDir, embeddedStoreFolder(restored), folder, manifest);
    const isSound = await reportViolations(terminal, restored, { readData: true, json });
    if (isSound && !json) writeLine(terminal.out, `The backup of ${manifest.createdAt} can be restored.`);
    return isSound ? EXIT.success : EXIT.failure;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function copyInto(dataDir: string, store: string, folder: string, { format, files, bytes = 0 }: BackupManifest) {
  const created = [ensureDirectory(dataDir), existsSync(store) ? undefined : store];
  try {
    assertSpace(dataDir, bytes + Object.values(files).reduce((sum, { size }) => sum + size, 0));
    const keys = keyFilesIn(folder).filter((name) => name in files);
    // Keys before the store: a service that finds a store without keys would create new ones.
    for (const name of keys) {
      const file = join(dataDir, name);
      if (!existsSync(file)) created.push(file);
      restoreKey(readFileSync(join(folder, name)), file);
    }
    const from = format === 'pdm-backup-2' ? folder : join(folder, STORE_FILE);
    return await runStoreTask(['restore', '--data', store, '--from', from]);
  } catch (error) {
    // A store that exists was here before, or belongs to a service that started meanwhile.
    if (!hasStore(store)) for (const path of created) if (path) rmSync(path, { recursive: true, force: true });
    throw new CliError(`Nothing was restored to ${dataDir}: ${errorMessage(error)}`);
  }
}

function assertSpace(dataDir: string, needed: number): void {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize < needed)
    throw new CliError(`the disk has ${bavail * bsize} bytes free, and the backup needs ${needed}.`);
}

/** Returns the manifest of a backup. Throws if the backup is incomplete, invalid or of a newer version. */
export function readManifest(folder: string): BackupManifest {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) throw new CliError(`${folder} is not a complete backup: ${MANIFEST} is missing.`);
  const manifest = parseJson(readFileSync(file, 'utf8'));
  if (isObject(manifest) && typeof manifest.version === 'string' && isNewerVersion(manifest.version, version))
    throw new CliError(
      `The backup was made by version ${manifest.version}, which is newer than this version (${version}). Restore it with version ${manifest.version} or later.`,
    );
  if (!isManifest(manifest)) throw new CliError(`${file} is not a valid backup manifest.`);
  return 'madeAt' in manifest ? { ...manifest, createdAt: String(manifest.madeAt) } : manifest;
}

/** Returns whether a version such as 1.10.0 is newer than `reference`. Ignores pre-release suffixes. */
function isNewerVersion(version: string, reference: string): boolean {
  const numbers = (text: string) => (text.split('-')[0] ?? '').split('.').map(Number);
  const [left, right] = [numbers(version), numbers(reference)];
  const position = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return position >= 0 && (left[position] ?? 0) > (right[position] ?? 0);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// A manifest with other names, such as "../x", could write outside the data folder.
const STORE_OF_FORMAT: Record<string, string> = { 'pdm-backup-1': STORE_FILE, 'pdm-backup-2': STORE_LIST };

function isManifest(value: unknown): value is BackupManifest {
  if (!isObject(value) || !isObject(value.files)) return false;
  const store = STORE_OF_FORMAT[String(value.format)];
  if (!store || !(store in value.files)) return false;
  return Object.entries(value.files).every(
    ([name, file]) =>
      [store, ...KEY_FILES].includes(name) &&
      isObject(file) &&
      typeof file.size === 'number' &&
      typeof file.sha256 === 'string',
  );
}

async function verifyFiles(folder: string, { files }: BackupManifest): Promise<void> {
  for (const [name, { size, sha256 }] of Object.entries(files)) {
    const file = join(folder, name);
    if (!existsSync(file)) throw new CliError(`${file} is missing from the backup.`);
    const found = await hashFile(file);
    if (found.size !== size || found.sha256 !== sha256)
      throw new CliError(`${file} differs from the backup manifest; nothing was restored.`);
  }
}

function restoreKey(key: Buffer, file: string): void {
  if (!readOrCreateFile(file, () => key).equals(key))
    throw new CliError(`${file} differs from the key in the backup. Restore into an empty data folder.`);
}
