// The log of a job.
import { useEffect, useRef, useState } from 'preact/hooks';
import { subscribeToStream } from '../shell/event-stream.ts';

type Line = { at: string; line: string };

/** Streams the log of a job; scrolls to new lines unless the user has scrolled up. */
export function JobLog({ jobId }: { jobId: string }) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [disconnected, setDisconnected] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);

  useEffect(() => {
    let pending: Line[] = [];
    let frameRequest: number | undefined;
    // renders once per frame, because a long log arrives in many messages
    const flush = () => {
      frameRequest = undefined;
      const more = pending;
      pending = [];
      setLines((before) => [...before, ...more]);
    };
    const stop = subscribeToStream(`/jobs/${encodeURIComponent(jobId)}/log/stream`, {
      onMessage: (data) => {
        pending.push(JSON.parse(data));
        frameRequest ??= requestAnimationFrame(flush);
      },
      onOpen: (restarted) => {
        setDisconnected(false);
        if (!restarted) return;
        pending = [];
        setLines([]);
      },
      onDisconnect: () => setDisconnected(true),
      onEnd: () => setDisconnected(false),
    });
    return () => {
      stop();
      if (frameRequest !== undefined) cancelAnimationFrame(frameRequest);
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard
        tabIndex={0}
        aria-label="Log"
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          atEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
        }}
      >
        {lines.length === 0
          ? 'No log lines yet.'
          : lines.map(({ at, line }, index) => (
              <div key={index}>
                <time dateTime={at}>{at.slice(11, 19)}</time> {line}
              </div>
            ))}
      </div>
      {disconnected && <small role="status">Connection to the log lost. Reconnecting…</small>}
    </>
  );
}
