import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type StoreError, storeError } from '../protocol/errors.ts';

const MIB = 2 ** 20;
const LEAST_FREE = 64 * MIB;
const RESERVE = 32 * MIB;
const LOOK_EVERY_MS = 1000;
const RESERVE_AFTER_MS = 3000;
// As Node says it, as the system, and as LMDB; a quota counts like the disk.
const NO_ROOM: readonly unknown[] = ['ENOSPC', 'EDQUOT', 28, 122, -30_792];

/** Keeps the store alive on a full disk: growing writes are refused early, and a reserve file lets deletes commit. */
export type DiskGuard = {
  /** Code 14031 when less than 64 MiB are free. */
  refuseWhenFull(): void;
  /** The answer to a commit that failed for want of space, after the reserve was given up; undefined for any other cause. */
  isFull(cause: Error & { code?: number | string }): StoreError | undefined;
  close(): void;
};

export function openDiskGuard(databasePath: string): DiskGuard {
  const folder = dirname(databasePath);
  const reserve = join(folder, 'reserve');
  let full = false;
  let lookedAt = 0;

  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  const look = () => {
    lookedAt = Date.now();
    const left = free();
    full = left < LEAST_FREE;
    if (!full && !existsSync(reserve)) reserveSoon();
  };
  // Not at once: thirty-two written megabytes would delay the first answer.
  let soon: NodeJS.Timeout | undefined;
  const reserveSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      if (free() > LEAST_FREE + 2 * RESERVE) void writeReserve(reserve);
    }, RESERVE_AFTER_MS).unref();
  };
  look();

  return {
    refuseWhenFull() {
      if (Date.now() - lookedAt > LOOK_EVERY_MS) look();
      if (full) throw outOfSpace();
    },
    isFull(cause) {
      // A partly written page comes back as EIO: then the free space decides, or that the reserve was given up a moment ago.
      const outOfRoom = saysNoRoom(cause) || free() < MIB || (full && !existsSync(reserve));
      if (!outOfRoom) return undefined;
      rmSync(reserve, { force: true });
      full = true;
      lookedAt = Date.now();
      return outOfSpace();
    },
    close: () => clearTimeout(soon),
  };
}

const outOfSpace = () =>
  storeError(14031, 'embedded store: the disk is full; delete something or make room, reads and deletes go on');

// A little at a time, so that nobody waits for it. Should the room end meanwhile, there is none for a reserve.
async function writeReserve(path: string): Promise<void> {
  const part = `${path}.part`;
  try {
    const file = await open(part, 'w', 0o600);
    try {
      const zeros = Buffer.alloc(MIB);
      for (let written = 0; written < RESERVE; written += MIB) await file.write(zeros);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch {
    await rm(part, { force: true });
  }
}

/** Whether an error of the system or of LMDB is about missing room. */
export const saysNoRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NO_ROOM.includes(error.code);

/** Has a file, or the names in a folder, on disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
