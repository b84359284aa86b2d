// The lock file that keeps two processes from opening the same data folder.
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isOutOfSpace } from '../storage/disk.ts';

const POLL_MS = 50;
const HEARTBEAT_MS = 2_000;
const STALE_AFTER_MS = 15_000;

/** The process that holds the lock. `service`: the parent process that users know and can stop, if there is one. */
type LockHolder = { pid: number; started: string; boot: string; host: string; service?: number };

/**
 * Acquires the lock, retrying for `waitMs` milliseconds because a holder whose parent was killed is about to exit.
 * Then throws as `acquireLock` does. `service` is the process that error messages of other
 * processes name instead of this one.
 */
export async function waitForLock(folder: string, waitMs: number, service?: number): Promise<{ release(): void }> {
  for (const deadline = Date.now() + waitMs; ; await setTimeout(POLL_MS)) {
    try {
      return acquireLock(folder, service);
    } catch (error) {
      if (Date.now() > deadline || isOutOfSpace(error)) throw error;
    }
  }
}

/**
 * Acquires the lock of a data folder. Replaces a lock whose holder has ended. Throws an error that names a running
 * holder.
 */
export function acquireLock(folder: string, service?: number): { release(): void } {
  const path = join(folder, 'lock');
  const own: LockHolder = {
    pid: process.pid,
    started: startTime(process.pid) ?? '',
    boot: bootId(),
    host: hostname(),
    service,
  };
  for (let attempt = 0; ; attempt++) {
    if (createLockFile(path, own)) break;
    const holder = readHolder(path);
    if (holder && (attempt >= 3 || isAlive(path, holder))) {
      throw new Error(
        `The data folder ${folder} is in use by process ${holder.service ?? holder.pid}${holder.host === own.host ? '' : ` on ${holder.host}`}; stop that process first.`,
      );
    }
    removeStaleLock(path, holder);
  }
  const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), HEARTBEAT_MS).unref();
  return {
    release() {
      clearInterval(heartbeat);
      const holder = readHolder(path);
      if (holder?.pid === own.pid && holder.started === own.started) rmSync(path, { force: true });
    },
  };
}

// link() either creates the complete file under its final name or fails, so nobody reads a partial lock.
function createLockFile(path: string, holder: LockHolder): boolean {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, JSON.stringify(holder), { mode: 0o600 });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

// Renames instead of deleting: if two processes find the same dead holder, only one gets the file.
function removeStaleLock(path: string, holder: LockHolder | undefined): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(aside);
  const isSameHolder = holder === undefined || (moved?.pid === holder.pid && moved.started === holder.started);
  // A new owner replaced the lock after it was read: restore it.
  if (!isSameHolder && !existsSync(path)) renameSync(aside, path);
  else rmSync(aside, { force: true });
}

function isAlive(path: string, holder: LockHolder): boolean {
  if (holder.host !== hostname()) return Date.now() - statSync(path).mtimeMs < STALE_AFTER_MS;
  return holder.boot === bootId() && startTime(holder.pid) === holder.started;
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// The start time distinguishes a process from a later one with the same PID.
function startTime(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? undefined : rest[18]; // a zombie holds no lock
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return undefined;
      throw error;
    }
  }
  try {
    process.kill(pid, 0);
    return '';
  } catch (error) {
    return codeOf(error) === 'EPERM' ? '' : undefined;
  }
}

const bootId = (): string =>
  process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
