// Runs validations one at a time in a thread, which ends when it is not needed.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { FieldError } from '../../domain/errors.ts';
import type { Validation } from './validation-thread.ts';

const TIMEOUT_MS = 30_000;
const IDLE_MS = 20_000;
const HEAP_MB = 256;

const limitValidations = pLimit(1);
let thread: Worker | null = null;
let idleTimer: NodeJS.Timeout | null = null;

/**
 * Returns the errors of a file, or null if its validation exceeds its time (30 s) or memory (256 MB). `load` reads the
 * file when it is its turn, so that the files in line are not in memory.
 */
export function validateInThread(load: () => Promise<Validation>): Promise<FieldError[] | null> {
  return limitValidations(async () => {
    if (idleTimer) clearTimeout(idleTimer);
    try {
      return await validate(await load());
    } finally {
      idleTimer = setTimeout(endThread, IDLE_MS).unref();
    }
  });
}

async function validate(validation: Validation): Promise<FieldError[] | null> {
  thread ??= startThread();
  const current = thread;
  current.ref();
  // A copy, because the memory of a small buffer is shared with others.
  const bytes = new Uint8Array(validation.bytes);
  current.postMessage({ ...validation, bytes }, [bytes.buffer]);
  try {
    const [errors] = await once(current, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    current.unref();
    return errors as FieldError[];
  } catch (error) {
    endThread();
    const exceeded =
      error instanceof Error &&
      (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'));
    if (exceeded) return null;
    throw error;
  }
}

function startThread(): Worker {
  const started = new Worker(new URL('./validation-thread.ts', import.meta.url), {
    env: {},
    execArgv: ['--no-warnings'],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // While no validation waits, for example after its time, an error without a listener would end the service.
  started.on('error', () => {
    if (thread === started) thread = null;
  });
  return started;
}

function endThread(): void {
  void thread?.terminate();
  thread = null;
}
