import { Binary } from 'bson';
import { asNumber, type Doc, isDocument, isNumber, typeName, type Value } from '../values/bson.ts';
import { notImplemented, storeError } from './errors.ts';
import { READ_CONCERNS } from './promise.ts';

/**
 * Compares what any command may carry with the promise, before anything runs: the database (73), the session and its numbers (72, 207), read and write
 * concern, read preference, time limit and version of the API. The types of the fields have been compared already.
 */
export function checkCommonFields(body: Doc): void {
  const { $db, lsid, $readPreference, readConcern, writeConcern, maxTimeMS, apiVersion } = body;
  if (typeof $db === 'string' && $db !== lastGood) checkDatabase($db);
  if (isDocument(lsid)) checkSession(lsid);
  checkNumbers(body);
  if (isDocument($readPreference)) checkReadPreference($readPreference);
  if (isDocument(readConcern)) checkReadConcern(readConcern);
  if (isDocument(writeConcern)) checkWriteConcern(writeConcern);
  if (maxTimeMS !== undefined && (asNumber(maxTimeMS) ?? 0) < 0)
    throw storeError(2, `Can't have negative value for maxTimeMS: ${maxTimeMS}`);
  if (apiVersion !== undefined && apiVersion !== '1')
    throw storeError(322, `API version must be "1", found: ${apiVersion}`);
}

/** What is said of a write whose acknowledgement asks for more than there is: one member, and no rules with names. The write itself is done. */
export function lackingAcknowledgement({
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

const LONGEST_DATABASE = 63;
// Clients work in one database for long.
let lastGood: string | undefined;

function checkDatabase(name: string): void {
  if (name === '' || Buffer.byteLength(name) > LONGEST_DATABASE || /[\0 "$./\\]/.test(name))
    throw storeError(73, `Invalid database name: '${name}'`);
  lastGood = name;
}

function checkSession(lsid: Doc): void {
  for (const field of Object.keys(lsid)) if (field !== 'id') throw notImplemented(`lsid with ${field}`);
  const { id } = lsid;
  if (id === undefined) throw storeError(40414, "BSON field 'lsid.id' is missing but a required field");
  if (!(id instanceof Binary)) throw wrongType('lsid.id', id, 'binData');
  if (id.sub_type !== Binary.SUBTYPE_UUID || id.position !== 16)
    throw storeError(207, 'uuid must be a 16-byte binary field with UUID (4) subtype');
}

function checkNumbers({ lsid, txnNumber, autocommit, startTransaction }: Doc): void {
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

const PREFERENCES = ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'];

// There is one member, which is good for all of them.
function checkReadPreference({ mode }: Doc): void {
  if (!PREFERENCES.includes(String(mode)))
    throw storeError(2, `Enumeration value '${mode}' for field '$readPreference.mode' is not a valid value.`);
}

function checkReadConcern(concern: Doc): void {
  for (const field of Object.keys(concern)) {
    if (!['level', 'afterClusterTime'].includes(field)) throw notImplemented(`readConcern with ${field}`);
  }
  const { level } = concern;
  if (level !== undefined && !READ_CONCERNS.has(String(level))) {
    throw storeError(9, `Enumeration value '${level}' for field 'readConcern.level' is not a valid value.`);
  }
}

const MOST_MEMBERS = 50;

// Whatever it asks for is kept: every acknowledged write is on disk. So it only has to be one.
function checkWriteConcern(concern: Doc): void {
  for (const [field, value] of Object.entries(concern)) {
    if (value === undefined || value === null) continue;
    if (field === 'w') checkWitnesses(value);
    else if (field === 'wtimeout' || field === 'wtimeoutMS') isOfType(field, value, isNumber(value), 'number');
    else if (field === 'j' || field === 'fsync')
      isOfType(field, value, typeof value === 'boolean' || isNumber(value), 'bool');
    else throw storeError(40415, `BSON field 'writeConcern.${field}' is an unknown field.`);
  }
}

function checkWitnesses(w: Value): void {
  if (isDocument(w)) throw notImplemented('a write concern by tags');
  if (typeof w !== 'string' && !isNumber(w))
    throw storeError(9, `w has to be a number, string, or object; found: ${typeName(w)}`);
  const members = asNumber(w) ?? 0;
  if (!(members >= 0 && members <= MOST_MEMBERS))
    throw storeError(9, `w has to be a non-negative number and not greater than ${MOST_MEMBERS}; found: ${members}`);
}

function isOfType(field: string, value: Value, fits: boolean, expected: string): void {
  if (!fits) throw wrongType(`writeConcern.${field}`, value, expected);
}

/** The refusal of a field of the wrong type. */
export const wrongType = (where: string, value: Value, expected: string) =>
  storeError(14, `BSON field '${where}' is the wrong type '${typeName(value)}', expected type '${expected}'`);
