// Rules and queries on the folder tree.

import { refuse } from './errors.ts';

type Folder = { _id: string; name: string; parentId: string | null };
type Folders<F> = { get(id: string): F | undefined; values(): Iterable<F> };

/** The maximum number of folder levels. */
export const MAX_FOLDER_DEPTH = 16;

/** Folders by id and by parent. With a base, it has the folders of the base except those that were set here. */
export class FolderTree<F extends Folder> {
  readonly #base: FolderTree<F> | null;
  readonly #byId = new Map<string, F | null>();
  readonly #idsByParent = new Map<string | null, Set<string>>();

  constructor(base: FolderTree<F> | null = null) {
    this.#base = base;
  }

  get(id: string): F | undefined {
    const own = this.#byId.get(id);
    return own === undefined ? this.#base?.get(id) : (own ?? undefined);
  }

  /** Adds or replaces a folder; null removes it. */
  set(id: string, folder: F | null): void {
    const before = this.#byId.get(id);
    if (before) this.#idsByParent.get(before.parentId)?.delete(id);
    if (folder || this.#base) this.#byId.set(id, folder);
    else this.#byId.delete(id);
    if (!folder) return;
    const siblings = this.#idsByParent.get(folder.parentId) ?? new Set();
    this.#idsByParent.set(folder.parentId, siblings.add(id));
  }

  *values(): Generator<F> {
    for (const folder of this.#byId.values()) if (folder) yield folder;
    for (const folder of this.#base?.values() ?? []) if (!this.#byId.has(folder._id)) yield folder;
  }

  /** The folders directly in a folder; of the top level for null. */
  *childrenOf(parentId: string | null): Generator<F> {
    for (const id of this.#idsByParent.get(parentId) ?? []) yield this.#byId.get(id)!;
    for (const folder of this.#base?.childrenOf(parentId) ?? []) if (!this.#byId.has(folder._id)) yield folder;
  }
}

/** Returns the folders from the root down to this one. The length limit guards against cycles in stored data. */
function ancestry<F extends Folder>(folders: Pick<Folders<F>, 'get'>, id: string): F[] {
  const path: F[] = [];
  for (let at = folders.get(id); at; at = at.parentId ? folders.get(at.parentId) : undefined) {
    path.unshift(at);
    if (path.length > MAX_FOLDER_DEPTH * 2) break;
  }
  return path;
}

/** Returns the folder names from the root, joined by slashes. */
export function folderPath(folders: Pick<Folders<Folder>, 'get'>, id: string): string {
  return ancestry(folders, id)
    .map(({ name }) => name)
    .join('/');
}

/** Returns the ids of a folder and all folders below it. */
export function subtreeIds(folders: Iterable<Folder>, id: string): string[] {
  const children = Map.groupBy(folders, ({ parentId }) => parentId);
  const found = [id];
  for (let i = 0; i < found.length; i++) found.push(...(children.get(found[i]!) ?? []).map(({ _id }) => _id));
  return found;
}

/**
 * Throws `folder_cycle` if a folder would be inside itself, `validation_failed` if the tree would exceed 16 levels.
 * `id` is null for a new folder.
 */
export function assertCanPlace(folders: Folders<Folder>, id: string | null, parentId: string | null): void {
  const above = parentId ? ancestry(folders, parentId) : [];
  if (id && above.some(({ _id }) => _id === id))
    refuse('folder_cycle', `Folder "${folders.get(id)?.name}" cannot be moved into itself or into a folder below it.`, {
      folderId: id,
      parentId,
    });
  const height = id ? heightOf(folders, id) : 1;
  if (above.length + height > MAX_FOLDER_DEPTH)
    refuse('validation_failed', `Folders can be nested at most ${MAX_FOLDER_DEPTH} levels deep.`, {
      errors: [{ path: '/parentId', message: `must not be deeper than ${MAX_FOLDER_DEPTH} levels` }],
    });
}

function heightOf(folders: Folders<Folder>, id: string): number {
  const base = ancestry(folders, id).length;
  return Math.max(...subtreeIds(folders.values(), id).map((below) => ancestry(folders, below).length - base + 1));
}
