// Files on their way to the service. They go on while one looks at something else; few at a time, because the service takes few.
import { signal } from '@preact/signals';
import { JobOfDraftDocument, NewDocumentDocument } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { send } from './send.ts';
import { nameFromFile } from './what-it-becomes.ts';

export type TransferState = 'waiting' | 'sending' | 'stored' | 'failed' | 'cancelled';
export type Transfer = {
  id: number;
  fileName: string;
  size: number;
  document: { id: string; number: string } | null;
  /** Of the bytes, 0…1. */
  sent: number;
  state: TransferState;
  /** Why it failed. */
  problem: string | null;
  /** The job that the file queued. */
  jobId: string | null;
};
/** Where a file goes: into a draft. `job` says that an engine works on it then. */
export type Into = { versionId: string; document: { id: string; number: string }; kind: string; split?: boolean; job: boolean };

export const transfers = signal<readonly Transfer[]>([]);

const AT_ONCE = 3; // the service takes four uploads of one token at a time
let last = 0;
let running = 0;
const queue: (() => Promise<void>)[] = [];
const stops = new Map<number, AbortController>();

/** Stores a file in a draft; answers whether it was stored. */
export const upload = (file: File, into: Into): Promise<boolean> => transfer(file, into.document, async () => into);

/** Makes a model of a file: a document named as the file, with the file in its draft. */
export function uploadAsNew(file: File, folderId: string | null): Promise<boolean> {
  return transfer(file, null, async () => {
    const input = { kind: 'model' as const, name: nameFromFile(file.name).slice(0, 200), folderId };
    const { createDocument } = await ask(NewDocumentDocument, { input });
    const [workspace] = createDocument.workspaces;
    if (!workspace) throw new Error('The new document has no workspace.');
    return { versionId: workspace.draftId, document: createDocument, kind: 'source', job: true };
  });
}

/** Stops a transfer that has not ended; what was sent of it is thrown away by the service. */
export function cancelTransfer(id: number): void {
  stops.get(id)?.abort();
}

/** Takes transfers that have ended off the list: one, or all. */
export function putAway(id?: number): void {
  transfers.value = transfers.value.filter((each) => isMoving(each) || (id !== undefined && each.id !== id));
}

export const isMoving = ({ state }: Transfer): boolean => state === 'waiting' || state === 'sending';

function transfer(file: File, document: Into['document'] | null, place: () => Promise<Into>): Promise<boolean> {
  last += 1;
  const id = last;
  const stop = new AbortController();
  stops.set(id, stop);
  const start: Transfer = { id, fileName: file.name, size: file.size, document, sent: 0, state: 'waiting', problem: null, jobId: null };
  transfers.value = [...transfers.value, start];
  return new Promise((resolve) => {
    queue.push(async () => resolve(await run(id, file, place, stop.signal)));
    startNext();
  });
}

async function run(id: number, file: File, place: () => Promise<Into>, stop: AbortSignal): Promise<boolean> {
  try {
    stop.throwIfAborted();
    set(id, { state: 'sending' });
    const into = await place();
    set(id, { document: into.document });
    await send(file, into, stop, (sent) => set(id, { sent }));
    const jobId = into.job ? await jobOf(into.versionId) : null;
    set(id, { state: 'stored', sent: 1, jobId });
    return true;
  } catch (error) {
    if (stop.aborted) set(id, { state: 'cancelled' });
    else set(id, { state: 'failed', problem: error instanceof Error ? error.message : String(error) });
    return false;
  } finally {
    stops.delete(id);
  }
}

async function jobOf(versionId: string): Promise<string | null> {
  const { version } = await ask(JobOfDraftDocument, { id: versionId });
  return version?.newestJob?.id ?? null;
}

function startNext(): void {
  while (running < AT_ONCE) {
    const next = queue.shift();
    if (!next) return;
    running += 1;
    void next().finally(() => {
      running -= 1;
      startNext();
    });
  }
}

const set = (id: number, change: Partial<Transfer>): void => {
  transfers.value = transfers.value.map((each) => (each.id === id ? { ...each, ...change } : each));
};
