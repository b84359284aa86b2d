// A backup is a folder with the store as one file or as an archive, the keys, and a manifest that is written last.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CliError, EXIT } from '../cli/exit.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';

/** The content of `backup.json`. */
export type BackupManifest = {
  /** 1: the store is one file. 2: it is an archive, whose pieces the file `store.list` lists with their SHA-256. */
  format: 'pdm-backup-1' | 'pdm-backup-2';
  /** The version of the service that made the backup. */
  version: string;
  /** RFC 3339. Manifests of version 0.1.0 call it `madeAt`. */
  createdAt: string;
  collections: number;
  documents: number;
  /** The size of the archive in bytes, and how much of it no earlier backup contained. */
  bytes?: number;
  newBytes?: number;
  /** The other files of the backup, by name. */
  files: Record<string, { size: number; sha256: string }>;
};

export const MANIFEST = 'backup.json';
export const STORE_FILE = 'store.mdb';
export const STORE_LIST = 'store.list';
/** Key files in the data folder: the key that signs the audit log, and the secret that other keys are derived from. */
export const KEY_FILES = ['audit-key', 'secret'] as const;

/** Returns the folder of the embedded store. Throws if the store is a MongoDB server. */
export function embeddedStoreFolder({ MONGODB_URL, PDM_DATA_DIR }: Config): string {
  if (MONGODB_URL)
    throw new CliError(
      `The store is the server at MONGODB_URL. Use mongodump --oplog and mongorestore --oplogReplay, and copy ${KEY_FILES.join(' and ')} in ${PDM_DATA_DIR}.`,
    );
  return join(PDM_DATA_DIR, 'store');
}

/** Returns whether a folder contains an embedded store. */
export function hasStore(folder: string): boolean {
  return existsSync(join(folder, STORE_FILE));
}

/** Resolves a folder from the command line. Throws if it is empty, for example an unset shell variable. */
export function resolveFolder(folder: string): string {
  if (!folder.trim()) throw new CliError('The folder must not be empty.', EXIT.usage);
  return resolve(folder);
}

/**
 * Runs a task of the embedded store in a child process, e.g. `backup --data FOLDER --to FILE`. Returns what it read. It ends
 * with this process, or when `signal` is aborted.
 */
export async function runStoreTask(
  args: readonly string[],
  signal?: AbortSignal,
): Promise<{ collections: number; documents: number; bytes?: number; newBytes?: number }> {
  const main = fileURLToPath(new URL('../embedded/process/main.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args, '--supervised'], { signal }).catch(
    ({ stderr, message }: { stderr?: string; message: string }) => {
      throw new CliError(stderr?.trim() || message);
    },
  );
  const [collections = 0, documents = 0, bytes, newBytes] = (/^done: .*/m.exec(stdout)?.[0].match(/\d+/g) ?? []).map(
    Number,
  );
  return { collections, documents, ...(bytes !== undefined && { bytes, newBytes }) };
}

/** Returns the size in bytes and the SHA-256 (hex) of a file. */
export async function hashFile(file: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  const content = createReadStream(file);
  await pipeline(content, hash);
  return { size: content.bytesRead, sha256: hash.digest('hex') };
}

/** Copies the keys of a data folder to a backup. Returns the size and the SHA-256 of the copies. */
export async function copyKeys(dataDir: string, folder: string): Promise<BackupManifest['files']> {
  const names = keyFilesIn(dataDir);
  for (const name of names)
    writeFileSync(join(folder, name), readFileSync(join(dataDir, name)), { mode: 0o600, flush: true });
  return hashFiles(folder, names);
}

/** Returns the size and the SHA-256 of files in a folder, by name. */
export async function hashFiles(folder: string, names: readonly string[]): Promise<BackupManifest['files']> {
  const files: BackupManifest['files'] = {};
  for (const name of names) files[name] = await hashFile(join(folder, name));
  return files;
}

/** Writes the manifest of a backup, which is complete then. */
export function writeManifest(folder: string, manifest: BackupManifest): void {
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
}

/** Returns the names of the key files that exist in a folder. */
export function keyFilesIn(folder: string): string[] {
  return KEY_FILES.filter((name) => existsSync(join(folder, name)));
}
