// Runs commands: one transaction with audit records, idempotency, and retries after conflicts.
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { MongoServerError } from 'mongodb';
import type { Actor } from './domain/access/actor.ts';
import type { IdempotencyKey } from './domain/access/idempotency-key.ts';
import type { AuditEvent } from './domain/audit/audit-event.ts';
import { DomainError, refuse } from './domain/errors.ts';
import type { GitPolicy } from './domain/jobs/code-location.ts';
import type { ReleasePolicy } from './domain/versions/release.ts';
import type { RevisionScheme } from './domain/versions/revision-label.ts';
import type { Sealing } from './platform/audit-key.ts';
import { createConflictQueue } from './platform/conflict-queue.ts';
import type { Dispatch } from './platform/dispatch.ts';
import { newId } from './platform/id.ts';
import { publishCommand } from './platform/instrumentation.ts';
import type { Log } from './platform/log.ts';
import type { Links } from './platform/signed-link.ts';
import type { WebhookPolicy } from './platform/webhook-secret.ts';
import { appendAudit, type IdentifiedEvent, type Origin } from './store/audit/audit.ts';
import { storedResult, storeResult } from './store/idempotency.ts';
import type { Mongo } from './store/mongo.ts';
import { isDuplicateKey } from './store/query/duplicate-key.ts';
import { assertUnchanged, type TaggedRecord } from './store/query/optimistic-lock.ts';
import type { DeferredWrite, Write } from './store/query/write.ts';
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

const conflictQueue = createConflictQueue();

/**
 * Runs a command and its audit records in one transaction: when this returns, everything is on disk; if it throws,
 * nothing is. Retries after write conflicts; commands of the same name that met conflicts run one at a time. A command
 * that records no audit event fails. With an idempotency key its result is stored in the same transaction, and a
 * repeated request, even a concurrent one or one after a crash, gets that result.
 */
export async function inTransaction<I, R>(
  services: Services,
  request: Omit<RequestContext, 'signal'>,
  command: Command<I, R>,
  input: I,
): Promise<R> {
  const effects: (() => unknown)[] = [];
  const origin = originOf(request);
  const session = services.mongo.client.startSession();
  let runs = 0;
  let actions: string[] = [];
  let cacheHeads = () => {};
  let releaseQueue = await conflictQueue.acquireIfBusy(command.name);
  const run = () =>
    session.withTransaction(async () => {
      runs += 1;
      // before the first operation, so that the snapshot includes the commit of the previous command in the queue
      if (runs > 1) releaseQueue ??= await conflictQueue.acquire(command.name);
      effects.length = 0;
      const events: IdentifiedEvent[] = [];
      const deferred: DeferredWrite[] = [];
      const checks: (() => Promise<unknown>)[] = [];
      cacheHeads = () => {};
      let changed = true;
      let neverReplay = false;
      const work: Work = {
        db: services.mongo.db,
        session,
        ...origin,
        now: services.clock(),
        services,
        isRetry: runs > 1,
        changes: [],
        newId,
        audit: (event, eventOrigin = origin) => {
          const id = newId('aud');
          events.push({ id, event, origin: eventOrigin });
          return id;
        },
        atEnd: (write) => void deferred.push(write),
        meanwhile: (check) => void checks.push(check),
        unchanged: () => {
          changed = false;
        },
        neverReplay: () => {
          neverReplay = true;
        },
        afterCommit: (effect) => void effects.push(effect),
      };
      const { idempotency, expected, ifMatch } = request;
      if (ifMatch !== undefined)
        refuse(
          'validation_failed',
          'This write does not support If-Match, because it does not change a single record with an ETag.',
        );
      const stored = idempotency && (await storedResult(work, idempotency, command.name));
      if (stored) return stored.result as R;
      if (expected) await assertUnchanged(work, expected);
      const result = await command(work, input);
      if (!events.length && (changed || deferred.length))
        throw new Error(`WRITE_WITHOUT_AUDIT: ${command.name} recorded no audit event`);
      const checked = checks.length ? runAfterWritesAreSent(checks) : null;
      checked?.catch(() => undefined); // thrown by the await below
      if (events.length) {
        cacheHeads = await appendAudit(work, events, deferred);
        actions = events.map(({ event }) => event.action);
        if (idempotency) await storeResult(work, idempotency, command.name, { result, neverReplay });
        work.afterCommit(() => services.dispatch.notify('audit'));
      }
      await checked;
      return result;
    }, TRANSACTION);
  try {
    const result = await retryDuplicateKeys(run);
    cacheHeads();
    publishCommand({ command: command.name, runs, outcome: 'committed', actions });
    for (const effect of effects) await runEffect(effect, services.log);
    return result;
  } catch (error) {
    publishCommand({
      command: command.name,
      runs,
      outcome: error instanceof DomainError ? 'refused' : 'failed',
      actions: [],
    });
    throw toDomainError(error);
  } finally {
    releaseQueue?.();
    await session.endSession();
  }
}

// A store executes what it receives in order, so that the writes, which are on the critical path, are sent first.
async function runAfterWritesAreSent(checks: readonly (() => Promise<unknown>)[]): Promise<void> {
  await nextLoopIteration();
  await Promise.all(checks.map((check) => check()));
}

/** Returns the same transaction with another request as the origin of its audit records. */
export function forRequest(work: Work, request: Omit<RequestContext, 'signal'>): Work {
  const origin = originOf(request);
  return { ...work, ...origin, audit: (event) => work.audit(event, origin) };
}

function originOf({ actor, requestId, ip = null, route = null }: Omit<RequestContext, 'signal'> | Origin): Origin {
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

const TRANSACTION = {
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
