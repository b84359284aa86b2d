// The command type and helpers for all commands.
import { type Collection, splitNamespace } from '../data/catalog.ts';
import type { Call } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import type { Reply } from '../protocol/wire.ts';
import type { WriteView } from '../storage/view.ts';
import type { Doc, Value } from '../values/bson.ts';
import { typeName } from '../values/bson.ts';
import type { Steps } from './write-steps.ts';

/**
 * A command. `plain`: opens its own views and writes. `write`: runs in steps, in a storage write or on the view
 * of its transaction. `allowWhenFull`: runs even when the disk is full.
 */
export type Command =
  | { kind: 'plain'; run(call: Call): Doc | Buffer | Promise<Reply>; inTransaction?: boolean }
  | { kind: 'write'; run(call: Call, view: WriteView): Steps<Doc>; allowWhenFull?: boolean };

export type Commands = { [name: string]: Command };

/** Returns `database.collection` from the first field of a command. Throws InvalidNamespace (73) for an invalid name. */
export function namespaceOf({ body, name, database }: Call): string {
  return toNamespace(database, body[name]);
}

export function toNamespace(database: string, collection: Value): string {
  if (typeof collection !== 'string') throw storeError(73, `collection name has invalid type ${typeName(collection)}`);
  const namespace = `${database}.${collection}`;
  splitNamespace(namespace);
  return namespace;
}

/** Returns the collection a command names; undefined if it does not exist. */
export const collectionOf = (call: Call): Collection | undefined => call.store.catalog.get(namespaceOf(call));

/** Returns the collection to write to, creating it if it does not exist. */
export function getOrCreateCollection({ store, transaction }: Call, view: WriteView, namespace: string): Collection {
  const known = store.catalog.get(namespace);
  if (known) return known;
  if (transaction) {
    throw storeError(
      263,
      `embedded store: the collection ${namespace} does not exist and cannot be created in a transaction; create it first`,
    );
  }
  return store.catalog.create(view, namespace, {});
}

/** Returns a document field of a validated command; undefined if it is missing or null. */
export const documentField = (body: Doc, name: string): Doc | undefined => (body[name] ?? undefined) as Doc | undefined;

/** Returns an array field of a validated command; undefined if it is missing or null. */
export const arrayField = (body: Doc, name: string): Value[] | undefined =>
  (body[name] ?? undefined) as Value[] | undefined;
