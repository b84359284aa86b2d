// The commands for handshakes, sessions and transactions.
import type { Call } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import { hello } from '../protocol/hello.ts';
import { sessionName, sessionOf, toBigInt } from '../storage/retry-record.ts';
import type { Doc } from '../values/bson.ts';
import { arrayField, type Commands } from './command.ts';

export const sessionCommands: Commands = {
  hello: { kind: 'plain', run: hello },
  isMaster: { kind: 'plain', run: hello },
  ismaster: { kind: 'plain', run: hello },
  ping: { kind: 'plain', run: () => ({}) },
  endSessions: { kind: 'plain', run: (call) => endSessions(call, 'endSessions') },
  killSessions: { kind: 'plain', run: (call) => endSessions(call, 'killSessions') },
  refreshSessions: { kind: 'plain', run: () => ({}) },
  commitTransaction: { kind: 'plain', run: commitTransaction, inTransaction: true },
  abortTransaction: { kind: 'plain', run: abortTransaction, inTransaction: true },
};

function endSessions({ store, body }: Call, field: string): Doc {
  const ended = new Set<string>();
  for (const lsid of arrayField(body, field) ?? []) {
    const session = sessionOf(lsid);
    if (!session) continue;
    store.transactions.endSession(session);
    ended.add(sessionName(session));
  }
  store.cursors.killSessions(ended);
  return {};
}

async function commitTransaction({ store, body }: Call): Promise<Doc> {
  const { session, number } = transactionOf(body);
  await store.transactions.commit(session, number, (view) => store.clock.store(view));
  return {};
}

function abortTransaction({ store, body }: Call): Doc {
  const { session, number } = transactionOf(body);
  store.transactions.abort(session, number);
  return {};
}

function transactionOf(body: Doc): { session: Uint8Array; number: bigint } {
  const session = sessionOf(body.lsid);
  if (!session || body.txnNumber === undefined || body.autocommit !== false) {
    throw storeError(72, 'commitTransaction and abortTransaction must be run within a transaction');
  }
  return { session, number: toBigInt(body.txnNumber) };
}
