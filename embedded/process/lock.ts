import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 50;
const BEAT_MS = 2_000;
const DEAD_AFTER_MS = 15_000;

/** `service`: the process that started the holder and that it ends with, if there is one. */
type Holder = { pid: number; started: string; boot: string; host: string; service?: number };

/**
 * The lock, waited for: a holder whose own parent was killed a moment ago is about to let go. Throws what takeLock throws when the
 * patience (milliseconds) is over. `service` is the process to be named to others instead of this one.
 */
export async function awaitLock(folder: string, patience: number, service?: number): Promise<{ release(): void }> {
  for (const until = Date.now() + patience; ; await setTimeout(POLL_MS)) {
    try {
      return takeLock(folder, service);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

/** One process per data folder. Throws a sentence naming the holder; a holder that is not alive is moved aside. */
export function takeLock(folder: string, service?: number): { release(): void } {
  const path = join(folder, 'lock');
  const own: Holder = {
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    boot: bootId(),
    host: hostname(),
    service,
  };
  for (let attempt = 0; ; attempt++) {
    if (place(path, own)) break;
    const holder = read(path);
    if (holder && (attempt >= 3 || alive(path, holder))) {
      throw new Error(
        `The data folder ${folder} is in use by process ${holder.service ?? holder.pid}${holder.host === own.host ? '' : ` on ${holder.host}`}; stop that one first.`,
      );
    }
    putAside(path, holder);
  }
  const beat = setInterval(() => utimesSync(path, new Date(), new Date()), BEAT_MS).unref();
  return {
    release() {
      clearInterval(beat);
      const holder = read(path);
      if (holder?.pid === own.pid && holder.started === own.started) rmSync(path, { force: true });
    },
  };
}

// link() either makes the whole finished file appear under the name or fails: nobody ever reads half a lock.
function place(path: string, holder: Holder): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

// Moved, not deleted: of two that find the same dead holder one gets the file, the other looks again.
function putAside(path: string, seen: Holder | undefined): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = read(aside);
  const stillTheSame = seen === undefined || (moved?.pid === seen.pid && moved.started === seen.started);
  // A new owner came between the look and the move: give the name back.
  if (!stillTheSame && !existsSync(path)) renameSync(aside, path);
  else rmSync(aside, { force: true });
}

function alive(path: string, holder: Holder): boolean {
  if (holder.host !== hostname()) return Date.now() - statSync(path).mtimeMs < DEAD_AFTER_MS;
  return holder.boot === bootId() && startOf(holder.pid) === holder.started;
}

function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// The start time of a process tells it from a later one with the same number.
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? undefined : rest[18]; // a zombie holds nothing any more
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
