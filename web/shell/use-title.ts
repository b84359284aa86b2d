import { useEffect } from 'preact/hooks';

const APP_NAME = 'PDM';

/** Sets the window title while the component is mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${APP_NAME}`;
    return () => {
      document.title = APP_NAME;
    };
  }, [title]);
}
