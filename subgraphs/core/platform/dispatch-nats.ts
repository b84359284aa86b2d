// Notifications between processes over NATS JetStream. The only module that imports `nats`.
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
import { type AnnouncedJob, formatJobEvent } from '../domain/jobs/job-event.ts';
import type { JobType } from '../domain/kinds.ts';
import { errorMessage } from '../domain/text/error-message.ts';
import type { Connectivity, Dispatch, Permit, Permits } from './dispatch.ts';
import { localDispatch } from './dispatch-local.ts';
import { publishNotification } from './instrumentation.ts';
import type { Log } from './log.ts';
import { sleep } from './sleep.ts';

const TYPES: readonly JobType[] = ['convert', 'assemble', 'export', 'run'];
const STREAM = 'PDM_JOBS';
const SUBJECT = 'pdm.jobs.ready.';
const CHECK_MS = 5_000;
const PAUSE_MS = 500;
const TIMEOUT_MS = 1_000;
// Notifications that wait for the server's acknowledgement; more are dropped.
const MAX_IN_FLIGHT = 500;

export type NatsOptions = { url: string; log: Log };

/**
 * Notifications over NATS at `url` (`nats://token@host:4222`, several separated by commas). Connects in the background
 * and retries forever. While the server is down or has no JetStream, notifications stay inside the process. `stop`
 * disconnects.
 */
export function natsDispatch({ url, log }: NatsOptions): Dispatch & { up(): boolean; stop(): Promise<void> } {
  const local = localDispatch();
  let inFlight = 0;
  const link = natsLink({
    url,
    log,
    // notifications of other processes wake every waiting claim of this one
    onConnect: (connection) => {
      connection.subscribe(`${SUBJECT}*`, {
        callback: (error, { subject }) => {
          const type = TYPES.find((type) => subject === SUBJECT + type);
          if (!error && type) local.notify(type);
        },
      });
    },
  });

  async function publish(type: JobType, key: string | undefined, job: AnnouncedJob | undefined): Promise<void> {
    const connection = link.current();
    if (!connection || inFlight >= MAX_IN_FLIGHT) {
      publishNotification({ result: 'dropped' });
      return;
    }
    inFlight += 1;
    try {
      const message = key && job ? formatJobEvent(key, job, new Date()) : Empty;
      const { duplicate } = await connection
        .jetstream()
        .publish(SUBJECT + type, message, { msgID: key, timeout: TIMEOUT_MS });
      publishNotification({ result: duplicate ? 'duplicate' : 'published' });
    } catch (error) {
      publishNotification({ result: 'dropped' });
      log.debug({ err: error, type }, 'could not send a job notification; workers find the job by polling');
      link.check();
    } finally {
      inFlight -= 1;
    }
  }

  return {
    ...local,
    notify: (topic, key, job) => {
      local.notify(topic, key);
      const type = TYPES.find((type) => type === topic);
      if (type) void publish(type, key, job);
    },
    up: () => link.current() !== null,
    stop: async () => {
      local.close();
      await link.stop();
    },
  };
}

/** A scheduler may subscribe to these subjects only (operate/nats-users.conf), so that it sees no response to others. */
const SCHEDULER_INBOX = '_INBOX_SCHEDULER';

/** Permits from the NATS stream, for a scheduler. The service creates the stream and its consumers. */
export function natsPermits({ url, log }: NatsOptions): Permits {
  const link = natsLink({ url, log, ensureStreams: assertConsumers, inboxPrefix: SCHEDULER_INBOX });
  return {
    up: () => link.current() !== null,
    connectivity: link.connectivity,
    stop: link.stop,
    next: async (types, wait) => {
      const connection = link.current();
      if (!connection || wait.signal.aborted) return [];
      const permits = await pullPermits(connection, types, wait, link.check).catch(link.markLost);
      for (const permit of permits.splice(wait.max)) permit.giveBack();
      return permits;
    },
  };
}

