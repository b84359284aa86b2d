// Protects the store against a full disk.

import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type StoreError, storeError } from '../protocol/errors.ts';

const MIB = 2 ** 20;
const MIN_FREE_BYTES = 64 * MIB;
const RESERVE_BYTES = 32 * MIB;
const CHECK_INTERVAL_MS = 1000;
const RESERVE_DELAY_MS = 3000;
// The codes of Node, of the operating system and of LMDB; an exceeded quota counts as a full disk.
const OUT_OF_SPACE_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 28, 122, -30_792];

/**
 * Keeps the store usable on a full disk: writes that need space are rejected early, and a reserve file allows deletes
 * to commit.
 */
export type DiskGuard = {
  /** Throws OutOfDiskSpace (14031) if less than 64 MiB are free. */
  assertNotFull(): void;
  /**
   * If a commit failed because the disk is full, deletes the reserve file and returns the error to throw; otherwise
   * undefined.
   */
  outOfSpaceError(cause: Error & { code?: number | string }): StoreError | undefined;
  close(): void;
};

export function openDiskGuard(databasePath: string): DiskGuard {
  const folder = dirname(databasePath);
  const reserve = reservePath(folder);
  let full = false;
  let checkedAt = 0;

  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  const check = () => {
    checkedAt = Date.now();
    full = freeBytes() < MIN_FREE_BYTES;
    if (!full && !existsSync(reserve)) scheduleReserve();
  };
  // Delayed: writing 32 MiB would delay the first response.
  let reserveTimer: NodeJS.Timeout | undefined;
  const scheduleReserve = () => {
    reserveTimer ??= setTimeout(() => {
      reserveTimer = undefined;
      if (freeBytes() > MIN_FREE_BYTES + 2 * RESERVE_BYTES) void writeReserve(reserve);
    }, RESERVE_DELAY_MS).unref();
  };
  check();

  return {
    assertNotFull() {
      if (Date.now() - checkedAt > CHECK_INTERVAL_MS) check();
      if (full) throw outOfSpace();
    },
    outOfSpaceError(cause) {
      const noSpace = isDiskFull(cause, folder) || (full && !existsSync(reserve));
      if (!noSpace) return undefined;
      rmSync(reserve, { force: true });
      full = true;
      checkedAt = Date.now();
      return outOfSpace();
    },
    close: () => clearTimeout(reserveTimer),
  };
}

/** Returns the path of the file whose deletion gives space on a full disk. */
export const reservePath = (folder: string): string => join(folder, 'reserve');

const outOfSpace = () =>
  storeError(14031, 'embedded store: the disk is full; free some space or delete data (reads and deletes still work)');

// Writes in small steps so that other work continues. If the disk fills up meanwhile, there is no reserve.
async function writeReserve(path: string): Promise<void> {
  const part = `${path}.part`;
  try {
    const file = await open(part, 'w', 0o600);
    try {
      const zeros = Buffer.alloc(MIB);
      for (let written = 0; written < RESERVE_BYTES; written += MIB) await file.write(zeros);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch {
    await rm(part, { force: true });
  }
}

/** Whether an error of the operating system or of LMDB means that the disk is full. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && OUT_OF_SPACE_CODES.includes(error.code);

/** Whether an error means that the disk of a folder is full. LMDB reports a partly written page as EIO. */
export function isDiskFull(error: unknown, folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return isOutOfSpace(error) || (error instanceof Error && bavail * bsize < MIB);
}

/** Syncs a file, or the entries of a folder, to disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
