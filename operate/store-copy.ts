// A backup is a folder: the store as one file, the keys beside it, and a list of them that is written last.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EXIT, Failure } from '../cli/exit.ts';
import type { Config } from '../subgraphs/core/config.ts';

/** What a backup holds, by the names of its files, as it is written into `backup.json`. */
export type Backup = {
  format: 'pdm-backup-1';
  /** The version of the service that made it. */
  version: string;
  madeAt: string;
  collections: number;
  documents: number;
  files: Record<string, { size: number; sha256: string }>;
};

export const LIST = 'backup.json';
export const STORE = 'store.mdb';
/**
 * Files of the data folder that are needed to read what the store holds: the one that signs the audit log, the one that all other keys are made of.
 */
export const KEYS = ['audit-key', 'secret'] as const;

/** The folder of the embedded store. Refuses where the store is a server: its own tools copy it. */
export function embeddedFolder({ MONGODB_URL, PDM_DATA_DIR }: Config): string {
  if (MONGODB_URL)
    throw new Failure(
      `The store is the server at MONGODB_URL, which its own tools copy (mongodump --oplog, mongorestore --oplogReplay). Copy ${KEYS.join(' and ')} in ${PDM_DATA_DIR} with it.`,
    );
  return join(PDM_DATA_DIR, 'store');
}

/** Whether a folder holds an embedded store: without its file there is none, whatever else was left behind. */
export function holdsStore(folder: string): boolean {
  return existsSync(join(folder, STORE));
}

/** The folder that was typed; an empty word, as an unset variable makes it, is none. */
export function folderIn(given: string): string {
  if (!given.trim()) throw new Failure('The folder is an empty word.', EXIT.usage);
  return resolve(given);
}

/** Has the embedded store copy or restore itself, in a process of its own as always, and tells how much it read. */
export async function storeTask(
  task: 'backup' | 'restore',
  folder: string,
  file: string,
): Promise<{ collections: number; documents: number }> {
  const main = fileURLToPath(new URL('../embedded/main.ts', import.meta.url));
  const words = [main, task, '--data', folder, task === 'backup' ? '--to' : '--from', file];
  const { stdout } = await promisify(execFile)(process.execPath, words).catch(
    ({ stderr, message }: { stderr?: string; message: string }) => {
      throw new Failure(stderr?.trim() || message);
    },
  );
  const [, collections, documents] = /^done: (\d+) collections, (\d+) documents/m.exec(stdout) ?? [];
  return { collections: Number(collections), documents: Number(documents) };
}

/** Length and SHA-256 (hex) of a file. */
export async function weighed(file: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  const content = createReadStream(file);
  await pipeline(content, hash);
  return { size: content.bytesRead, sha256: hash.digest('hex') };
}

/** Those of the keys that a folder has. */
export function keysIn(folder: string): string[] {
  return KEYS.filter((name) => existsSync(join(folder, name)));
}
