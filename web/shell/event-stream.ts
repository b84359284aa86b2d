// Server-sent events of the service. The browser reconnects automatically after a lost connection, but not after an
// error response (too many streams, the service is starting); then this module reconnects.

type StreamHandlers = {
  onMessage: (data: string) => void;
  /** Called when the stream opens. `fromStart` is false when the browser resumes after the last received event. */
  onOpen?: (fromStart: boolean) => void;
  onDisconnect?: () => void;
  /** Called after the service has sent the last event and the stream is closed. */
  onEnd?: () => void;
};

const RECONNECT_MS = 5_000;

/** Subscribes to a stream of /api/v1; returns a function that unsubscribes. */
export function subscribeToStream(path: string, handlers: StreamHandlers): () => void {
  let source: EventSource;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    let fromStart = true;
    const opened = new EventSource(`/api/v1${path}`);
    source = opened;
    opened.onmessage = ({ data }) => handlers.onMessage(data);
    opened.onopen = () => {
      handlers.onOpen?.(fromStart);
      fromStart = false;
    };
    opened.onerror = () => {
      handlers.onDisconnect?.();
      if (opened.readyState === EventSource.CLOSED) reconnect = setTimeout(connect, RECONNECT_MS);
    };
    opened.addEventListener('end', () => {
      opened.close();
      handlers.onEnd?.();
    });
  };
  // the browser waits seconds before it reconnects
  const reconnectNow = () => {
    clearTimeout(reconnect);
    source.close();
    connect();
  };
  connect();
  addEventListener('online', reconnectNow);
  return () => {
    removeEventListener('online', reconnectNow);
    clearTimeout(reconnect);
    source.close();
  };
}
