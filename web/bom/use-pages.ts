// Reads a list page by page.
import { useEffect, useState } from 'preact/hooks';
import { runWithToast } from '../ui/toasts.tsx';

type Page<Item> = { items: Item[]; nextCursor?: string | null };
type Pages<Item> = {
  items: Item[];
  /** Reads the next page; null if there is none. */
  readMore: (() => Promise<boolean>) | null;
};

/** Appends further pages to the first one until the first one changes. */
export function usePages<Item>(
  first: Page<Item> | undefined,
  read: (cursor: string) => Promise<Page<Item>>,
): Pages<Item> {
  const [further, setFurther] = useState<Page<Item> | null>(null);
  useEffect(() => setFurther(null), [first]);
  const cursor = further ? further.nextCursor : first?.nextCursor;
  return {
    items: [...(first?.items ?? []), ...(further?.items ?? [])],
    readMore: cursor
      ? () =>
          runWithToast(async () => {
            const page = await read(cursor);
            setFurther((before) => ({ items: [...(before?.items ?? []), ...page.items], nextCursor: page.nextCursor }));
          })
      : null,
  };
}