/** Pulls from the consumer of each type. Permits that arrive after the first ones were returned go back at once. */
async function pullPermits(
  connection: NatsConnection,
  types: readonly JobType[],
  { max, milliseconds, signal }: Parameters<Permits['next']>[1],
  onConsumerMissing: () => void,
): Promise<Permit[]> {
  const permits: Permit[] = [];
  const finished = Promise.withResolvers<void>();
  const finish = () => finished.resolve();
  let returned = false;
  const timer = setTimeout(finish, milliseconds);
  signal.addEventListener('abort', finish);
  const subscription = connection.subscribe(createInbox(SCHEDULER_INBOX), {
    callback: (error, message) => {
      // a message without a reply subject is no permit: the request expired, or there is no consumer
      if (error || !message.reply) {
        if (error || message.headers?.code === NO_RESPONDERS) onConsumerMissing();
        return;
      }
      const permit = permitOf(message);
      if (returned) return permit.giveBack();
      permits.push(permit);
      finish();
    },
  });
  try {
    const request = JSON.stringify({ batch: max, expires: nanos(Math.max(1, Math.ceil(milliseconds))) });
    for (const type of types)
      connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${durableOf(type)}`, request, {
        reply: subscription.getSubject(),
      });
    await finished.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', finish);
    returned = true;
    // ends the requests at the server; messages in flight still arrive
    subscription.drain().catch(onConsumerMissing);
  }
  return permits;
}

const NO_RESPONDERS = 503;

function permitOf(message: Msg): Permit {
  return {
    done: () => void message.respond('+ACK'),
    giveBack: (milliseconds = 0) =>
      void message.respond(milliseconds ? `-NAK ${JSON.stringify({ delay: nanos(milliseconds) })}` : '-NAK'),
  };
}

type Link = {
  current(): NatsConnection | null;
  connectivity(): Connectivity;
  check(): void;
  markLost(error: unknown): [];
  stop(): Promise<void>;
};

type LinkOptions = NatsOptions & {
  onConnect?: (connection: NatsConnection) => void;
  /** Creates missing streams, or throws if they are missing. Throws if the server has no JetStream. */
  ensureStreams?: (connection: NatsConnection) => Promise<void>;
  /** Log messages for when the streams become available and unavailable. */
  messages?: { up: string; down: string };
  /** The first token of the subjects on which the connection receives responses. Default: that of the client. */
  inboxPrefix?: string;
};

const JOB_MESSAGES = {
  up: 'connected to NATS; sending job notifications',
  down: 'NATS is not reachable or has no JetStream; workers find jobs by polling until it is back',
};

/**
 * Keeps a connection open in the background. Checks it every 5 s and after a failure, and recreates missing streams and
 * consumers.
 */
export function natsLink({
  url,
  log,
  onConnect = () => {},
  ensureStreams = ensureJobStream,
  messages = JOB_MESSAGES,
  inboxPrefix,
}: LinkOptions): Link {
  const stopping = new AbortController();
  let connection: NatsConnection | null = null;
  let up = false;
  let loggedState: boolean | null = null;
  let [since, lastError]: [Date, string | null] = [new Date(), null];
  let checkNow = new AbortController();

  const setReachable = (reachable: boolean, error?: unknown) => {
    up = reachable;
    lastError = reachable ? null : errorMessage(error);
    if (loggedState === reachable) return;
    loggedState = reachable;
    since = new Date();
    if (reachable) log.info({ server: connection?.getServer() }, messages.up);
    else log.warn({ err: error }, messages.down);
  };

  async function open(): Promise<NatsConnection> {
    const opened = await connect({
      ...parseAddress(url),
      ...CONNECT_OPTIONS,
      name: 'pdm',
      ...(inboxPrefix ? { inboxPrefix } : {}),
    });
    void watch(opened);
    onConnect(opened);
    return opened;
  }

  // ends with the connection
  async function watch(watched: NatsConnection): Promise<void> {
    for await (const { type } of watched.status()) {
      if (type === 'disconnect') setReachable(false, new Error('the server closed the connection'));
      if (type === 'reconnect') checkNow.abort();
    }
  }

  const checking = (async () => {
    while (!stopping.signal.aborted) {
      checkNow = new AbortController();
      let pause = CHECK_MS;
      try {
        if (!connection || connection.isClosed()) connection = await open();
        await ensureStreams(connection);
        setReachable(true);
      } catch (error) {
        setReachable(false, error);
        pause = PAUSE_MS;
      }
      await sleep(pause * (0.8 + Math.random() * 0.4), AbortSignal.any([stopping.signal, checkNow.signal]));
    }
  })();

  return {
    current: () => (up && !connection?.isClosed() ? connection : null),
    connectivity: () => ({ reachable: up, since, lastError }),
    check: () => checkNow.abort(),
    markLost: (error) => {
      setReachable(false, error);
      checkNow.abort();
      return [];
    },
    stop: async () => {
      stopping.abort();
      await checking;
      // sends the last notifications, if the server is reachable
      if (up && connection)
        await Promise.race([
          connection.flush().catch(() => log.debug('could not send the last job notifications')),
          sleep(TIMEOUT_MS),
        ]);
      await connection?.close();
    },
  };
}

const CONNECT_OPTIONS = {
  timeout: TIMEOUT_MS,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 250,
  reconnectJitter: 100,
  noEcho: true,
  pingInterval: 10_000,
};

/** Creates the job stream and a consumer for each type, if they are missing. Throws if the server has no JetStream. */
async function ensureJobStream(connection: NatsConnection): Promise<void> {
  const { streams, consumers } = await jetStreamManager(connection);
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

/** Throws if the consumer of a type is missing: there is no job stream until a process of the service has created it. */
async function assertConsumers(connection: NatsConnection): Promise<void> {
  const { consumers } = await jetStreamManager(connection);
  for (const type of TYPES) await consumers.info(STREAM, durableOf(type));
}

/** Returns the manager of the server's streams. Throws if it has no JetStream. */
export function jetStreamManager(connection: NatsConnection): Promise<JetStreamManager> {
  if (!connection.info?.jetstream) throw new Error('the NATS server runs without JetStream: start it with -js');
  return connection.jetstreamManager({ timeout: TIMEOUT_MS, checkAPI: false });
}

function durableOf(type: JobType): string {
  return `ready-${type}`;
}

// A name without a password is a token.
function parseAddress(url: string): { servers: string[]; token?: string; user?: string; pass?: string; tls?: object } {
  const addresses = url
    .split(',')
    .map((address) => new URL(address.includes('://') ? address.trim() : `nats://${address.trim()}`));
  const { username, password, protocol } = addresses[0]!;
  const [name, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const servers = addresses.map(({ host }) => host);
  const tls = protocol === 'tls:' ? { tls: {} } : {};
  if (name && pass) return { servers, user: name, pass, ...tls };
  return name ? { servers, token: name, ...tls } : { servers, ...tls };
}
