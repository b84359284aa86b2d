import { useEffect, useRef, useState } from 'preact/hooks';
import { followStream } from '../shell/follow-stream.ts';

type Line = { at: string; line: string };

/** The log of a job, line by line as it is written; it stays at the newest line unless one has scrolled up to read. */
export function JobLog({ jobId }: { jobId: string }) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [away, setAway] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);

  useEffect(() => {
    let coming: Line[] = [];
    let drawing: number | undefined;
    // a log that is long already comes at once: it is drawn once
    const draw = () => {
      drawing = undefined;
      const more = coming;
      coming = [];
      setLines((before) => [...before, ...more]);
    };
    const stop = followStream(`/jobs/${encodeURIComponent(jobId)}/log/stream`, {
      message: (data) => {
        coming.push(JSON.parse(data));
        drawing ??= requestAnimationFrame(draw);
      },
      open: (anew) => {
        setAway(false);
        if (!anew) return;
        coming = [];
        setLines([]);
      },
      away: () => setAway(true),
      end: () => setAway(false),
    });
    return () => {
      stop();
      if (drawing !== undefined) cancelAnimationFrame(drawing);
    };
  }, [jobId]);

  useEffect(() => {
    const element = box.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);

  return (
    <>
      <div
        ref={box}
        class="job-log"
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
        tabIndex={0}
        aria-label="Log"
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          atEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
        }}
      >
        {lines.length === 0
          ? 'Nothing has been written yet.'
          : lines.map(({ at, line }, place) => (
              <div key={place}>
                <time dateTime={at}>{at.slice(11, 19)}</time> {line}
              </div>
            ))}
      </div>
      {away && <small role="status">The log is not coming in just now; connecting again…</small>}
    </>
  );
}
