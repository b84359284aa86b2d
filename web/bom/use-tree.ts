// Who uses a document, as a tree that grows from it: below a user stand those who use the user.

export type UseOf = { level: number; via: readonly { id: string }[]; document: { id: string } };
export type UseRow<Use> = { level: number; key: string; use: Use };

/**
 * The users in the order of a tree: each below the one through which it uses the document. The service tells each document once, level by level, with
 * the documents in between; several rows for one document (its versions, its addresses) stand one after the other. Pages may be put together before.
 */
export function useRows<Use extends UseOf>(uses: readonly Use[]): UseRow<Use>[] {
  const below = new Map<string, Use[]>();
  const known = new Set(uses.map(({ document, via }) => pathOf(via, document.id)));
  for (const use of uses) {
    // one whose user is on a page not read yet stands at the nearest that is there
    let above = use.via.map(({ id }) => id);
    while (above.length > 0 && !known.has(above.join('/'))) above = above.slice(0, -1);
    const path = above.join('/');
    below.set(path, [...(below.get(path) ?? []), use]);
  }
  const rows: UseRow<Use>[] = [];
  const place = (path: string, level: number) => {
    const here = below.get(path) ?? [];
    below.delete(path);
    for (const [at, use] of here.entries()) {
      const own = pathOf(use.via, use.document.id);
      rows.push({ level, key: `${own} ${at}`, use });
      const next = here[at + 1];
      if (!next || pathOf(next.via, next.document.id) !== own) place(own, level + 1);
    }
  };
  place('', 1);
  return rows;
}

const pathOf = (via: readonly { id: string }[], id: string): string => [...via.map((each) => each.id), id].join('/');
