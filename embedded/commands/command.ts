import { type Collection, splitNamespace } from '../data/catalog.ts';
import type { Call } from '../process/engine.ts';
import { storeError } from '../protocol/errors.ts';
import type { Reply } from '../protocol/wire.ts';
import type { WriteView } from '../storage/view.ts';
import type { Doc, Value } from '../values/bson.ts';
import { asNumber, isDocument, typeName } from '../values/bson.ts';
import type { Steps } from './write-steps.ts';

/** A command: one that reads or manages runs on its own; one that writes is run inside the storage's write or on a transaction's view. */
export type Command =
  | { kind: 'plain'; run(call: Call): Doc | Buffer | Promise<Reply>; inTransaction?: boolean }
  | { kind: 'write'; run(call: Call, view: WriteView): Steps<Doc>; shrinking?: boolean };

export type Commands = { [name: string]: Command };

/** `database.collection` of the command's first field; 73 when it is not a name. */
export function namespaceOf({ body, name, database }: Call): string {
  return namespaceFrom(database, body[name]);
}

export function namespaceFrom(database: string, collection: Value): string {
  if (typeof collection !== 'string') throw storeError(73, `collection name has invalid type ${typeName(collection)}`);
  const namespace = `${database}.${collection}`;
  splitNamespace(namespace);
  return namespace;
}

/** The collection a command names, or undefined when it does not exist yet. */
export const collectionOf = (call: Call): Collection | undefined => call.engine.catalog.get(namespaceOf(call));

/** The collection to write to, made when it does not exist. */
export function collectionToWrite({ engine, transaction }: Call, view: WriteView, namespace: string): Collection {
  const known = engine.catalog.get(namespace);
  if (known) return known;
  if (transaction) {
    throw storeError(
      263,
      `embedded store: the collection ${namespace} does not exist and cannot be made inside a transaction; create it first`,
    );
  }
  return engine.catalog.create(view, namespace, {});
}

/** A document field of a command, or what stands for a missing one; 14 for any other type. */
export function documentField(body: Doc, name: string): Doc | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isDocument(value))
    throw storeError(14, `BSON field '${name}' is the wrong type '${typeName(value)}', expected type 'object'`);
  return value;
}

export function arrayField(body: Doc, name: string): Value[] | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (!Array.isArray(value))
    throw storeError(14, `BSON field '${name}' is the wrong type '${typeName(value)}', expected type 'array'`);
  return value;
}

/** Is a yes-or-no option on? Old clients send numbers for it. */
export const isOn = (value: Value): boolean => value === true || (asNumber(value) ?? 0) !== 0;
