// Files on their way to the service. They go on while one looks at something else; few at a time, because the service takes few.
import { signal } from '@preact/signals';
import { JobOfDraftDocument, NewDocumentDocument, TakeBackDocumentDocument } from '../generated/operations.ts';
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
export type Into = {
  versionId: string;
  document: { id: string; number: string };
  kind: string;
  split?: boolean;
  job: boolean;
};
/** A file to be sent, and where to: asked for when it is its turn, and `takenBack` when it is stopped. */
type Errand = { file: File; place: () => Promise<Into>; stop: AbortController; takenBack?: () => Promise<unknown> };

export const transfers = signal<readonly Transfer[]>([]);

const AT_ONCE = 3; // the service takes four uploads of one token at a time
let last = 0;
let running = 0;
const queue: (() => Promise<void>)[] = [];
const errands = new Map<number, Errand>();

/** Stores a file in a draft. */
export const upload = (file: File, into: Into): void =>
  transfer(into.document, { file, place: async () => into, stop: new AbortController() });

/** Makes a model of a file: a document named as the file, with the file in its draft. */
export function uploadAsNew(file: File, folderId: string | null): void {
  const errand: Errand = {
    file,
    stop: new AbortController(),
    place: async () => {
      const input = { kind: 'model' as const, name: nameFromFile(file.name).slice(0, 200), folderId };
      const { createDocument } = await ask(NewDocumentDocument, { input });
      const { id, etag, workspaces } = createDocument;
      const [workspace] = workspaces;
      if (!workspace) throw new Error('The new document has no workspace.');
      // as long as nobody has done anything with it
      errand.takenBack = () => ask(TakeBackDocumentDocument, { id }, { ifMatch: `"${etag}"` });
      return { versionId: workspace.draftId, document: createDocument, kind: 'source', job: true };
    },
  };
  transfer(null, errand);
}

/** Stops a transfer that has not ended; what was sent of it is thrown away by the service. */
export function cancelTransfer(id: number): void {
  errands.get(id)?.stop.abort();
  if (transfers.value.some((each) => each.id === id && each.state === 'waiting')) set(id, { state: 'cancelled' });
}

/** Sends a file again that did not arrive, to where it was to go. */
export function sendAgain(id: number): void {
  const errand = errands.get(id);
  if (!errand) return;
  errand.stop = new AbortController();
  set(id, { state: 'waiting', sent: 0, problem: null });
  queueUp(id, errand);
}

/** Takes transfers that have ended off the list: one, or all. */
export function putAway(id?: number): void {
  transfers.value = transfers.value.filter((each) => isMoving(each) || (id !== undefined && each.id !== id));
  for (const each of errands.keys())
    if (!transfers.value.some((transfer) => transfer.id === each)) errands.delete(each);
}

export const isMoving = ({ state }: Transfer): boolean => state === 'waiting' || state === 'sending';

function transfer(document: Into['document'] | null, errand: Errand): void {
  last += 1;
  const { name: fileName, size } = errand.file;
  errands.set(last, errand);
  transfers.value = [
    ...transfers.value,
    { id: last, fileName, size, document, sent: 0, state: 'waiting', problem: null, jobId: null },
  ];
  queueUp(last, errand);
}

function queueUp(id: number, errand: Errand): void {
  queue.push(() => run(id, errand));
  startNext();
}

async function run(id: number, errand: Errand): Promise<void> {
  const { file, place, stop } = errand;
  try {
    stop.signal.throwIfAborted();
    set(id, { state: 'sending' });
    const into = await place();
    errand.place = async () => into; // sent again it goes to the same place
    set(id, { document: into.document });
    await send(file, into, stop.signal, (sent) => set(id, { sent }));
    const jobId = into.job ? await jobOf(into.versionId) : null;
    set(id, { state: 'stored', sent: 1, jobId });
    errands.delete(id);
  } catch (error) {
    if (!stop.signal.aborted)
      set(id, { state: 'failed', problem: error instanceof Error ? error.message : String(error) });
    else await takeBack(id, errand);
  }
}

// what was made for a file that is not to come goes again
async function takeBack(id: number, { takenBack }: Errand): Promise<void> {
  const gone = await takenBack?.().then(
    () => true,
    () => false,
  );
  set(id, { state: 'cancelled', ...(gone ? { document: null } : {}) });
  errands.delete(id);
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
