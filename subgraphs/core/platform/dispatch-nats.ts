// The doorbell between processes: NATS JetStream. The only importer of `nats`.
import {
  AckPolicy,
  connect,
  createInbox,
  DeliverPolicy,
  DiscardPolicy,
  Empty,
  type JetStreamManager,
  type Msg,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  StorageType,
} from 'nats';
import type { JobType } from '../domain/kinds.ts';
import type { Dispatch, Permit, Permits, Reach } from './dispatch.ts';
import { localDispatch } from './dispatch-local.ts';
import type { Log } from './log.ts';
import { tellRing } from './telling.ts';
import { waited } from './waited.ts';

const TYPES: readonly JobType[] = ['convert', 'assemble', 'export', 'run'];
const STREAM = 'PDM_JOBS';
const SUBJECT = 'pdm.jobs.ready.';
const CHECK_MS = 5_000;
const PAUSE_MS = 500;
const TIMEOUT_MS = 1_000;
// Rings that wait for the server's word; beyond that they are dropped rather than heaped up.
const MOST_UNDER_WAY = 500;

export type NatsOptions = { url: string; log: Log };

/**
 * The doorbell over NATS at `url` (`nats://token@host:4222`, several separated by commas). It connects in the background and forever: while the
 * server is away, or without JetStream, rings are heard in this process alone. `stop` ends the connection.
 */
export function natsDispatch({ url, log }: NatsOptions): Dispatch & { up(): boolean; stop(): Promise<void> } {
  const local = localDispatch();
  let underWay = 0;
  const link = natsLink({
    url,
    log,
    // Rings of other processes: every waiting claim of this one looks.
    joined: (connection) => {
      connection.subscribe(`${SUBJECT}*`, {
        callback: (error, { subject }) => {
          const type = TYPES.find((type) => subject === SUBJECT + type);
          if (!error && type) local.ring(type);
        },
      });
    },
  });

  async function publish(type: JobType, key?: string): Promise<void> {
    const connection = link.current();
    if (!connection || underWay >= MOST_UNDER_WAY) {
      tellRing({ result: 'dropped' });
      return;
    }
    underWay += 1;
    try {
      const { duplicate } = await connection
        .jetstream()
        .publish(SUBJECT + type, Empty, { msgID: key, timeout: TIMEOUT_MS });
      tellRing({ result: duplicate ? 'duplicate' : 'published' });
    } catch (error) {
      tellRing({ result: 'dropped' });
      log.debug({ err: error, type }, 'a ring did not get through; the job is found by looking');
      link.check();
    } finally {
      underWay -= 1;
    }
  }

  return {
    ...local,
    ring: (bell, key) => {
      local.ring(bell, key);
      const type = TYPES.find((type) => type === bell);
      if (type) void publish(type, key);
    },
    up: () => link.current() !== null,
    stop: async () => {
      local.close();
      await link.stop();
    },
  };
}

/** Permits out of the stream, for a scheduler. */
export function natsPermits({ url, log }: NatsOptions): Permits {
  const link = natsLink({ url, log });
  return {
    up: () => link.current() !== null,
    reach: link.reach,
    stop: link.stop,
    next: async (types, wait) => {
      const connection = link.current();
      if (!connection || wait.signal.aborted) return [];
      const permits = await pulled(connection, types, wait, link.check).catch(link.lost);
      for (const permit of permits.splice(wait.most)) permit.giveBack();
      return permits;
    },
  };
}

