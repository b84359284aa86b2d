import { useEffect, useState } from 'preact/hooks';
import { attempt } from '../ui/notes.tsx';

type Page<Item> = { items: Item[]; nextCursor?: string | null };
type Pages<Item> = {
  items: Item[] /** Reads the next page; null when there is none. */;
  more: (() => Promise<boolean>) | null;
};

/** A list read page by page: the first is shown as it is asked for, the others are put behind it until the first changes. */
export function usePages<Item>(
  first: Page<Item> | undefined,
  read: (cursor: string) => Promise<Page<Item>>,
): Pages<Item> {
  const [behind, setBehind] = useState<Page<Item> | null>(null);
  useEffect(() => setBehind(null), [first]);
  const cursor = behind ? behind.nextCursor : first?.nextCursor;
  return {
    items: [...(first?.items ?? []), ...(behind?.items ?? [])],
    more: cursor
      ? () =>
          attempt(async () => {
            const page = await read(cursor);
            setBehind((before) => ({ items: [...(before?.items ?? []), ...page.items], nextCursor: page.nextCursor }));
          })
      : null,
  };
}
