// The small pictures of files in lists.
import pLimit from 'p-limit';
import { useEffect, useRef } from 'preact/hooks';
import { restRequest } from '../shell/api-client.ts';
import { drawThumbnail } from './draw-thumbnail.ts';

const PIXELS = 96;
const limitPictures = pLimit(2); // each reads a whole file

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
      limitPictures(() => pictureOf(id, fileName, controller.signal)).then(
        (canvas) => !controller.signal.aborted && element.replaceChildren(canvas),
        // "Show" gives the reason
        () => !controller.signal.aborted && element.setAttribute('data-failed', ''),
      );
    });
    observer.observe(element);
    return () => {
      controller.abort();
      observer.disconnect();
      element.replaceChildren();
      element.removeAttribute('data-failed');
    };
  }, [id, fileName]);
  return <span class="file-thumbnail" ref={frame} aria-hidden="true" />;
}

async function pictureOf(id: string, fileName: string, signal: AbortSignal): Promise<HTMLCanvasElement> {
  signal.throwIfAborted();
  const response = await restRequest(`/artifacts/${id}/file`, { signal });
  return drawThumbnail(await response.blob(), fileName, PIXELS);
}
