// The part of a command's context that store functions need to write.
import type { ClientSession } from 'mongodb';
import type { Actor } from '../../domain/access/actor.ts';
import type { IdPrefix } from '../../platform/id.ts';
import type { Mongo } from '../mongo.ts';
import type { BulkWrite } from './deferred-writes.ts';
import type { RecordBuffer } from './record-buffer.ts';
import type { ChainedChange, Scope } from './scope.ts';

/**
 * A write sent with the audit records at the end of the transaction. `orElse` is thrown if its update matches nothing.
 */
export type DeferredWrite = BulkWrite & { orElse?: () => Error };

/** The context of a write: its transaction, its time and its actor. */
export type Write = Scope & {
  session: ClientSession;
  buffer: RecordBuffer;
  changes: ChainedChange[];
  now: Date;
  actor: Actor;
  services: { mongo: Mongo };
  /**
   * Whether the transaction runs again after a conflict. It then reads everything from the store instead of from
   * caches.
   */
  isRetry: boolean;
  newId(prefix: IdPrefix): string;
  /**
   * Defers a write to the end of the transaction, where one command sends it with the audit records. Reads before that
   * do not see it.
   */
  atEnd(write: DeferredWrite): void;
  /** Runs an effect once the transaction is on disk, e.g. waking a worker. A failure is logged and changes nothing. */
  afterCommit(effect: () => unknown): void;
};
