// Runs commands: one transaction with audit records, idempotency, and retries after conflicts.
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { MongoServerError } from 'mongodb';
import type { BackupStatus } from './backup-status.ts';
import type { Actor } from './domain/access/actor.ts';
import type { IdempotencyKey } from './domain/access/idempotency-key.ts';
import { type AuditEvent, chainOf, FOLDER_CHAIN } from './domain/audit/audit-event.ts';
import { DomainError, refuse } from './domain/errors.ts';
import type { GitPolicy } from './domain/jobs/code-location.ts';
import type { ReleasePolicy } from './domain/versions/release.ts';
import type { RevisionScheme } from './domain/versions/revision-label.ts';
import type { Sealing } from './platform/audit-key.ts';
import { createConflictQueue, turnsOf } from './platform/conflict-queue.ts';
import type { Dispatch } from './platform/dispatch.ts';
import { newId } from './platform/id.ts';
import { publishCommand } from './platform/instrumentation.ts';
import type { Log } from './platform/log.ts';
import type { Links } from './platform/signed-link.ts';
import type { WebhookPolicy } from './platform/webhook-secret.ts';
import { appendAudit, type IdentifiedEvent, type Origin, type Recorded } from './store/audit/audit.ts';
import { advanceFolders } from './store/folders.ts';
import { storedResult, storeResult } from './store/idempotency.ts';
import type { Mongo } from './store/mongo.ts';
import { isDuplicateKey } from './store/query/duplicate-key.ts';
import { assertUnchanged, type TaggedRecord } from './store/query/optimistic-lock.ts';
import { RecordBuffer } from './store/query/record-buffer.ts';
import { TransactionRecords } from './store/query/transaction-records.ts';
import type { DeferredWrite, Write } from './store/query/write.ts';
import type { WrittenRecords } from './store/query/written-records.ts';
import type { CollectionName } from './store/schema/collections.ts';
import { databaseUnreachable } from './store/store-watch.ts';

/**
 * A request: who sent it, from which IP address and by which route, e.g. `POST /api/v1/versions/:id/release` (both
 * absent for the service itself), its id in the log, and the signal that aborts it.
 */
export type RequestContext = {
  actor: Actor;
  requestId: string;
  ip?: string;
  route?: string;
  signal: AbortSignal;
  /** Whether `signal` has aborted, without creating it: a signal costs more than a small request. */
  isAborted?: () => boolean;
  /** Executes the write at most once under this key. */
  idempotency?: IdempotencyKey;
  /** Executes the write only if this record still has this tag. */
  expected?: TaggedRecord;
  /**
   * The current tag of the record, if the client's If-Match names another one: the write is then rejected after the
   * permission check.
   */
  currentTagIfStale?: string;
  /** The If-Match header for the record that the write is about. */
  ifMatch?: string;
  /** Receives the records that the write stored, from which the response is built. */
  written?: WrittenRecords;
};

/** The settings that commands need. */
export type Limits = {
  maxUploadBytes: number;
  leaseSeconds: number;
  reservationSeconds: number;
  revisionScheme: RevisionScheme;
  releasePolicy: ReleasePolicy;
  /** Whether external workers convert OFB files. */
  ofbWorker: 'none' | 'external';
  /** Where the code of generators may be fetched from. */
  git: GitPolicy;
};

/** The dependencies of commands and reads. */
export type Services = {
  mongo: Mongo;
  /** Whether the disk has no space for writes. Always false for a MongoDB server. */
  isStoreFull(): boolean;
  dispatch: Dispatch;
  /** Returns the state of the scheduled backups; null if there are none. */
  backups(): BackupStatus | null;
  log: Log;
  limits: Limits;
  sealing: Sealing;
  links: Links;
  webhooks: WebhookPolicy;
  clock: () => Date;
  /** The file with the token of the first start. */
  firstTokenFile: string;
};

/** The context of a running command: its transaction, time, ids, audit records and after-commit effects. */
export type Work = Write &
  Origin & {
    services: Services;
    /** Records what was done and returns the id of its audit record. A command that records nothing fails. */
    audit(event: AuditEvent, origin?: Origin): string;
    /**
     * Runs a check while the writes are on their way to the store. If it fails, nothing is stored and the command
     * fails.
     */
    meanwhile(check: () => Promise<unknown>): void;
    /** Declares that there was nothing to change, e.g. a repeated request: no audit record is required. */
    unchanged(): void;
    /** Declares that the response holds a secret that is shown only once: it is not stored for repeated requests. */
    neverReplay(): void;
  };

/** A command. It may run more than once, so effects outside its transaction must be registered with `afterCommit`. */
export type Command<I, R> = (work: Work, input: I) => Promise<R>;

