// Events over NATS: a stream of their own, which whoever may ask the server can follow from any place in it.
import { type NatsOptions, natsLink, streamsOf } from './dispatch-nats.ts';

/** An event as it is published: its id, its type, its JSON. */
export type Published = { id: string; type: string; text: string };

export type EventPublisher = {
  /** Whether the stream is there at the moment. */
  up(): boolean;
  /**
   * Publishes events in their order, and resolves once all of them are stored in the stream. Rejects otherwise: then all are to be published again.
   */
  publish(events: readonly Published[]): Promise<void>;
  stop(): Promise<void>;
};

export const EVENT_STREAM = 'PDM_EVENTS';
const SUBJECT = 'pdm.events.';
const TIMEOUT_MS = 5_000;
const WEEK_MS = 7 * 86_400_000;
// half of what the server that is run beside the service may keep: the rings of the schedulers have the other half
const MOST_BYTES = 128 * 2 ** 20;
// NATS counts in nanoseconds
const nanos = (milliseconds: number) => milliseconds * 1_000_000;
const IN_USE_OTHERWISE = 10058;

/**
 * Publishes to `pdm.events.<type>` of the server at `url`, into the stream PDM_EVENTS, which is made if there is none: it keeps a week, at most 128
 * MiB, and drops an event that comes twice within two minutes by its id (Nats-Msg-Id). One that an operator has made otherwise stays as it is.
 */
export function natsEvents({ url, log }: NatsOptions): EventPublisher {
  const link = natsLink({
    url,
    log,
    says: {
      up: 'events go over NATS',
      away: 'NATS is away or without JetStream; events are published when it is back',
    },
    furnish: async (connection) => {
      const { streams } = await streamsOf(connection);
      const stream = {
        name: EVENT_STREAM,
        subjects: [`${SUBJECT}>`],
        max_age: nanos(WEEK_MS),
        max_bytes: MOST_BYTES,
        duplicate_window: nanos(120_000),
      };
      await streams.add(stream).catch((error: unknown) => {
        if (apiCode(error) !== IN_USE_OTHERWISE) throw error;
      });
    },
  });
  return {
    up: () => link.current() !== null,
    stop: link.stop,
    publish: async (events) => {
      const stream = link.current()?.jetstream();
      if (!stream) throw new Error('NATS is away');
      try {
        // on one connection they arrive in the order in which they were sent
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
  const { api_error: given } = (error ?? {}) as { api_error?: { err_code?: number } };
  return given?.err_code;
}
