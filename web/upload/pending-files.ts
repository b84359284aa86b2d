// The files of imports that are not uploaded yet. They survive a reload of the tab, so that an import can be continued.
import { signal } from '@preact/signals';
import { readStored, writeStored } from '../ui/stored.ts';

export type PendingFile = {
  /** The idempotency key of the upload; that of the new document derives from it. */
  key: string;
  fileName: string;
  size: number;
  sha256: string;
  folderId: string | null;
  split: boolean;
  /** When the import started, in ms. */
  startedAt: number;
};

const MAX_AGE_MS = 23 * 3_600_000; // idempotency keys are valid for 24 hours
const SAVE_DELAY_MS = 500;

let storageKey = '';
let pending: readonly PendingFile[] = [];
let saveTimer: ReturnType<typeof setTimeout> | undefined;

/** The files that the previous page of this tab did not finish. The page has no access to them until chosen again. */
export const interruptedFiles = signal<readonly PendingFile[]>([]);

/** Loads the files that the user's imports had left when the tab was reloaded. */
export function loadInterruptedFiles(userId: string): void {
  storageKey = `pdm.pending-files.${userId}`;
  const active = new Set(pending.map(({ key }) => key));
  const stored = readStored(storageKey, 'sessionStorage');
  interruptedFiles.value = Array.isArray(stored) ? stored.filter(isRecent).filter(({ key }) => !active.has(key)) : [];
}

/** Remembers files until `removePending`. */
export function addPending(files: readonly PendingFile[]): void {
  pending = [...pending, ...files];
  save();
}

/** Forgets a file that was uploaded or cancelled. */
export function removePending(key: string): void {
  pending = pending.filter((each) => each.key !== key);
  saveTimer ??= setTimeout(save, SAVE_DELAY_MS);
}

/**
 * Returns the interrupted file with this content, folder and kind, or with this content only, and removes it from
 * `interruptedFiles`.
 */
export function takeInterrupted(
  match: Pick<PendingFile, 'sha256'> & Partial<Pick<PendingFile, 'fileName' | 'folderId' | 'split'>>,
): PendingFile | undefined {
  const fields = Object.entries(match) as [keyof PendingFile, unknown][];
  const found = interruptedFiles.value.find((each) => fields.every(([name, value]) => each[name] === value));
  if (found) interruptedFiles.value = interruptedFiles.value.filter((each) => each !== found);
  return found;
}

/** Forgets the files of interrupted imports. */
export function discardInterrupted(): void {
  interruptedFiles.value = [];
  save();
}

function save(): void {
  clearTimeout(saveTimer);
  saveTimer = undefined;
  const files = [...interruptedFiles.value, ...pending];
  writeStored(storageKey, files.length > 0 ? files : undefined, 'sessionStorage');
}

function isRecent(stored: unknown): stored is PendingFile {
  const { key, fileName, size, sha256, startedAt } = (stored ?? {}) as Partial<PendingFile>;
  return (
    typeof key === 'string' &&
    typeof fileName === 'string' &&
    typeof size === 'number' &&
    typeof sha256 === 'string' &&
    typeof startedAt === 'number' &&
    startedAt > Date.now() - MAX_AGE_MS
  );
}
