// Drag and drop of documents and folders within the web app.
const DOCUMENTS = 'application/x-pdm-documents';
const FOLDER = 'application/x-pdm-folder';

export type DraggedKind = 'documents' | 'folder' | null;

/** Returns the kind of the items dragged over an element. The browser provides the items only on drop. */
export function draggedKind({ dataTransfer }: DragEvent): DraggedKind {
  const types = dataTransfer?.types ?? [];
  if (types.includes(DOCUMENTS)) return 'documents';
  return types.includes(FOLDER) ? 'folder' : null;
}

/** Starts dragging documents; `label` is shown beside the pointer. */
export function dragDocuments({ dataTransfer }: DragEvent, ids: readonly string[], label: string): void {
  if (!dataTransfer) return;
  dataTransfer.setData(DOCUMENTS, JSON.stringify(ids));
  dataTransfer.effectAllowed = 'move';
  const badge = document.createElement('div');
  badge.className = 'drag-badge';
  badge.textContent = label;
  document.body.append(badge);
  dataTransfer.setDragImage(badge, 12, 12);
  setTimeout(() => badge.remove()); // after the browser has rendered the drag image
}

export function dragFolder({ dataTransfer }: DragEvent, id: string): void {
  if (!dataTransfer) return;
  dataTransfer.setData(FOLDER, id);
  dataTransfer.effectAllowed = 'move';
}

/** Returns the ids of the dropped documents. */
export function droppedDocuments({ dataTransfer }: DragEvent): string[] {
  const text = dataTransfer?.getData(DOCUMENTS);
  const ids: unknown = text ? JSON.parse(text) : [];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

export const droppedFolder = ({ dataTransfer }: DragEvent): string | null => dataTransfer?.getData(FOLDER) || null;
