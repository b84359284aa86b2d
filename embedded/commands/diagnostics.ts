// Diagnostic commands that shells and drivers use to identify the server.
import { hostname } from 'node:os';
import { Double } from 'bson';
import type { Collection } from '../data/catalog.ts';
import type { Call } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { int, long } from '../protocol/reply.ts';
import type { Doc } from '../values/bson.ts';
import { type Commands, collectionOf, isTrue } from './command.ts';

const VERSION = '8.0.0';

export const diagnosticCommands: Commands = {
  buildInfo: { kind: 'plain', run: buildInfo },
  buildinfo: { kind: 'plain', run: buildInfo },
  connectionStatus: {
    kind: 'plain',
    run: ({ body }) => ({
      authInfo: {
        authenticatedUsers: [],
        authenticatedUserRoles: [],
        ...(isTrue(body.showPrivileges) && { authenticatedUserPrivileges: [] }),
      },
    }),
  },
  getParameter: { kind: 'plain', run: getParameter },
  getLog: { kind: 'plain', run: () => ({ totalLinesWritten: int(0), log: [] }) },
  getCmdLineOpts: { kind: 'plain', run: () => ({ argv: ['embedded'], parsed: {} }) },
  hostInfo: {
    kind: 'plain',
    run: ({ now }) => ({
      system: { currentTime: now, hostname: hostname() },
      os: { type: process.platform },
      extra: {},
    }),
  },
  serverStatus: { kind: 'plain', run: serverStatus },
  dbStats: { kind: 'plain', run: dbStats },
  collStats: { kind: 'plain', run: collStats },
  whatsmyuri: { kind: 'plain', run: () => ({ you: 'local:0' }) },
};

function buildInfo(): Doc {
  return {
    version: VERSION,
    gitVersion: 'embedded',
    modules: ['embedded'],
    versionArray: [...VERSION.split('.').map(Number), 0].map(int),
    maxBsonObjectSize: int(LIMITS.documentBytes),
    storageEngines: ['lmdb'],
    debug: false,
    bits: int(64),
  };
}

const PARAMETERS: Doc = {
  featureCompatibilityVersion: { version: '8.0' },
  transactionLifetimeLimitSeconds: 60,
  authenticationMechanisms: [],
};

function getParameter({ body }: Call): Doc {
  if (body.getParameter === '*') return PARAMETERS;
  const known = Object.entries(PARAMETERS).filter(([name]) => name in body);
  if (known.length === 0) throw storeError(72, 'no option found to get');
  return Object.fromEntries(known);
}

function serverStatus({ store, now }: Call): Doc {
  const uptime = (now.getTime() - store.startedAt) / 1000;
  return {
    host: hostname(),
    version: VERSION,
    process: 'embedded',
    pid: long(process.pid),
    uptime: new Double(uptime),
    localTime: now,
    storageEngine: { name: 'lmdb', supportsCommittedReads: true, persistent: true },
    transactions: { currentOpen: long(store.transactions.openCount()) },
    metrics: { cursor: { open: { total: long(store.cursors.count()) } } },
  };
}

function dbStats({ store, database }: Call): Doc {
  const collections = store.catalog.all(database);
  const sum = (count: (collection: Collection) => number) =>
    long(collections.reduce((total, collection) => total + count(collection), 0));
  return {
    db: database,
    collections: long(collections.length),
    views: long(0),
    objects: sum(({ count }) => count),
    indexes: sum(({ indexes }) => indexes.length),
  };
}

async function collStats(call: Call): Promise<Doc> {
  const collection = collectionOf(call);
  await collection?.counting;
  return {
    ns: `${call.database}.${call.body.collStats}`,
    count: long(collection?.count ?? 0),
    nindexes: int(collection?.indexes.length ?? 0),
  };
}
