import { useLayoutEffect } from 'preact/hooks';

const APP_NAME = 'PDM';

/** Sets the window title while the component is mounted. */
export function useTitle(title: string): void {
  // a layout effect, because the cleanup of another one can run after the next view has set its title
  useLayoutEffect(() => {
    document.title = `${title} · ${APP_NAME}`;
    return () => {
      document.title = APP_NAME;
    };
  }, [title]);
}
