import { refuse } from './errors.ts';

type Folder = { _id: string; name: string; parentId: string | null };

/** Folders may lie this deep inside each other. */
export const MAX_FOLDER_DEPTH = 16;

/** The folders from the root down to this one; the tree has no cycle. */
function ancestry<F extends Folder>(folders: ReadonlyMap<string, F>, id: string): F[] {
  const line: F[] = [];
  for (let at = folders.get(id); at; at = at.parentId ? folders.get(at.parentId) : undefined) {
    line.unshift(at);
    if (line.length > MAX_FOLDER_DEPTH * 2) break;
  }
  return line;
}

/** The names from the root, joined by slashes. */
export function folderPath(folders: ReadonlyMap<string, Folder>, id: string): string {
  return ancestry(folders, id)
    .map(({ name }) => name)
    .join('/');
}

/** A folder and everything below it. */
export function subtreeIds(folders: Iterable<Folder>, id: string): string[] {
  const children = Map.groupBy(folders, ({ parentId }) => parentId);
  const found = [id];
  for (let i = 0; i < found.length; i++) found.push(...(children.get(found[i]!) ?? []).map(({ _id }) => _id));
  return found;
}

/** Refuses a place that would put a folder inside itself (`folder_cycle`) or deeper than 16 levels. `id` is null for a new folder. */
export function assertCanPlace(folders: ReadonlyMap<string, Folder>, id: string | null, parentId: string | null): void {
  const above = parentId ? ancestry(folders, parentId) : [];
  if (id && above.some(({ _id }) => _id === id))
    refuse('folder_cycle', `Folder "${folders.get(id)?.name}" cannot be moved into itself or into a folder below it.`, {
      folderId: id,
      parentId,
    });
  const height = id ? heightOf(folders, id) : 1;
  if (above.length + height > MAX_FOLDER_DEPTH)
    refuse('validation_failed', `Folders may lie at most ${MAX_FOLDER_DEPTH} levels deep.`, {
      errors: [{ path: '/parentId', message: `is deeper than ${MAX_FOLDER_DEPTH} levels` }],
    });
}

function heightOf(folders: ReadonlyMap<string, Folder>, id: string): number {
  const base = ancestry(folders, id).length;
  return Math.max(...subtreeIds(folders.values(), id).map((below) => ancestry(folders, below).length - base + 1));
}
