// Fail points for the tests of drivers: `--test-commands embedded/test/conformance/failpoints.ts`.
import { setTimeout as after } from 'node:timers/promises';
import type { Failpoints } from '../../process/store.ts';
import type { Connection } from '../../protocol/connection.ts';
import { storeError } from '../../protocol/errors.ts';
import { int } from '../../protocol/reply.ts';
import { asNumber, type Doc, getPath, isDocument, type Value } from '../../values/bson.ts';

type Failpoint = { remaining: number; data: Doc };

/** Creates the `failCommand` fail point of MongoDB, and the commands `configureFailPoint` and `killAllSessions`. */
export function createFailpoints(): Failpoints {
  let failpoint: Failpoint | undefined;
  const appNames = new WeakMap<Connection, Value>();

  function applies({ data }: Failpoint, name: string, connection: Connection): boolean {
    const { failCommands, appName } = data;
    return (
      Array.isArray(failCommands) &&
      failCommands.includes(name) &&
      (appName === undefined || appName === appNames.get(connection))
    );
  }

  return {
    runCommand({ configureFailPoint, killAllSessions, mode, data }, { transactions, cursors }) {
      if (killAllSessions) {
        transactions.abortAll();
        cursors.killAll();
        return {};
      }
      if (!configureFailPoint) return undefined;
      if (configureFailPoint !== 'failCommand') throw storeError(2, `unknown fail point: ${configureFailPoint}`);
      const times = isDocument(mode) ? (asNumber(mode.times) ?? 1) : Number.POSITIVE_INFINITY;
      failpoint = mode === 'off' ? undefined : { remaining: times, data: isDocument(data) ? data : {} };
      return { count: int(1) };
    },
    async apply(body, connection) {
      const name = Object.keys(body)[0] ?? '';
      // The handshake describes the client.
      if (isDocument(body.client)) appNames.set(connection, getPath(body.client, 'application.name')[0]);
      if (!failpoint || failpoint.remaining <= 0 || !applies(failpoint, name, connection))
        return { close: false, extraFields: {} };
      failpoint.remaining--;
      const { data } = failpoint;
      if (data.blockConnection === true) await after(asNumber(data.blockTimeMS) ?? 0);
      if (data.closeConnection === true) return { close: true, extraFields: {} };
      if (data.errorCode !== undefined) throw configuredError(name, body, data);
      const labels = Array.isArray(data.errorLabels) ? { errorLabels: data.errorLabels } : {};
      return {
        close: false,
        extraFields: isDocument(data.writeConcernError) ? { writeConcernError: data.writeConcernError, ...labels } : {},
      };
    },
  };
}

// Codes that drivers retry: the member was shutting down, not primary any more, or unreachable.
const RETRYABLE = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

// Codes after which the whole transaction is retried, even if the commit failed.
// WriteConflict, SnapshotUnavailable, NoSuchTransaction
const TRANSIENT = new Set([112, 246, 251]);

function configuredError(name: string, body: Doc, data: Doc) {
  const code = asNumber(data.errorCode) ?? 1;
  const error = storeError(code, "Failing command via 'failCommand' failpoint");
  const endsTransaction = name === 'commitTransaction' || name === 'abortTransaction';
  const inTransaction = body.autocommit === false && !endsTransaction;
  if (Array.isArray(data.errorLabels)) error.labels = data.errorLabels.map(String);
  else if (TRANSIENT.has(code) ? body.autocommit === false : inTransaction && RETRYABLE.has(code))
    error.labels = ['TransientTransactionError'];
  else if (RETRYABLE.has(code) && (endsTransaction || body.txnNumber !== undefined))
    error.labels = ['RetryableWriteError'];
  return error;
}
