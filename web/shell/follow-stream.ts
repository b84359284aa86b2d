// Server-sent events of the service. After a break the browser comes back by itself, with the place it had; a stream that was refused (too many at
// once, a service that starts) it gives up, so that is asked for again here.

type Told = {
  message: (data: string) => void;
  /** It is there: `anew` from its beginning, not from the place it had. */
  open?: (anew: boolean) => void;
  away?: () => void;
  /** The service says that nothing more will come; the stream is closed then. */
  end?: () => void;
};

const AGAIN_MS = 5_000;

/** Follows a stream of /api/v1; answers how to stop. */
export function followStream(path: string, told: Told): () => void {
  let source: EventSource;
  let later: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    let anew = true;
    const opened = new EventSource(`/api/v1${path}`);
    source = opened;
    opened.onmessage = ({ data }) => told.message(data);
    opened.onopen = () => {
      told.open?.(anew);
      anew = false;
    };
    opened.onerror = () => {
      told.away?.();
      if (opened.readyState === EventSource.CLOSED) later = setTimeout(begin, AGAIN_MS);
    };
    opened.addEventListener('end', () => {
      opened.close();
      told.end?.();
    });
  };
  begin();
  return () => {
    clearTimeout(later);
    source.close();
  };
}
