// Server-sent events of the service. After a break the browser comes back by itself, with the place it had; a stream that was refused (too many at
// once, a service that starts) it gives up, so that is asked for again here.

type StreamHandlers = {
  onMessage: (data: string) => void;
  /** It is there: `anew` from its beginning, not from the place it had. */
  onOpen?: (anew: boolean) => void;
  onDisconnect?: () => void;
  /** The service says that nothing more will come; the stream is closed then. */
  onEnd?: () => void;
};

const AGAIN_MS = 5_000;

/** Follows a stream of /api/v1; answers how to stop. */
export function subscribeToStream(path: string, told: StreamHandlers): () => void {
  let source: EventSource;
  let later: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    let anew = true;
    const opened = new EventSource(`/api/v1${path}`);
    source = opened;
    opened.onmessage = ({ data }) => told.onMessage(data);
    opened.onopen = () => {
      told.onOpen?.(anew);
      anew = false;
    };
    opened.onerror = () => {
      told.onDisconnect?.();
      if (opened.readyState === EventSource.CLOSED) later = setTimeout(begin, AGAIN_MS);
    };
    opened.addEventListener('end', () => {
      opened.close();
      told.onEnd?.();
    });
  };
  begin();
  return () => {
    clearTimeout(later);
    source.close();
  };
}
