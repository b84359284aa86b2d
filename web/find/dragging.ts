// Documents and folders on their way from one place of the page to another.
const DOCUMENTS = 'application/x-pdm-documents';
const FOLDER = 'application/x-pdm-folder';

export type Dragged = 'documents' | 'folder' | null;

/** What is held over a place; the browser tells the kind before it tells what. */
export function heldOver({ dataTransfer }: DragEvent): Dragged {
  const types = dataTransfer?.types ?? [];
  return types.includes(DOCUMENTS) ? 'documents' : types.includes(FOLDER) ? 'folder' : null;
}

/** Begins to drag documents; `words` is what the pointer shows. */
export function dragDocuments({ dataTransfer }: DragEvent, ids: readonly string[], words: string): void {
  if (!dataTransfer) return;
  dataTransfer.setData(DOCUMENTS, JSON.stringify(ids));
  dataTransfer.effectAllowed = 'move';
  const badge = document.createElement('div');
  badge.className = 'drag-badge';
  badge.textContent = words;
  document.body.append(badge);
  dataTransfer.setDragImage(badge, 12, 12);
  setTimeout(() => badge.remove()); // the browser has its picture of it by then
}

export function dragFolder({ dataTransfer }: DragEvent, id: string): void {
  if (!dataTransfer) return;
  dataTransfer.setData(FOLDER, id);
  dataTransfer.effectAllowed = 'move';
}

/** The documents that were dropped. */
export function droppedDocuments({ dataTransfer }: DragEvent): string[] {
  const text = dataTransfer?.getData(DOCUMENTS);
  const ids: unknown = text ? JSON.parse(text) : [];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

export const droppedFolder = ({ dataTransfer }: DragEvent): string | null => dataTransfer?.getData(FOLDER) || null;
