import { setTimeout as after } from 'node:timers/promises';
import { asNumber, type Doc, isDocument } from '../values/bson.ts';
import type { Connection } from './connection.ts';
import { storeError } from './errors.ts';
import { int } from './reply.ts';

/** Faults on demand, for tests of drivers and of the service (`--test-commands`): the `failCommand` of MongoDB. */
export type Failpoints = {
  configure(body: Doc): Doc;
  /** Fails, delays or closes what the fault says; answers what to add to the reply of a command that runs. */
  meet(body: Doc, connection: Connection): Promise<{ close: boolean; addition: Doc }>;
};

type Fault = { left: number; data: Doc };

export function createFailpoints(): Failpoints {
  let fault: Fault | undefined;

  function applies({ data }: Fault, name: string, connection: Connection): boolean {
    const { failCommands, appName } = data;
    return (
      Array.isArray(failCommands) &&
      failCommands.includes(name) &&
      (appName === undefined || appName === connection.appName)
    );
  }

  return {
    configure({ configureFailPoint, mode, data }) {
      if (configureFailPoint !== 'failCommand') throw storeError(2, `the failpoint ${configureFailPoint} is not known`);
      const times = isDocument(mode) ? (asNumber(mode.times) ?? 1) : Number.POSITIVE_INFINITY;
      fault = mode === 'off' ? undefined : { left: times, data: isDocument(data) ? data : {} };
      return { count: int(1) };
    },
    async meet(body, connection) {
      const name = Object.keys(body)[0] ?? '';
      if (!fault || fault.left <= 0 || !applies(fault, name, connection)) return { close: false, addition: {} };
      fault.left--;
      const { data } = fault;
      if (data.blockConnection === true) await after(asNumber(data.blockTimeMS) ?? 0);
      if (data.closeConnection === true) return { close: true, addition: {} };
      if (data.errorCode !== undefined) throw faultError(name, body, data);
      const labels = Array.isArray(data.errorLabels) ? { errorLabels: data.errorLabels } : {};
      return {
        close: false,
        addition: isDocument(data.writeConcernError) ? { writeConcernError: data.writeConcernError, ...labels } : {},
      };
    },
  };
}

// Codes after which a driver tries again: the member was shutting down, no longer primary, or out of reach.
const RETRYABLE = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

// Codes after which a whole transaction is started again, also when its commit met them.
const TRANSIENT = new Set([112, 246, 251]);

function faultError(name: string, body: Doc, data: Doc) {
  const code = asNumber(data.errorCode) ?? 1;
  const error = storeError(code, "Failing command via 'failCommand' failpoint");
  const ends = name === 'commitTransaction' || name === 'abortTransaction';
  const inTransaction = body.autocommit === false && !ends;
  if (Array.isArray(data.errorLabels)) error.labels = data.errorLabels.map(String);
  else if (TRANSIENT.has(code) ? body.autocommit === false : inTransaction && RETRYABLE.has(code))
    error.labels = ['TransientTransactionError'];
  else if (RETRYABLE.has(code) && (ends || body.txnNumber !== undefined)) error.labels = ['RetryableWriteError'];
  return error;
}