/** A request without its signal, which a command does not use. */
export type WriteRequest = Omit<RequestContext, 'signal'>;

/** A transaction that runs commands. `isRetry`: whether it runs again after a conflict. */
export type Transaction = { services: Services; records: TransactionRecords; isRetry: boolean };

/** What a command did in its transaction. Its writes and audit records are not sent yet. */
export type CommandRun<R> = Recorded & {
  result: R;
  checks: readonly (() => Promise<unknown>)[];
  effects: readonly (() => unknown)[];
};

const conflictQueue = createConflictQueue();

const MAX_RUNS_AMONG_OTHERS = 3;

/**
 * Runs a command and its audit records in one transaction: when this returns, everything is on disk; if it throws,
 * nothing is. Retries after write conflicts; commands of the same name that met conflicts run one at a time. A retry
 * sends its locks at once, and no shared transaction runs beside the fourth run and later ones. So short commands do not
 * prevent a long one from ending. A command that records no audit event fails. With an idempotency key its result is stored in the same transaction, and a
 * repeated request, even a concurrent one or one after a crash, gets that result.
 */
export async function inTransaction<I, R>(
  services: Services,
  request: WriteRequest,
  command: Command<I, R>,
  input: I,
): Promise<R> {
  const session = services.mongo.client.startSession();
  let runs = 0;
  let releaseQueue = await conflictQueue.acquireIfBusy(command.name);
  const run = () =>
    session.withTransaction(async () => {
      runs += 1;
      // before the first operation, so that the snapshot includes the commit of the previous command in the queue
      if (runs > 1) releaseQueue ??= await conflictQueue.acquire(command.name);
      return runs > MAX_RUNS_AMONG_OTHERS ? turnsOf(services.mongo.db).runExclusive(runOnce) : runOnce();
    }, TRANSACTION);
  const runOnce = async () => {
    const isRetry = runs > 1;
    const records = new TransactionRecords(services.mongo, session, { isShared: false, sendsLocks: isRetry });
    const buffer = new RecordBuffer(records, 'alone');
    const ended = await runCommand({ services, records, isRetry }, buffer, request, command, input);
    const checked = ended.checks.length ? runAfterWritesAreSent(ended.checks) : null;
    buffer.end();
    const sent = sendAll({ services, records, isRetry }, [ended]);
    await Promise.allSettled([sent, checked]); // a check must not use the session after the transaction
    const cacheHeads = await sent;
    await checked;
    return { ended, buffer, cacheHeads };
  };
  try {
    const { ended, buffer, cacheHeads } = await retryDuplicateKeys(run);
    cacheHeads();
    await publishCommit(services, { request, name: command.name, runs }, ended, buffer);
    return ended.result;
  } catch (error) {
    publishFailure(command.name, runs, error);
    throw toDomainError(error);
  } finally {
    releaseQueue?.();
    await session.endSession();
  }
}

/** Runs a command, which leaves its writes in the buffer. */
export async function runCommand<I, R>(
  { services, records, isRetry }: Transaction,
  buffer: RecordBuffer,
  request: WriteRequest,
  command: Command<I, R>,
  input: I,
): Promise<CommandRun<R>> {
  const origin = originOf(request);
  const effects: (() => unknown)[] = [];
  const events: IdentifiedEvent[] = [];
  const deferred: DeferredWrite[] = [];
  const checks: (() => Promise<unknown>)[] = [];
  let changed = true;
  let neverReplay = false;
  const work: Work = {
    db: services.mongo.db,
    session: records.session,
    buffer,
    ...origin,
    now: services.clock(),
    services,
    isRetry,
    changes: [],
    newId,
    audit: (event, eventOrigin = origin) => {
      // so that commands that record in one chain never run at once, as they would conflict in separate transactions
      buffer.own('chains', chainOf(event));
      const id = newId('aud');
      events.push({ id, event, origin: eventOrigin });
      return id;
    },
    // The buffer does not know these writes, so other commands of the transaction would not see them.
    atEnd: (write) => {
      buffer.assertAlone('a write is deferred');
      deferred.push(write);
    },
    meanwhile: (check) => {
      buffer.assertAlone('a check runs while writes are sent');
      checks.push(check);
    },
    unchanged: () => {
      changed = false;
    },
    neverReplay: () => {
      neverReplay = true;
    },
    afterCommit: (effect) => void effects.push(effect),
  };
  const { now, changes } = work;
  const { idempotency, expected, ifMatch } = request;
  if (ifMatch !== undefined)
    refuse(
      'validation_failed',
      'This write does not support If-Match, because it does not change a single record with an ETag.',
    );
  const stored = idempotency && (await storedResult(work, idempotency, command.name));
  if (stored) return { result: stored.result as R, now, events, changes, deferred, checks, effects };
  if (expected) await assertUnchanged(work, expected);
  const result = await command(work, input);
  if (!events.length && (changed || deferred.length))
    throw new Error(`WRITE_WITHOUT_AUDIT: ${command.name} recorded no audit event`);
  if (events.length) {
    if (idempotency) await storeResult(work, idempotency, command.name, { result, neverReplay });
    work.afterCommit(() => services.dispatch.notify('audit'));
  }
  return { result, now, events, changes, deferred, checks, effects };
}

