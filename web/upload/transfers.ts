// Uploads files in the background, a few at a time because the service limits concurrent uploads.
import { signal } from '@preact/signals';
import pLimit from 'p-limit';
import { CreateDocumentDocument, DeleteNewDocumentDocument, NewestJobDocument } from '../generated/operations.ts';
import { createIdempotencyKey, execute, UnreachableError } from '../shell/api-client.ts';
import { messageOf } from '../ui/errors.ts';
import { sendFile } from './send-file.ts';
import { storeThumbnail } from './store-thumbnail.ts';
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
  /** Whether the upload failed because the connection was lost. */
  isInterrupted: boolean;
  /** The job that the upload queued. */
  jobId: string | null;
  /** Whether the job creates a document for each part. */
  split: boolean;
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
  onEnd?: () => void;
};

export const transfers = signal<readonly Transfer[]>([]);

const limitUploads = pLimit(3); // the service allows four concurrent uploads per token
let lastId = 0;
const tasks = new Map<number, UploadTask>();

/** Uploads a file to a draft. */
export const upload = (file: File, target: UploadTarget): void =>
  addTransfer(target.document, { ...newTask(file), resolveTarget: async () => target }, target.split ?? false);

/** `key`: the idempotency key of the upload. `onEnd` runs when the file is stored or its upload is cancelled. */
type NewDocumentOptions = { split?: boolean; key?: string; onEnd?: () => void };

/**
 * Creates a model document named after a file, and uploads the file to its draft. With `split`, creates an assembly, and
 * the service a document for each part of the file.
 */
export function uploadAsNew(
  file: File,
  folderId: string | null,
  { split = false, key = createIdempotencyKey(), onEnd }: NewDocumentOptions = {},
): void {
  const task: UploadTask = {
    ...newTask(file),
    key,
    onEnd,
    resolveTarget: async () => {
      const kind = split ? ('assembly' as const) : ('model' as const);
      const input = { kind, name: nameFromFile(file.name).slice(0, 200), folderId };
      const idempotencyKey = `${key}-document`;
      const { createDocument } = await execute(CreateDocumentDocument, { input }, { idempotencyKey });
      const { id, etag, workspaces } = createDocument;
      const [workspace] = workspaces;
      if (!workspace) throw new Error('The new document has no workspace.');
      // if-match: deletes the document only if it has not been changed since
      task.undo = () => execute(DeleteNewDocumentDocument, { id }, { ifMatch: `"${etag}"` });
      return { versionId: workspace.draftId, document: createDocument, kind: 'source', split, job: true };
    },
  };
  addTransfer(null, task, split);
}

/** Cancels an upload; the service discards what it has received. */
export function cancelTransfer(id: number): void {
  tasks.get(id)?.controller.abort();
  if (!transfers.value.some((each) => each.id === id && each.state === 'waiting')) return;
  update(id, { state: 'cancelled' });
}

/** Retries all failed uploads, or with `onlyInterrupted` those that lost the connection. */
export function retryFailed({ onlyInterrupted = false } = {}): void {
  for (const { id, state, isInterrupted } of transfers.value)
    if (state === 'failed' && (isInterrupted || !onlyInterrupted)) retryTransfer(id);
}

/** Retries a failed upload with the same target and idempotency key. */
export function retryTransfer(id: number): void {
  const task = tasks.get(id);
  if (!task) return;
  task.controller = new AbortController();
  update(id, { state: 'waiting', sent: 0, problem: null, isInterrupted: false });
  void limitUploads(() => run(id, task));
}

/** Removes one or all finished uploads from the list; failed ones cannot be retried afterwards. */
export function clearTransfers(id?: number): void {
  transfers.value = transfers.value.filter((each) => isActive(each) || (id !== undefined && each.id !== id));
  const listed = new Set(transfers.value.map((each) => each.id));
  for (const [each, task] of tasks)
    if (!listed.has(each)) {
      tasks.delete(each);
      task.onEnd?.();
    }
}

const newTask = (file: File) => ({ file, key: createIdempotencyKey(), controller: new AbortController() });

/** Returns whether an upload is waiting or in progress. */
export const isActive = ({ state }: Transfer): boolean => state === 'waiting' || state === 'sending';

function addTransfer(document: UploadTarget['document'] | null, task: UploadTask, split: boolean): void {
  lastId += 1;
  const { name: fileName, size } = task.file;
  tasks.set(lastId, task);
  transfers.value = [
    ...transfers.value,
    {
      id: lastId,
      fileName,
      size,
      document,
      sent: 0,
      state: 'waiting',
      problem: null,
      isInterrupted: false,
      jobId: null,
      split,
    },
  ];
  const id = lastId;
  void limitUploads(() => run(id, task));
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
    task.onEnd?.();
    if (target.kind.startsWith('attachment.'))
      await storeThumbnail(file, target).catch((error: unknown) =>
        console.warn(`No thumbnail of ${file.name} was stored.`, error),
      );
  } catch (error) {
    if (controller.signal.aborted) return undoCreation(id, task);
    const problem = messageOf(error);
    update(id, { state: 'failed', problem, isInterrupted: error instanceof UnreachableError });
  }
}

// deletes the document created for a cancelled upload
async function undoCreation(id: number, { undo, onEnd }: UploadTask): Promise<void> {
  const deleted = await undo?.().then(
    () => true,
    () => false,
  );
  update(id, { state: 'cancelled', ...(deleted ? { document: null } : {}) });
  tasks.delete(id);
  onEnd?.();
}

async function jobOf(versionId: string): Promise<string | null> {
  const { version } = await execute(NewestJobDocument, { id: versionId });
  return version?.newestJob?.id ?? null;
}

const update = (id: number, change: Partial<Transfer>): void => {
  transfers.value = transfers.value.map((each) => (each.id === id ? { ...each, ...change } : each));
};
