// Where a document is used, as a tree: below each assembly are the assemblies that use it.

export type Usage = { level: number; via: readonly { id: string }[]; document: { id: string } };
export type UsageRow<Use> = { level: number; key: string; use: Use };

/**
 * Returns the uses in tree order: each below the use through which it uses the document. The service lists each using
 * document once, level by level, with the documents in between (`via`); rows of one document (versions, addresses) are
 * consecutive. `uses` can be a concatenation of pages.
 */
export function usageRows<Use extends Usage>(uses: readonly Use[]): UsageRow<Use>[] {
  const below = new Map<string, Use[]>();
  const known = new Set(uses.map(({ document, via }) => pathOf(via, document.id)));
  for (const use of uses) {
    // if the parent is on a page not read yet, uses the nearest known ancestor
    let above = use.via.map(({ id }) => id);
    while (above.length > 0 && !known.has(above.join('/'))) above = above.slice(0, -1);
    const path = above.join('/');
    below.set(path, [...(below.get(path) ?? []), use]);
  }
  const rows: UsageRow<Use>[] = [];
  const addRows = (path: string, level: number) => {
    const uses = below.get(path) ?? [];
    below.delete(path);
    for (const [index, use] of uses.entries()) {
      const ownPath = pathOf(use.via, use.document.id);
      rows.push({ level, key: `${ownPath} ${index}`, use });
      const next = uses[index + 1];
      // children follow the last row of the document
      if (!next || pathOf(next.via, next.document.id) !== ownPath) addRows(ownPath, level + 1);
    }
  };
  addRows('', 1);
  return rows;
}

const pathOf = (via: readonly { id: string }[], id: string): string => [...via.map((each) => each.id), id].join('/');
