// A backup is a folder with the store as one file, the keys, and a manifest that is written last.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CliError, EXIT } from '../cli/exit.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';

/** The content of `backup.json`. */
export type BackupManifest = {
  format: 'pdm-backup-1';
  /** The version of the service that made the backup. */
  version: string;
  /** RFC 3339. Manifests of version 0.1.0 call it `madeAt`. */
  createdAt: string;
  collections: number;
  documents: number;
  /** The other files of the backup, by name. */
  files: Record<string, { size: number; sha256: string }>;
};

export const MANIFEST = 'backup.json';
export const STORE_FILE = 'store.mdb';
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

/** Backs up or restores the embedded store in a child process. Returns the number of collections and documents read. */
export async function runStoreTask(
  task: 'backup' | 'restore',
  folder: string,
  file: string,
): Promise<{ collections: number; documents: number }> {
  const main = fileURLToPath(new URL('../embedded/process/main.ts', import.meta.url));
  const args = [main, task, '--data', folder, task === 'backup' ? '--to' : '--from', file];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    ({ stderr, message }: { stderr?: string; message: string }) => {
      throw new CliError(stderr?.trim() || message);
    },
  );
  const [, collections, documents] = /^done: (\d+) collections, (\d+) documents/m.exec(stdout) ?? [];
  return { collections: Number(collections), documents: Number(documents) };
}

/** Returns the size in bytes and the SHA-256 (hex) of a file. */
export async function hashFile(file: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  const content = createReadStream(file);
  await pipeline(content, hash);
  return { size: content.bytesRead, sha256: hash.digest('hex') };
}

/** Returns the names of the key files that exist in a folder. */
export function keyFilesIn(folder: string): string[] {
  return KEY_FILES.filter((name) => existsSync(join(folder, name)));
}
