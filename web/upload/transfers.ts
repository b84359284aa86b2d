// Uploads files in the background, a few at a time because the service limits concurrent uploads.
import { signal } from '@preact/signals';
import { CreateDocumentDocument, DeleteNewDocumentDocument, NewestJobDocument } from '../generated/operations.ts';
import { createIdempotencyKey, execute } from '../shell/api-client.ts';
import { sendFile } from './send-file.ts';
import { nameFromFile } from './upload-kind.ts';

export type TransferState = 'waiting' | 'sending' | 'stored' | 'failed' | 'cancelled';
export type Transfer = {
  id: number;
  fileName: string;
  size: number;
  document: { id: string; number: string } | null;
  /** The sent fraction of the bytes, 0…1. */
  sent: number;
  state: TransferState;
  /** The error message, if the upload failed. */
  problem: string | null;
  /** The job that the upload queued. */
  jobId: string | null;
};
/** The draft that receives a file. `job` if the upload queues a job. */
export type UploadTarget = {
  versionId: string;
  document: { id: string; number: string };
  kind: string;
  split?: boolean;
  job: boolean;
};
/** A file to upload. The target is resolved when the upload starts; `undo` runs if the upload is cancelled. */
type UploadTask = {
  file: File;
  key: string;
  resolveTarget: () => Promise<UploadTarget>;
  controller: AbortController;
  undo?: () => Promise<unknown>;
};

export const transfers = signal<readonly Transfer[]>([]);

const MAX_CONCURRENT = 3; // the service allows four concurrent uploads per token
let lastId = 0;
let runningCount = 0;
const queue: (() => Promise<void>)[] = [];
const tasks = new Map<number, UploadTask>();

/** Uploads a file to a draft. */
export const upload = (file: File, target: UploadTarget): void =>
  addTransfer(target.document, { ...newTask(file), resolveTarget: async () => target });

/**
 * Creates a model document named after a file, and uploads the file to its draft. With `split`, creates an assembly, and
 * the service a document for each part of the file.
 */
export function uploadAsNew(file: File, folderId: string | null, { split = false } = {}): void {
  const task: UploadTask = {
    ...newTask(file),
    resolveTarget: async () => {
      const kind = split ? ('assembly' as const) : ('model' as const);
      const input = { kind, name: nameFromFile(file.name).slice(0, 200), folderId };
      const { createDocument } = await execute(CreateDocumentDocument, { input });
      const { id, etag, workspaces } = createDocument;
      const [workspace] = workspaces;
      if (!workspace) throw new Error('The new document has no workspace.');
      // if-match: deletes the document only if it has not been changed since
      task.undo = () => execute(DeleteNewDocumentDocument, { id }, { ifMatch: `"${etag}"` });
      return { versionId: workspace.draftId, document: createDocument, kind: 'source', split, job: true };
    },
  };
  addTransfer(null, task);
}

/** Cancels an upload; the service discards what it has received. */
export function cancelTransfer(id: number): void {
  tasks.get(id)?.controller.abort();
  if (transfers.value.some((each) => each.id === id && each.state === 'waiting')) update(id, { state: 'cancelled' });
}

/** Retries a failed upload with the same target. */
export function retryTransfer(id: number): void {
  const task = tasks.get(id);
  if (!task) return;
  task.controller = new AbortController();
  update(id, { state: 'waiting', sent: 0, problem: null });
  enqueue(id, task);
}

/** Removes one or all finished uploads from the list. */
export function clearTransfers(id?: number): void {
  transfers.value = transfers.value.filter((each) => isActive(each) || (id !== undefined && each.id !== id));
  for (const each of tasks.keys())
    if (!transfers.value.some(({ id: listedId }) => listedId === each)) tasks.delete(each);
}

const newTask = (file: File) => ({ file, key: createIdempotencyKey(), controller: new AbortController() });

/** Returns whether an upload is waiting or in progress. */
export const isActive = ({ state }: Transfer): boolean => state === 'waiting' || state === 'sending';

function addTransfer(document: UploadTarget['document'] | null, task: UploadTask): void {
  lastId += 1;
  const { name: fileName, size } = task.file;
  tasks.set(lastId, task);
  transfers.value = [
    ...transfers.value,
    { id: lastId, fileName, size, document, sent: 0, state: 'waiting', problem: null, jobId: null },
  ];
  enqueue(lastId, task);
}

function enqueue(id: number, task: UploadTask): void {
  queue.push(() => run(id, task));
  startNext();
}

async function run(id: number, task: UploadTask): Promise<void> {
  const { file, key, resolveTarget, controller } = task;
  try {
    controller.signal.throwIfAborted();
    update(id, { state: 'sending' });
    const target = await resolveTarget();
    task.resolveTarget = async () => target; // a retry uses the same target
    update(id, { document: target.document });
    await sendFile(file, { ...target, key }, controller.signal, (sent) => update(id, { sent }));
    const jobId = target.job ? await jobOf(target.versionId) : null;
    update(id, { state: 'stored', sent: 1, jobId });
    tasks.delete(id);
  } catch (error) {
    if (!controller.signal.aborted)
      update(id, { state: 'failed', problem: error instanceof Error ? error.message : String(error) });
    else await undoCreation(id, task);
  }
}

// deletes the document created for a cancelled upload
async function undoCreation(id: number, { undo }: UploadTask): Promise<void> {
  const deleted = await undo?.().then(
    () => true,
    () => false,
  );
  update(id, { state: 'cancelled', ...(deleted ? { document: null } : {}) });
  tasks.delete(id);
}

async function jobOf(versionId: string): Promise<string | null> {
  const { version } = await execute(NewestJobDocument, { id: versionId });
  return version?.newestJob?.id ?? null;
}

function startNext(): void {
  while (runningCount < MAX_CONCURRENT) {
    const next = queue.shift();
    if (!next) return;
    runningCount += 1;
    void next().finally(() => {
      runningCount -= 1;
      startNext();
    });
  }
}

const update = (id: number, change: Partial<Transfer>): void => {
  transfers.value = transfers.value.map((each) => (each.id === id ? { ...each, ...change } : each));
};
