// The handshake command.
import { ObjectId, Timestamp } from 'bson';
import type { Call } from '../process/store.ts';
import type { Doc } from '../values/bson.ts';
import { LIMITS } from './limits.ts';
import { int, long } from './reply.ts';

/** The wire version of MongoDB 8.0, with which drivers offer `bulkWrite` over several collections. */
const WIRE_VERSION = 25;
const SET_NAME = 'rs0';
const ELECTION = new ObjectId('7fffffff0000000000000001');

/**
 * Returns the handshake reply, which describes the primary of a replica set with one member. Without `setName` drivers
 * neither retry writes nor start transactions; without `logicalSessionTimeoutMinutes` they have no sessions. Without
 * `topologyVersion` drivers repeat the handshake every 10 s instead of waiting for changes.
 */
export function hello({ store, connection, now }: Call): Doc {
  const { address } = store;
  const opTime = { ts: new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 }), t: long(1) };
  return {
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    secondary: false,
    setName: SET_NAME,
    setVersion: int(1),
    hosts: [address],
    primary: address,
    me: address,
    electionId: ELECTION,
    lastWrite: { opTime, lastWriteDate: now, majorityOpTime: opTime, majorityWriteDate: now },
    maxBsonObjectSize: int(LIMITS.documentBytes),
    maxMessageSizeBytes: int(LIMITS.messageBytes),
    maxWriteBatchSize: int(LIMITS.batchStatements),
    localTime: now,
    logicalSessionTimeoutMinutes: int(30),
    connectionId: int(connection.id),
    minWireVersion: int(0),
    maxWireVersion: int(WIRE_VERSION),
    readOnly: false,
  };
}
