// The tree of folders as rows: a list with levels, as ui/tree-rows.ts walks it.

export type FolderOf = { id: string; name: string; parentId: string | null; path: string; documentCount: number };
export type FolderRow = { level: number; folder: FolderOf /** Documents in it and below it. */; count: number };

const BY_NAME = new Intl.Collator(undefined, { numeric: true });

/** The folders depth first, siblings by name; a folder whose parent is gone stands at the top. */
export function folderRows(folders: readonly FolderOf[]): FolderRow[] {
  const known = new Set(folders.map(({ id }) => id));
  const children = Map.groupBy(folders, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null));
  for (const siblings of children.values()) siblings.sort((one, other) => BY_NAME.compare(one.name, other.name));
  const rows: FolderRow[] = [];
  const visit = (parentId: string | null, level: number): number => {
    let below = 0;
    for (const folder of children.get(parentId) ?? []) {
      const row = { level, folder, count: folder.documentCount };
      rows.push(row);
      row.count += visit(folder.id, level + 1);
      below += row.count;
    }
    return below;
  };
  visit(null, 1);
  return rows;
}

/** Where a folder can be moved: everywhere but into itself and what lies below it. */
export function possibleParents(rows: readonly FolderRow[], movedId: string): FolderRow[] {
  const at = rows.findIndex(({ folder }) => folder.id === movedId);
  if (at < 0) return [...rows];
  const level = rows[at]?.level ?? 0;
  let end = at + 1;
  while ((rows[end]?.level ?? 0) > level) end++;
  return [...rows.slice(0, at), ...rows.slice(end)];
}
