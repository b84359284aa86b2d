import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { type ClientSession, MongoServerError } from 'mongodb';
import { typeid } from 'typeid-js';
import { conflictLanes } from './after-conflict.ts';
import type { Sealing } from './audit-key.ts';
import type { Dispatch } from './dispatch.ts';
import type { AuditEvent } from './domain/audit-event.ts';
import type { GitPolicy } from './domain/code-location.ts';
import { DomainError, refuse } from './domain/errors.ts';
import type { Once } from './domain/once.ts';
import type { Role } from './domain/permissions.ts';
import type { ReleasePolicy } from './domain/release.ts';
import type { RevisionScheme } from './domain/revision-label.ts';
import type { Log } from './log.ts';
import type { Mongo } from './mongo.ts';
import type { Links } from './signed-link.ts';
import { appendAudit, type Deferred, type IdentifiedEvent } from './store/audit.ts';
import { earlierResult, keepResult } from './store/idempotency.ts';
import type { Scope } from './store/scope.ts';
import { type SeenRecord, stillAsSeen } from './store/seen-record.ts';
import { tellCommand } from './telling.ts';
import type { WebhookPolicy } from './webhook-secret.ts';

/** Who asks: a user's token, a session, a token of the identity provider, or the service itself. */
export type Actor = {
  id: string;
  name: string;
  role: Role | 'system';
  tokenId: string | null;
  via: 'token' | 'session' | 'oidc' | 'system';
};

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
  hasLeft?: () => boolean;
  once?: Once;
  seen?: SeenRecord;
  stale?: string;
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

export type IdPrefix =
  | 'doc'
  | 'fld'
  | 'wsp'
  | 'ver'
  | 'rev'
  | 'art'
  | 'job'
  | 'run'
  | 'aud'
  | 'usr'
  | 'tok'
  | 'ses'
  | 'whk';

/** A fresh id. Commands take theirs from their work; what is needed before a transaction begins is made here. */
export const newId = (prefix: IdPrefix): string => typeid(prefix).toString();

/** Whose request it is, as audit records tell it. */
export type Asked = { actor: Actor; requestId: string; ip: string | null; route: string | null };

/** What a command works with: the transaction, the time, fresh ids, and the two ways out (audit record and after-commit effect). */
export type Work = Scope &
  Asked & {
    session: ClientSession;
    now: Date;
    services: Services;
    /** It met another one and runs again: now it takes nothing from memory, so that it comes to its end. */
    again: boolean;
    newId(prefix: IdPrefix): string;
    /** Says what was done, and answers with the id its audit record will have; without it the command fails. */
    audit(event: AuditEvent, by?: Asked): string;
    /** Puts a write off to the end, where it goes in one command with the audit records. What the command reads does not show it. */
    atEnd(write: Deferred): void;
    /** Something that is found out while the writes are on their way to the store: where it fails, nothing of them is kept and the command fails so. */
    meanwhile(check: () => Promise<unknown>): void;
    /** Says that there was nothing to change, e.g. a repeated request: then no audit record is due. */
    unchanged(): void;
    /** Says that the answer holds a secret, which is told now and never again: it is not kept for a repeated request. */
    toldOnce(): void;
    /** Something to do once the transaction is on disk, e.g. wake a worker. A failure is logged and changes nothing. */
    afterCommit(effect: () => unknown): void;
  };

/** A write: values in, result out; may run more than once, so nothing outside the transaction happens in it. */
export type Command<I, R> = (work: Work, input: I) => Promise<R>;

const LANES = conflictLanes();

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
  const asked = askedOf(request);
  const session = services.mongo.client.startSession();
  let runs = 0;
  let actions: string[] = [];
  let toRemember = () => {};
  let leaveLane = await LANES.enterIfBusy(command.name);
  const run = () =>
    session.withTransaction(async () => {
      runs += 1;
      // before the first word to the store, so that what is read then is what the last one in the lane has left
      if (runs > 1) leaveLane ??= await LANES.enter(command.name);
      effects.length = 0;
      const events: IdentifiedEvent[] = [];
      const deferred: Deferred[] = [];
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
        again: runs > 1,
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
        toldOnce: () => {
          toldOnce = true;
        },
        afterCommit: (effect) => void effects.push(effect),
      };
      const { once, seen, ifMatch } = request;
      if (ifMatch !== undefined)
        refuse('validation_failed', 'If-Match has no meaning for this write: it is not about one record with an etag.');
      const earlier = once && (await earlierResult(work, once, command.name));
      if (earlier) return earlier.result as R;
      if (seen) await stillAsSeen(work, seen);
      const answer = await command(work, input);
      if (!events.length && (changed || deferred.length))
        throw new Error(`WRITE_WITHOUT_AUDIT: ${command.name} recorded no audit event`);
      const found = checks.length ? behindTheWrites(checks) : null;
      found?.catch(() => undefined); // told when it is waited for
      if (events.length) {
        toRemember = await appendAudit(work, events, deferred);
        actions = events.map(({ event }) => event.action);
        if (once) await keepResult(work, once, command.name, { result: answer, toldOnce });
        work.afterCommit(() => services.dispatch.ring('audit'));
      }
      await found;
      return answer;
    }, TRANSACTION);
  try {
    const result = await againAfterDuplicate(run);
    toRemember();
    tellCommand({ command: command.name, runs, outcome: 'committed', actions });
    for (const effect of effects) await attempt(effect, services.log);
    return result;
  } catch (error) {
    tellCommand({
      command: command.name,
      runs,
      outcome: error instanceof DomainError ? 'refused' : 'failed',
      actions: [],
    });
    throw asRefusal(error);
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
export function askedBy(work: Work, request: Omit<RequestContext, 'signal'>): Work {
  const asked = askedOf(request);
  return { ...work, ...asked, audit: (event) => work.audit(event, asked) };
}

function askedOf({ actor, requestId, ip = null, route = null }: Omit<RequestContext, 'signal'> | Asked): Asked {
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
export function asRefusal(error: unknown): unknown {
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
