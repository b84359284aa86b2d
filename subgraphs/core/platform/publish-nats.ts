// Publishes events to a separate NATS stream.
import { jetStreamManager, type NatsOptions, natsLink } from './dispatch-nats.ts';

/** An event to publish: its id, its type and its JSON text. */
export type PublishedEvent = { id: string; type: string; text: string };

export type EventPublisher = {
  /** Whether the stream is available now. */
  up(): boolean;
  /**
   * Publishes events in order and resolves when all are stored in the stream. If it rejects, publish all of them again.
   */
  publish(events: readonly PublishedEvent[]): Promise<void>;
  stop(): Promise<void>;
};

export const EVENT_STREAM = 'PDM_EVENTS';
const SUBJECT = 'pdm.events.';
const TIMEOUT_MS = 5_000;
const WEEK_MS = 7 * 86_400_000;
// half of the storage of the bundled NATS server; job notifications have the other half
const MAX_BYTES = 128 * 2 ** 20;
// NATS counts in nanoseconds
const nanos = (milliseconds: number) => milliseconds * 1_000_000;
const STREAM_EXISTS_WITH_OTHER_CONFIG = 10058;

/**
 * Publishes to `pdm.events.<type>` of the server at `url`. Creates the stream PDM_EVENTS if it is missing: it keeps a
 * week of events, at most 128 MiB, and drops events with the same Nats-Msg-Id within two minutes. A stream that an
 * operator configured otherwise is left unchanged.
 */
export function natsEventPublisher({ url, log }: NatsOptions): EventPublisher {
  const link = natsLink({
    url,
    log,
    messages: {
      up: 'connected to NATS; publishing events',
      down: 'NATS is not reachable or has no JetStream; events are published when it is back',
    },
    ensureStreams: async (connection) => {
      const { streams } = await jetStreamManager(connection);
      const stream = {
        name: EVENT_STREAM,
        subjects: [`${SUBJECT}>`],
        max_age: nanos(WEEK_MS),
        max_bytes: MAX_BYTES,
        duplicate_window: nanos(120_000),
      };
      await streams.add(stream).catch((error: unknown) => {
        if (apiCode(error) !== STREAM_EXISTS_WITH_OTHER_CONFIG) throw error;
      });
    },
  });
  return {
    up: () => link.current() !== null,
    stop: link.stop,
    publish: async (events) => {
      const stream = link.current()?.jetstream();
      if (!stream) throw new Error('NATS is not reachable');
      try {
        // one connection preserves their order
        await Promise.all(
          events.map(({ id, type, text }) => stream.publish(SUBJECT + type, text, { msgID: id, timeout: TIMEOUT_MS })),
        );
      } catch (error) {
        link.check();
        throw error;
      }
    },
  };
}

function apiCode(error: unknown): unknown {
  const { api_error: apiError } = (error ?? {}) as { api_error?: { err_code?: number } };
  return apiError?.err_code;
}
