// Files dragged from the desktop onto the page: one target for the whole window, so that a file dropped beside a list
// is not opened by the browser instead of the page.
import { signal } from '@preact/signals';
import { showError } from '../ui/toasts.tsx';

export type DropTarget = {
  /** What dropping does, e.g. "Upload to the draft of main". */
  label: string;
  /** Why files cannot be dropped; null if they can. */
  disabledReason: string | null;
  onFiles: (files: File[]) => void;
};

/** The target of the current view; null if it has none. */
export const dropTarget = signal<DropTarget | null>(null);
/** Whether files are dragged over the window, outside of elements that take them themselves. */
export const draggingFiles = signal(false);

export const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

// the folders of files that were dropped inside a folder
const folderPaths = new WeakMap<File, string>();

/** Returns the path of the dropped folder that contained a file, e.g. "gearbox/screws"; empty for a single file. */
export const folderPathOf = (file: File): string => folderPaths.get(file) ?? '';

/** Sets the path that `folderPathOf` returns for a file, and returns the file. */
export function setFolderPath(file: File, path: string): File {
  folderPaths.set(file, path);
  return file;
}

/**
 * Handles file drops on the whole window; elements that take files themselves call `preventDefault`. Without a target
 * of the current view, `importFiles` gets them if `canImport`. Returns a function that stops.
 */
export function handleFileDrops(importFiles: (files: File[]) => void, canImport: () => boolean): () => void {
  const receiver = (): ((files: File[]) => void) | null => {
    const target = dropTarget.value;
    if (target) return target.disabledReason === null ? target.onFiles : null;
    return canImport() ? importFiles : null;
  };
  const stop = () => {
    draggingFiles.value = false;
  };
  const onOver = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    draggingFiles.value = !event.defaultPrevented;
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = receiver() ? 'copy' : 'none';
  };
  const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && stop();
  const onDrop = (event: DragEvent) => {
    stop();
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    const receive = receiver();
    if (receive) receiveFiles(event, receive);
  };
  addEventListener('dragover', onOver);
  addEventListener('dragleave', onLeave);
  addEventListener('drop', onDrop);
  return () => {
    removeEventListener('dragover', onOver);
    removeEventListener('dragleave', onLeave);
    removeEventListener('drop', onDrop);
  };
}

/** Passes the dropped files on, with those inside dropped folders. Shows an error if one cannot be read. */
export function receiveFiles(event: DragEvent, receive: (files: File[]) => void): void {
  droppedFiles(event).then((files) => {
    if (files.length > 0) receive(files);
  }, showError);
}

async function droppedFiles({ dataTransfer }: DragEvent): Promise<File[]> {
  const files = [...(dataTransfer?.files ?? [])];
  const entries = [...(dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return files;
  return (await Promise.all(entries.map((entry) => filesIn(entry, '')))).flat();
}

async function filesIn(entry: FileSystemEntry, path: string): Promise<File[]> {
  if (isFile(entry)) {
    return [setFolderPath(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), path)];
  }
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const inner: FileSystemEntry[] = [];
  for (;;) {
    // a call returns at most a hundred entries
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    inner.push(...some);
  }
  const below = path ? `${path}/${entry.name}` : entry.name;
  return (await Promise.all(inner.map((each) => filesIn(each, below)))).flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
