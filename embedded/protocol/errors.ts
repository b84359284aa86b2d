// The errors that the store reports to clients.
import type { Doc } from '../values/bson.ts';

/**
 * An error reply (`ok: 0`) with the code, code name and labels that drivers evaluate. Any other exception is a bug in
 * the store.
 */
export class StoreError extends Error {
  code: number;
  codeName: string;
  labels: string[] = [];
  extra?: Doc;

  constructor(code: number, message: string, extra?: Doc) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
    this.codeName = CODE_NAMES[code] ?? `Location${code}`;
    if (extra) this.extra = extra;
  }
}

/**
 * Creates an error; `extra` has further fields of the reply, such as `keyPattern` and `keyValue` of a duplicate key.
 */
export function storeError(code: number, message: string, extra?: Doc): StoreError {
  return new StoreError(code, message, extra);
}

/** Creates the error for a MongoDB feature that this store does not support. */
export function notImplemented(what: string): StoreError {
  return new StoreError(238, `embedded store: ${what} is not implemented; set MONGODB_URL to use a MongoDB server`);
}

/** Creates the error of a MongoDB server without a search service. */
export function searchNotEnabled(): StoreError {
  return new StoreError(
    31082,
    'Search commands and stages require additional configuration: connect to Atlas or an AtlasCLI local deployment to enable them.',
  );
}

/** Creates the error for a key that another transaction wrote first; the driver retries the whole transaction. */
export const writeConflict = (): StoreError =>
  transient(112, 'Write conflict during plan execution. Please retry your operation or multi-document transaction.');

/** Creates the error for a transaction that is not open (any more); the driver retries it. */
export const noSuchTransaction = (message: string): StoreError => transient(251, message);

function transient(code: number, message: string): StoreError {
  const error = new StoreError(code, message);
  error.labels = ['TransientTransactionError'];
  return error;
}

// The code names of MongoDB 8.0. As in MongoDB, a code without a name is called `Location<code>`.
const CODE_NAMES: { [code: number]: string } = Object.fromEntries(
  [
    '1 InternalError, 2 BadValue, 9 FailedToParse, 13 Unauthorized, 14 TypeMismatch, 15 Overflow, 16 InvalidLength',
    '22 InvalidBSON, 26 NamespaceNotFound, 27 IndexNotFound, 28 PathNotViable, 40 ConflictingUpdateOperators',
    '43 CursorNotFound, 50 MaxTimeMSExpired, 52 DollarPrefixedFieldName, 53 InvalidIdField, 54 NotSingleValueField',
    '56 EmptyFieldName, 66 ImmutableField, 67 CannotCreateIndex, 72 InvalidOptions, 73 InvalidNamespace',
    '79 UnknownReplWriteConcern, 85 IndexOptionsConflict, 86 IndexKeySpecsConflict, 91 ShutdownInProgress',
    '100 UnsatisfiableWriteConcern, 112 WriteConflict, 117 ConflictingOperationInProgress',
    '171 CannotIndexParallelArrays, 175 QueryPlanKilled, 207 InvalidUUID, 224 QueryFeatureNotAllowed',
    '225 TransactionTooOld, 237 CursorKilled, 238 NotImplemented, 246 SnapshotUnavailable, 251 NoSuchTransaction',
    '256 TransactionCommitted, 257 TransactionTooLarge, 263 OperationNotSupportedInTransaction, 276 IndexBuildAborted',
    '291 NoQueryExecutionPlans, 292 QueryExceededMemoryLimitNoDiskUseAllowed, 322 APIVersionError',
    '10107 NotWritablePrimary, 10334 BSONObjectTooLarge, 11000 DuplicateKey, 11600 InterruptedAtShutdown',
    '11601 Interrupted, 12051 CursorInUse, 14031 OutOfDiskSpace, 31082 SearchNotEnabled, 40414 IDLFailedToParse',
  ]
    .join(', ')
    .split(', ')
    .map((pair) => pair.split(' ')),
);
