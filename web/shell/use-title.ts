import { useEffect } from 'preact/hooks';

const SERVICE = 'PDM';

/** What the window is called for as long as this is in sight: in tabs, in bookmarks, in the steps back. */
export function useTitle(words: string): void {
  useEffect(() => {
    document.title = `${words} · ${SERVICE}`;
    return () => {
      document.title = SERVICE;
    };
  }, [words]);
}