/** Sends the writes of commands with their audit records. Returns a function to call after the commit. */
export async function sendAll(
  { services, records, isRetry }: Transaction,
  commands: readonly CommandRun<unknown>[],
): Promise<() => void> {
  const recording = commands.filter(({ events }) => events.length);
  if (!recording.length) {
    await records.send();
    return () => {};
  }
  const scope = { db: records.db, session: records.session, services };
  const cacheHeads = await appendAudit(scope, recording, { unsent: records.takeUnsent(), isRetry });
  const chains = recording.flatMap(({ events }) => events.map(({ event }) => chainOf(event)));
  return () => {
    cacheHeads();
    advanceFolders(records, chains.filter((chain) => chain === FOLDER_CHAIN).length);
  };
}

/** Runs the effects of a command that is on disk. */
export async function publishCommit(
  { log }: Services,
  { request, name, runs }: { request: WriteRequest; name: string; runs: number },
  { events, effects, deferred }: CommandRun<unknown>,
  buffer: RecordBuffer,
): Promise<void> {
  const unknown = new Set(deferred.map(({ into }) => into));
  const isUnknown = (name: CollectionName) => unknown.has(name) || buffer.hasUnknown(name);
  request.written?.add(
    buffer.written().filter(({ name }) => !isUnknown(name)),
    isUnknown,
  );
  publishCommand({ command: name, runs, outcome: 'committed', actions: events.map(({ event }) => event.action) });
  for (const effect of effects) await runEffect(effect, log);
}

/** Counts a command that stored nothing. */
export function publishFailure(name: string, runs: number, error: unknown): void {
  const outcome = error instanceof DomainError ? 'refused' : 'failed';
  publishCommand({ command: name, runs, outcome, actions: [] });
}

// A store executes what it receives in order, so that the writes, which are on the critical path, are sent first.
async function runAfterWritesAreSent(checks: readonly (() => Promise<unknown>)[]): Promise<void> {
  await nextLoopIteration();
  await Promise.all(checks.map((check) => check()));
}

/** Returns the same transaction with another request as the origin of its audit records. */
export function forRequest(work: Work, request: WriteRequest): Work {
  const origin = originOf(request);
  return { ...work, ...origin, audit: (event) => work.audit(event, origin) };
}

function originOf({ actor, requestId, ip = null, route = null }: WriteRequest | Origin): Origin {
  return { actor, requestId, ip, route };
}

const MAX_DUPLICATE_KEY_RUNS = 3;

// If two commands take the same number or name concurrently, a server may report a duplicate key instead of a write
// conflict. The second run reads what the first command wrote and fails with the domain error.
async function retryDuplicateKeys<R>(run: () => Promise<R>): Promise<R> {
  for (let runs = 1; ; runs++) {
    try {
      return await run();
    } catch (error) {
      if (!isDuplicateKey(error) || runs === MAX_DUPLICATE_KEY_RUNS) throw error;
    }
  }
}

/** The options of every transaction that writes. */
export const TRANSACTION = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
} as const;

async function runEffect(effect: () => unknown, log: Log): Promise<void> {
  try {
    await effect();
  } catch (error) {
    log.error({ err: error }, 'an after-commit effect failed; the next sweep repairs it');
  }
}

const OUT_OF_DISK_SPACE = 14031;

/** Returns errors for a full disk and an unreachable database as domain errors, and other errors unchanged. */
export function toDomainError(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  if (error instanceof MongoServerError && error.code === OUT_OF_DISK_SPACE)
    return new DomainError(
      'storage_full',
      'The disk of the service is full; nothing was stored. Free disk space, or contact the administrator.',
    );
  // The driver does not wrap the error of a write to a socket that the store has closed.
  const isSocketError = 'syscall' in error && error.syscall === 'write';
  if (isSocketError || /^Mongo(Network|ServerSelection|NotConnected|Topology|PoolCleared)/.test(error.name))
    return databaseUnreachable();
  return error;
}
