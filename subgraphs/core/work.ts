import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { MongoServerError } from 'mongodb';
import type { Actor } from './domain/access/actor.ts';
import type { IdempotencyKey } from './domain/access/idempotency-key.ts';
import type { AuditEvent } from './domain/audit/audit-event.ts';
import { DomainError, refuse } from './domain/errors.ts';
import type { GitPolicy } from './domain/jobs/code-location.ts';
import type { ReleasePolicy } from './domain/versions/release.ts';
import type { RevisionScheme } from './domain/versions/revision-label.ts';
import { createConflictQueue } from './platform/conflict-queue.ts';
import type { Sealing } from './platform/audit-key.ts';
import type { Dispatch } from './platform/dispatch.ts';
import { newId } from './platform/id.ts';
import type { Log } from './platform/log.ts';
import type { Links } from './platform/signed-link.ts';
import { publishCommand } from './platform/instrumentation.ts';
import type { WebhookPolicy } from './platform/webhook-secret.ts';
import { appendAudit, type IdentifiedEvent, type Origin } from './store/audit/audit.ts';
import { storedResult, storeResult } from './store/idempotency.ts';
import type { Mongo } from './store/mongo.ts';
import { type TaggedRecord, assertUnchanged } from './store/query/optimistic-lock.ts';
import type { DeferredWrite, Write } from './store/query/write.ts';

/**
 * One request: who asks, from which address and by which route, e.g. `POST /api/v1/versions/:id/release` (neither: the service itself), under
 * which id it is logged, and the signal that ends it.
 * A write may ask to happen only once (`once`), and only while a record is as it was seen: known already, or still as the tag that a client gave
 * (`ifMatch`) for the record that the write is about. Where the client named another tag than the one it has (`stale`), nothing but whether he may do it is left to be said.
 */
export type RequestContext = {
  actor: Actor;
  requestId: string;
  ip?: string;
  route?: string;
  signal: AbortSignal;
  /** Says the same as the signal that ends it, for those who need not wake up; a signal costs more than a small request. */
  isAborted?: () => boolean;
  idempotency?: IdempotencyKey;
  expected?: TaggedRecord;
  staleTag?: string;
  ifMatch?: string;
};

/** What the limits and addresses of the installation are; the part of the settings that commands need. */
export type Limits = {
  maxUploadBytes: number;
  leaseSeconds: number;
  reservationSeconds: number;
  revisionScheme: RevisionScheme;
  releasePolicy: ReleasePolicy;
  /** Who reads and writes OFB: an engine outside, or nobody. */
  ofbWorker: 'none' | 'external';
  /** From where the code of generators may be fetched. */
  git: GitPolicy;
};

/** What commands and reads stand on. */
export type Services = {
  mongo: Mongo;
  dispatch: Dispatch;
  log: Log;
  limits: Limits;
  sealing: Sealing;
  links: Links;
  webhooks: WebhookPolicy;
  clock: () => Date;
};

/** What a command works with: the transaction, the time, fresh ids, and the two ways out (audit record and after-commit effect). */
export type Work = Write &
  Origin & {
    services: Services;
    /** Records what was done and returns the id of its audit record. A command that records nothing fails. */
    audit(event: AuditEvent, origin?: Origin): string;
    /** Runs a check while the writes are on their way to the store. If it fails, nothing is stored and the command fails. */
    meanwhile(check: () => Promise<unknown>): void;
    /** Declares that there was nothing to change, e.g. a repeated request: no audit record is required. */
    unchanged(): void;
    /** Declares that the response holds a secret that is shown only once: it is not stored for repeated requests. */
    neverReplay(): void;
  };

/** A write: values in, result out; may run more than once, so nothing outside the transaction happens in it. */
export type Command<I, R> = (work: Work, input: I) => Promise<R>;

const LANES = createConflictQueue();

/**
 * Runs a command in one transaction together with its audit records: either all is on disk when this returns, or nothing ever was.
 * Write conflicts run the command again, one by one where several of a name met them. A command that recorded no audit event is a bug and fails. Under a key (`once`) what it answered is
 * stored with the write, and a repeated request, also one at the same time or after a crash, gets that instead of a second write.
 */
