// The small pictures of files in lists.
import { useEffect, useRef } from 'preact/hooks';
import { restRequest } from '../shell/api-client.ts';
import { drawThumbnail } from './draw-thumbnail.ts';

const PIXELS = 96;

/** A small picture of a file, which is read when it comes into view. Empty if the file cannot be drawn. */
export function FileThumbnail({ id, fileName }: { id: string; fileName: string }) {
  const frame = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const controller = new AbortController();
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      pictureOf(id, fileName, controller.signal).then(
        (canvas) => !controller.signal.aborted && element.replaceChildren(canvas),
        // "Show" gives the reason
        () => element.setAttribute('data-failed', ''),
      );
    });
    observer.observe(element);
    return () => {
      controller.abort();
      observer.disconnect();
    };
  }, [id]);
  return <span class="file-thumbnail" ref={frame} aria-hidden="true" />;
}

async function pictureOf(id: string, fileName: string, signal: AbortSignal): Promise<HTMLCanvasElement> {
  const response = await restRequest(`/artifacts/${id}/file`, { signal });
  return drawThumbnail(await response.blob(), fileName, PIXELS);
}
