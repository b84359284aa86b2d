import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStore } from '../../embedded/process/supervisor.ts';
import { localDispatch } from '../../subgraphs/core/platform/dispatch-local.ts';
import { createLog } from '../../subgraphs/core/platform/log.ts';
import { deriveLinkKey } from '../../subgraphs/core/platform/signed-link.ts';
import { deriveWebhookKey } from '../../subgraphs/core/platform/webhook-secret.ts';
import { connectMongo } from '../../subgraphs/core/store/mongo.ts';
import type { Limits, Services } from '../../subgraphs/core/work.ts';

const LIMITS: Limits = {
  maxUploadBytes: 2 ** 31,
  leaseSeconds: 60,
  reservationSeconds: 900,
  revisionScheme: 'asme',
  releasePolicy: 'warn',
  ofbWorker: 'none',
  git: { hosts: null, networks: [], local: [], caFile: null },
};

export type TestStore = { services: Services; uri: string; close(): Promise<void> };

/**
 * The real store with a new database: on the server at MONGODB_URL if it is set, else on an embedded store started for
 * this file. `close` drops the database.
 */
export async function testStore({
  monitorCommands = false,
  leaseSeconds = 60,
  clock = () => new Date(),
  limits = {} as Partial<Limits>,
} = {}): Promise<TestStore> {
  const log = createLog({ name: 'test', pretty: false, level: process.env.PDM_TEST_LOG ?? 'fatal' });
  const { uri, stop } = await testServer();
  const name = `test_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  const mongo = await connectMongo(uri, { name, monitorCommands });
  const dispatch = localDispatch();
  const keys = generateKeyPairSync('ed25519');
  const sealing = { signingKey: () => keys.privateKey, publicKey: () => keys.publicKey, checkpointFile: null };
  const links = { key: deriveLinkKey(randomBytes(32)), publicUrl: null };
  const webhooks = { key: deriveWebhookKey(randomBytes(32)), networks: ['127.0.0.1'], trust: null };
  const services: Services = {
    mongo,
    dispatch,
    log,
    backups: () => null,
    isStoreFull: () => false,
    clock,
    firstTokenFile: join(tmpdir(), name, 'first-token'),
    sealing,
    links,
    webhooks,
    limits: { ...LIMITS, leaseSeconds, ...limits },
  };
  return {
    services,
    uri,
    close: async () => {
      dispatch.close();
      await mongo.db.dropDatabase();
      await mongo.close();
      await stop();
    },
  };
}

/** The address of a database server for tests, and a function that ends it. */
export async function testServer(): Promise<{ uri: string; stop(): Promise<void> }> {
  const given = process.env.MONGODB_URL;
  if (given) return { uri: given, stop: async () => {} };
  const dataDir = mkdtempSync(join(tmpdir(), 'pdm-test-'));
  const lines: string[] = [];
  const store = await startStore({
    dataDir,
    log: (line) => void lines.push(line),
    onFatal: (reason) => {
      throw new Error(`the embedded store ended: ${reason}\n${lines.slice(-20).join('\n')}`);
    },
  });
  return {
    uri: store.uri,
    stop: async () => {
      await store.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The request context of a user with this role, as commands and reads receive it. */
export function requestAs(role: 'viewer' | 'editor' | 'admin' | 'worker', id = `usr_${role}`) {
  return {
    actor: { id, name: role, role, tokenId: `tok_${id}`, via: 'token' as const },
    requestId: 'test-request',
    signal: new AbortController().signal,
  };
}
