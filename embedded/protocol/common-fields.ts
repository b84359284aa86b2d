// Validates the fields that every command may have.
import { asNumber, type Doc, isDocument } from '../values/bson.ts';
import { storeError } from './errors.ts';
import { READ_CONCERNS } from './supported-features.ts';

/**
 * Validates the values of the fields that every command may have: the database (InvalidNamespace), transaction number
 * (InvalidOptions), read and write concern, read preference, time limit and API version. Their types must have been
 * validated.
 */
export function validateCommonFields(body: Doc): void {
  const { $db, $readPreference, readConcern, writeConcern, maxTimeMS, apiVersion } = body;
  if (typeof $db === 'string' && $db !== lastValidDatabase) validateDatabaseName($db);
  validateTransactionFields(body);
  if (isDocument($readPreference)) validateReadPreference($readPreference);
  if (isDocument(readConcern)) validateReadConcern(readConcern);
  if (isDocument(writeConcern)) validateWriteConcern(writeConcern);
  if (maxTimeMS !== undefined && (asNumber(maxTimeMS) ?? 0) < 0)
    throw storeError(2, `Can't have negative value for maxTimeMS: ${maxTimeMS}`);
  if (apiVersion !== undefined && apiVersion !== '1')
    throw storeError(322, `API version must be "1", found: ${apiVersion}`);
}

/**
 * Returns the `writeConcernError` of a write concern with a named mode or more than one member; undefined for others.
 * The write itself has taken effect.
 */
export function findWriteConcernError({
  writeConcern,
}: Doc): { code: number; codeName: string; errmsg: string } | undefined {
  if (!isDocument(writeConcern)) return undefined;
  const { w } = writeConcern;
  if (typeof w === 'string' && w !== 'majority')
    return {
      code: 79,
      codeName: 'UnknownReplWriteConcern',
      errmsg: `No write concern mode named '${w}' found in replica set configuration`,
    };
  return (asNumber(w) ?? 0) > 1
    ? { code: 100, codeName: 'UnsatisfiableWriteConcern', errmsg: 'Not enough data-bearing nodes' }
    : undefined;
}

const MAX_DATABASE_NAME_BYTES = 63;
// Clients rarely change the database.
let lastValidDatabase: string | undefined;

function validateDatabaseName(name: string): void {
  if (name === '' || Buffer.byteLength(name) > MAX_DATABASE_NAME_BYTES || /[\0 "$./\\]/.test(name))
    throw storeError(73, `Invalid database name: '${name}'`);
  lastValidDatabase = name;
}

function validateTransactionFields({ lsid, txnNumber, autocommit, startTransaction }: Doc): void {
  if (autocommit !== undefined && autocommit !== false)
    throw storeError(72, "Specifying 'autocommit: true' is not allowed.");
  if (startTransaction !== undefined && startTransaction !== true)
    throw storeError(72, "Specifying 'startTransaction: false' is not allowed.");
  if (txnNumber !== undefined && lsid === undefined)
    throw storeError(72, 'Transaction number requires a session ID to also be specified');
  if (txnNumber !== undefined && (asNumber(txnNumber) ?? 0) < 0)
    throw storeError(72, 'Transaction number cannot be negative');
  if (autocommit !== undefined && txnNumber === undefined)
    throw storeError(72, "'autocommit' field requires a transaction number to also be specified");
  if (startTransaction !== undefined && autocommit === undefined)
    throw storeError(72, "'startTransaction' field requires 'autocommit' field to also be specified");
}

const READ_PREFERENCE_MODES = ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'];

// The single member of the replica set satisfies every read preference, so only the name of the mode is validated.
function validateReadPreference({ mode }: Doc): void {
  if (!READ_PREFERENCE_MODES.includes(String(mode)))
    throw storeError(2, `Enumeration value '${mode}' for field '$readPreference.mode' is not a valid value.`);
}

function validateReadConcern(concern: Doc): void {
  const { level } = concern;
  if (level !== undefined && !READ_CONCERNS.has(String(level))) {
    throw storeError(9, `Enumeration value '${level}' for field 'readConcern.level' is not a valid value.`);
  }
}

const MAX_MEMBERS = 50;

// Every acknowledged write is on disk, which satisfies any write concern. Only its form is validated.
function validateWriteConcern({ w }: Doc): void {
  const members = asNumber(w) ?? 0;
  if (!(members >= 0 && members <= MAX_MEMBERS))
    throw storeError(9, `w has to be a non-negative number and not greater than ${MAX_MEMBERS}; found: ${members}`);
}