/** Asks the consumer of each type for permits; what arrives after the first ones were taken goes back at once, to somebody who waits. */
async function pulled(
  connection: NatsConnection,
  types: readonly JobType[],
  { most, milliseconds, signal }: Parameters<Permits['next']>[1],
  missing: () => void,
): Promise<Permit[]> {
  const permits: Permit[] = [];
  const over = Promise.withResolvers<void>();
  const end = () => over.resolve();
  let taken = false;
  const timer = setTimeout(end, milliseconds);
  signal.addEventListener('abort', end);
  const subscription = connection.subscribe(createInbox(), {
    callback: (error, message) => {
      // Without a permit: the end of a request, or nobody there to ask.
      if (error || !message.reply) {
        if (error || message.headers?.code === NOBODY) missing();
        return;
      }
      const permit = permitOf(message);
      if (taken) return permit.giveBack();
      permits.push(permit);
      end();
    },
  });
  try {
    const request = JSON.stringify({ batch: most, expires: nanos(Math.max(1, Math.ceil(milliseconds))) });
    for (const type of types)
      connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${durableOf(type)}`, request, {
        reply: subscription.getSubject(),
      });
    await over.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    taken = true;
    // The server forgets the requests; what is on its way still arrives here.
    subscription.drain().catch(missing);
  }
  return permits;
}

const NOBODY = 503;

function permitOf(message: Msg): Permit {
  return {
    done: () => void message.respond('+ACK'),
    giveBack: (milliseconds = 0) =>
      void message.respond(milliseconds ? `-NAK ${JSON.stringify({ delay: nanos(milliseconds) })}` : '-NAK'),
  };
}

type Link = {
  current(): NatsConnection | null;
  reach(): Reach;
  check(): void;
  lost(error: unknown): [];
  stop(): Promise<void>;
};

type LinkOptions = NatsOptions & {
  joined?: (connection: NatsConnection) => void;
  /** Makes the streams that are needed, where they are not. Throws when the server has no JetStream. */
  furnish?: (connection: NatsConnection) => Promise<void>;
  /** What is logged when it is there, and when it is away. */
  says?: { up: string; away: string };
};

const ABOUT_JOBS = {
  up: 'doorbells go over NATS',
  away: 'NATS is away or without JetStream; jobs are found by looking until it is back',
};

/**
 * A connection that is kept: made in the background, looked after every 5 s and when somebody met a fault; streams and
 * consumers are made again when they are gone.
 */
export function natsLink({ url, log, joined = () => {}, furnish = furnishJobs, says = ABOUT_JOBS }: LinkOptions): Link {
  const stopping = new AbortController();
  let connection: NatsConnection | null = null;
  let up = false;
  let told: boolean | null = null;
  let [since, lastError]: [Date, string | null] = [new Date(), null];
  let hurry = new AbortController();

  const tell = (now: boolean, error?: unknown) => {
    up = now;
    lastError = now ? null : error instanceof Error ? error.message : String(error);
    if (told === now) return;
    told = now;
    since = new Date();
    if (now) log.info({ server: connection?.getServer() }, says.up);
    else log.warn({ err: error }, says.away);
  };

  async function join(): Promise<NatsConnection> {
    const joining = await connect({ ...addressOf(url), ...FOREVER, name: 'pdm' });
    void watch(joining);
    joined(joining);
    return joining;
  }

  // Ends with the connection, whose faults are told here as events.
  async function watch(watched: NatsConnection): Promise<void> {
    for await (const { type } of watched.status()) {
      if (type === 'disconnect') tell(false, new Error('the server ended the connection'));
      if (type === 'reconnect') hurry.abort();
    }
  }

  const keeping = (async () => {
    while (!stopping.signal.aborted) {
      hurry = new AbortController();
      let pause = CHECK_MS;
      try {
        if (!connection || connection.isClosed()) connection = await join();
        await furnish(connection);
        tell(true);
      } catch (error) {
        tell(false, error);
        pause = PAUSE_MS;
      }
      await waited(pause * (0.8 + Math.random() * 0.4), AbortSignal.any([stopping.signal, hurry.signal]));
    }
  })();

  return {
    current: () => (up && !connection?.isClosed() ? connection : null),
    reach: () => ({ reachable: up, since, lastError }),
    check: () => hurry.abort(),
    lost: (error) => {
      tell(false, error);
      hurry.abort();
      return [];
    },
    stop: async () => {
      stopping.abort();
      await keeping;
      // What was rung last is sent, if the server is there to take it.
      if (up && connection)
        await Promise.race([
          connection.flush().catch(() => log.debug('the last rings did not get through')),
          waited(TIMEOUT_MS),
        ]);
      await connection?.close();
    },
  };
}

const FOREVER = {
  timeout: TIMEOUT_MS,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 250,
  reconnectJitter: 100,
  noEcho: true,
  pingInterval: 10_000,
};

/** Makes the stream and a consumer for each type; nothing changes where they are. Throws when the server has no JetStream. */
async function furnishJobs(connection: NatsConnection): Promise<void> {
  const { streams, consumers } = await streamsOf(connection);
  await streams.add({
    name: STREAM,
    subjects: [`${SUBJECT}*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(3_600_000),
    max_msgs: 100_000,
    duplicate_window: nanos(120_000),
  });
  for (const type of TYPES)
    await consumers.add(STREAM, {
      durable_name: durableOf(type),
      filter_subject: SUBJECT + type,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(10_000),
      max_deliver: -1,
      max_ack_pending: 1_000,
    });
}

/** Where the streams of a server are looked after. Throws when it has no JetStream. */
export function streamsOf(connection: NatsConnection): Promise<JetStreamManager> {
  if (!connection.info?.jetstream) throw new Error('the NATS server runs without JetStream: start it with -js');
  return connection.jetstreamManager({ timeout: TIMEOUT_MS, checkAPI: false });
}

function durableOf(type: JobType): string {
  return `ready-${type}`;
}

// A name alone before the @ is a token.
function addressOf(url: string): { servers: string[]; token?: string; user?: string; pass?: string; tls?: object } {
  const addresses = url
    .split(',')
    .map((address) => new URL(address.includes('://') ? address.trim() : `nats://${address.trim()}`));
  const { username, password, protocol } = addresses[0]!;
  const [name, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    servers: addresses.map(({ host }) => host),
    ...(name && pass ? { user: name, pass } : name ? { token: name } : {}),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
  };
}
