import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../app/start-service.ts';
import type { Role } from '../../subgraphs/core/domain/access/permissions.ts';
import { SUBGRAPHS } from '../../subgraphs/core/domain/kinds.ts';
import { configureLibraries, readConfig } from '../../subgraphs/core/platform/config.ts';
import { createLog } from '../../subgraphs/core/platform/log.ts';
import type { Services } from '../../subgraphs/core/work.ts';
import { issueTokenTo } from '../../subgraphs/documents/access/issue-token.ts';
import { type Client, client } from './client.ts';
import { watchQueries } from './query-plans.ts';
import { startSplit, withDatabase } from './split.ts';

export type Pdm = {
  /** http://127.0.0.1:<port> */
  url: string;
  /** Clients of /api/v1, one for each role, and one without a token. */
  admin: Client;
  editor: Client;
  viewer: Client;
  worker: Client;
  anonymous: Client;
  tokens: Record<Role, string>;
  services: Services;
  close(): Promise<void>;
};

/**
 * Starts the whole service in this process, on free ports and a new data folder: the embedded store, or a new database
 * on the server at MONGODB_URL. The scheduler, a separate process, runs only on request. On the embedded store `close`
 * fails if a query used no index.
 */
export async function startPdm({
  scheduler = false,
  monitorCommands = false,
  settings = {} as Record<string, string>,
} = {}): Promise<Pdm> {
  configureLibraries();
  if (process.env.PDM_TEST_SPLIT) return startSeparately({ scheduler, settings });
  const dataDir = mkdtempSync(join(tmpdir(), 'pdm-test-'));
  const server = process.env.MONGODB_URL;
  const config = readConfig({
    PDM_PORT: '0',
    PDM_RATE_LIMIT: 'off',
    PDM_MAX_QUEUE_MS: '60000',
    PDM_MAX_CONCURRENT_REQUESTS: '10000',
    PDM_MAX_CONCURRENT_UPLOADS: '10000',
    PDM_MAX_CONCURRENT_STREAMS: '10000',
    PDM_SCHEDULER_PORT: '0',
    PDM_DATA_DIR: dataDir,
    PDM_ROLES: scheduler ? 'store,api,sweeps,scheduler' : 'store,api,sweeps',
    PDM_LOG: 'json',
    PDM_LOG_LEVEL: process.env.PDM_TEST_LOG ?? 'fatal',
    // a sandbox for each conversion has a test of its own and costs the others a second
    PDM_SANDBOX_IMPORT: 'limited',
    ...(server ? { MONGODB_URL: withDatabase(server, `test_${process.pid}_${Date.now().toString(36)}`) } : {}),
    ...settings,
  });
  const log = createLog({ name: 'test', pretty: false, level: config.PDM_LOG_LEVEL });
  const service = await startService(config, log, onFatal, { monitorCommands: true, quiet: monitorCommands });
  const { services } = service;
  const queries = watchQueries(services.mongo.client);
  const tokens = await tokensFor(services, service.addresses.api ?? '', service.firstToken ?? '');
  return {
    ...clientsOf(service.addresses.api ?? '', tokens),
    services,
    close: async () => {
      // another server may choose other plans
      const unplanned = server ? [] : await queries.unplanned(services.mongo.db);
      if (server) await services.mongo.db.dropDatabase();
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
      if (unplanned.length > 0) throw new Error(`no index answers:\n${unplanned.join('\n')}`);
    },
  };
}

/** Starts the service with every role in a separate process; PDM_TEST_LOG names the component whose log is printed. */
async function startSeparately({
  scheduler,
  settings,
}: {
  scheduler: boolean;
  settings: Record<string, string>;
}): Promise<Pdm> {
  const split = await startSplit(
    [...SUBGRAPHS, 'api', 'sweeps', ...(scheduler ? (['scheduler'] as const) : [])],
    settings,
  );
  const tokens = await tokensFor(split.services, split.url, split.parts.get('api')?.token() ?? '');
  return { ...clientsOf(split.url, tokens), services: split.services, close: split.stop };
}

async function tokensFor(services: Services, url: string, firstToken: string): Promise<Record<Role, string>> {
  const { body } = await client(`${url}/api/v1`, firstToken).post('/setup', { name: 'Administrator' });
  return {
    admin: body.token,
    editor: await issueTokenTo(services, { role: 'editor', name: 'Ed Editor', days: 1 }),
    viewer: await issueTokenTo(services, { role: 'viewer', name: 'Vi Viewer', days: 1 }),
    worker: await issueTokenTo(services, { role: 'worker', name: 'Wo Worker', days: 1 }),
  };
}

function clientsOf(url: string, tokens: Record<Role, string>): Omit<Pdm, 'services' | 'close'> {
  const as = (token?: string) => client(`${url}/api/v1`, token);
  const { admin, editor, viewer, worker } = tokens;
  return { url, tokens, admin: as(admin), editor: as(editor), viewer: as(viewer), worker: as(worker), anonymous: as() };
}

function onFatal(reason: string): never {
  throw new Error(reason);
}