export async function inTransaction<I, R>(
  services: Services,
  request: Omit<RequestContext, 'signal'>,
  command: Command<I, R>,
  input: I,
): Promise<R> {
  const effects: (() => unknown)[] = [];
  const asked = originOf(request);
  const session = services.mongo.client.startSession();
  let runs = 0;
  let actions: string[] = [];
  let toRemember = () => {};
  let leaveLane = await LANES.acquireIfBusy(command.name);
  const run = () =>
    session.withTransaction(async () => {
      runs += 1;
      // before the first word to the store, so that what is read then is what the last one in the lane has left
      if (runs > 1) leaveLane ??= await LANES.acquire(command.name);
      effects.length = 0;
      const events: IdentifiedEvent[] = [];
      const deferred: DeferredWrite[] = [];
      const checks: (() => Promise<unknown>)[] = [];
      toRemember = () => {};
      let changed = true;
      let toldOnce = false;
      const work: Work = {
        db: services.mongo.db,
        session,
        ...asked,
        now: services.clock(),
        services,
        isRetry: runs > 1,
        newId,
        audit: (event, by = asked) => {
          const id = newId('aud');
          events.push({ id, event, by });
          return id;
        },
        atEnd: (write) => void deferred.push(write),
        meanwhile: (check) => void checks.push(check),
        unchanged: () => {
          changed = false;
        },
        neverReplay: () => {
          toldOnce = true;
        },
        afterCommit: (effect) => void effects.push(effect),
      };
      const { idempotency: once, expected: seen, ifMatch } = request;
      if (ifMatch !== undefined)
        refuse('validation_failed', 'If-Match has no meaning for this write: it is not about one record with an etag.');
      const earlier = once && (await storedResult(work, once, command.name));
      if (earlier) return earlier.result as R;
      if (seen) await assertUnchanged(work, seen);
      const answer = await command(work, input);
      if (!events.length && (changed || deferred.length))
        throw new Error(`WRITE_WITHOUT_AUDIT: ${command.name} recorded no audit event`);
      const found = checks.length ? behindTheWrites(checks) : null;
      found?.catch(() => undefined); // told when it is waited for
      if (events.length) {
        toRemember = await appendAudit(work, events, deferred);
        actions = events.map(({ event }) => event.action);
        if (once) await storeResult(work, once, command.name, { result: answer, toldOnce });
        work.afterCommit(() => services.dispatch.notify('audit'));
      }
      await found;
      return answer;
    }, TRANSACTION);
  try {
    const result = await againAfterDuplicate(run);
    toRemember();
    publishCommand({ command: command.name, runs, outcome: 'committed', actions });
    for (const effect of effects) await attempt(effect, services.log);
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
    leaveLane?.();
    await session.endSession();
  }
}

// A store works on what it is sent in turn, so that the writes, which the rest waits for, are sent first.
async function behindTheWrites(checks: readonly (() => Promise<unknown>)[]): Promise<void> {
  await nextTurnOfTheLoop();
  await Promise.all(checks.map((check) => check()));
}

/** The same transaction for another request: what is recorded through it is recorded as that one's. */
export function forRequest(work: Work, request: Omit<RequestContext, 'signal'>): Work {
  const asked = originOf(request);
  return { ...work, ...asked, audit: (event) => work.audit(event, asked) };
}

function originOf({ actor, requestId, ip = null, route = null }: Omit<RequestContext, 'signal'> | Origin): Origin {
  return { actor, requestId, ip, route };
}

const DUPLICATE_KEY = 11000;
const TRIES = 3;

// Two commands that take the same number or name at once: a server may answer the second with a duplicate key instead of a write
// conflict. Run again, it sees what the first one took and refuses in the words of its rule.
async function againAfterDuplicate<R>(run: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY || tries === TRIES) throw error;
    }
  }
}

const TRANSACTION = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
} as const;

async function attempt(effect: () => unknown, log: Log): Promise<void> {
  try {
    await effect();
  } catch (error) {
    log.error({ err: error }, 'an after-commit effect failed; sweeps make up for it');
  }
}

const OUT_OF_DISK = 14031;

/** A store's failure in the words of the catalogue: a full disk, a store that does not answer; anything else stays what it is. */
export function toDomainError(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  if (error instanceof MongoServerError && error.code === OUT_OF_DISK)
    return new DomainError(
      'storage_full',
      'The disk of the service is full; nothing was stored. Free space or ask the administrator.',
    );
  if (/^Mongo(Network|ServerSelection|NotConnected|Topology|PoolCleared)/.test(error.name))
    return new DomainError('unavailable', 'The database does not answer. Try again in a moment.', { part: 'database' });
  return error;
}
