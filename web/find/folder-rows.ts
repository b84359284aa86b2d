// The folder tree as rows with levels (see ui/tree-rows.ts).

export type Folder = { id: string; name: string; parentId: string | null; path: string; documentCount: number };
/** `count` includes the documents in subfolders. */
export type FolderRow = { level: number; folder: Folder; count: number };

const BY_NAME = new Intl.Collator(undefined, { numeric: true });

/** Returns the folders depth first, siblings sorted by name. A folder with an unknown parent is at the top level. */
export function folderRows(folders: readonly Folder[]): FolderRow[] {
  const known = new Set(folders.map(({ id }) => id));
  const children = Map.groupBy(folders, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null));
  for (const siblings of children.values()) siblings.sort((one, other) => BY_NAME.compare(one.name, other.name));
  const rows: FolderRow[] = [];
  const visit = (parentId: string | null, level: number): number => {
    let total = 0;
    for (const folder of children.get(parentId) ?? []) {
      const row = { level, folder, count: folder.documentCount };
      rows.push(row);
      row.count += visit(folder.id, level + 1);
      total += row.count;
    }
    return total;
  };
  visit(null, 1);
  return rows;
}

/** Returns the folders that a folder can be moved to: all except itself and its subfolders. */
export function possibleParents(rows: readonly FolderRow[], movedId: string): FolderRow[] {
  const at = rows.findIndex(({ folder }) => folder.id === movedId);
  if (at < 0) return [...rows];
  const level = rows[at]?.level ?? 0;
  let end = at + 1;
  while ((rows[end]?.level ?? 0) > level) end++;
  return [...rows.slice(0, at), ...rows.slice(end)];
}
