// Starts every role of the service as a separate process on one store.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUBGRAPHS, type SubgraphName } from '../../subgraphs/core/domain/kinds.ts';
import { readConfig } from '../../subgraphs/core/platform/config.ts';
import { createLog } from '../../subgraphs/core/platform/log.ts';
import { createServices } from '../../subgraphs/core/services.ts';
import { connectMongo } from '../../subgraphs/core/store/mongo.ts';
import { DATABASE_USERS, privilegesOf } from '../../subgraphs/core/store/schema/privileges.ts';
import type { Services } from '../../subgraphs/core/work.ts';
import { freePorts } from './free-ports.ts';
import { restrictedStore } from './restricted-store.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';
import { testServer } from './store.ts';

export type Part = SubgraphName | 'api' | 'sweeps' | 'scheduler';
export type Split = {
  url: string;
  dataDir: string;
  /** The store, connected from the test. */
  services: Services;
  /** The running processes; `start` restarts one with the same settings and port. */
  parts: Map<string, ServiceProcess>;
  start(part: Part, name?: string): Promise<ServiceProcess>;
  stop(): Promise<void>;
};

const WORKER_TOKEN = `pdm_spl1tWkr_${'w'.repeat(40)}`;

/**
 * Starts the components concurrently, each in a separate process with the privileges of its database user; they reach
 * each other at fixed addresses, in any start order. `stop` fails if the store refused a command.
 */
export async function startSplit(parts: readonly Part[], settings: Record<string, string> = {}): Promise<Split> {
  const store = await testServer();
  const dataDir = mkdtempSync(join(tmpdir(), 'pdm-split-'));
  const name = `test_${process.pid}_${Date.now().toString(36)}`;
  const database = withDatabase(store.uri, name);
  // Creates the collections, which the parts may not.
  const mongo = await connectMongo(database);
  const restricted = restrictedStore(store.uri);
  const urls = new Map<string, string>();
  for (const user of DATABASE_USERS) {
    restricted.privileges.set(user, privilegesOf(user, name));
    urls.set(user, process.env.MONGODB_URL ? database : await restricted.urlOf(user, name));
  }
  const ports = await freePorts(SUBGRAPHS.length + 2);
  const portOf = (part: Part) =>
    String(
      ports[
        part === 'api'
          ? SUBGRAPHS.length
          : part === 'scheduler'
            ? SUBGRAPHS.length + 1
            : SUBGRAPHS.indexOf(part as SubgraphName)
      ],
    );
  const environment = (part: Part): Record<string, string> => ({
    MONGODB_URL: urls.get(part) ?? urls.get('subgraphs') ?? '',
    PDM_WORKER_TOKEN: WORKER_TOKEN,
    PDM_NATS_SERVER_BIN: 'off',
    PDM_LOG_LEVEL: process.env.PDM_TEST_LOG ?? 'fatal',
    PDM_RATE_LIMIT: 'off',
    PDM_MAX_QUEUE_MS: '60000',
    PDM_MAX_CONCURRENT_REQUESTS: '10000',
    PDM_MAX_CONCURRENT_UPLOADS: '10000',
    PDM_MAX_CONCURRENT_STREAMS: '10000',
    PDM_SUBGRAPHS: SUBGRAPHS.map((name) => `${name}=http://127.0.0.1:${portOf(name)}/graphql`).join(','),
    ...(part === 'api' ? { PDM_PORT: portOf(part) } : {}),
    ...(part === 'scheduler' ? { PDM_API_URL: `http://127.0.0.1:${portOf('api')}/api/v1` } : {}),
    ...(SUBGRAPHS.includes(part as SubgraphName)
      ? { PDM_SUBGRAPH_PORT: String(Number(portOf(part)) - SUBGRAPHS.indexOf(part as SubgraphName)) }
      : { PDM_SUBGRAPH_PORT: '0' }),
    ...settings,
    PDM_ROLES: part,
  });
  const running = new Map<string, ServiceProcess>();
  const start = async (part: Part, name: string = part) => {
    const own: Record<string, string> = name === part ? {} : { PDM_PORT: '0' };
    const started = await startProcess(dataDir, { ...environment(part), ...own });
    running.set(name, started);
    return started;
  };
  const [failed] = (await Promise.allSettled(parts.map((part) => start(part)))).filter(
    (part) => part.status === 'rejected',
  );
  if (failed) {
    await Promise.all([...running.values()].map((part) => part.end('SIGKILL all')));
    await mongo.close();
    await restricted.close();
    await store.stop();
    throw failed.reason;
  }
  const config = readConfig({ ...environment('api'), PDM_DATA_DIR: dataDir, PDM_LOG: 'json' });
  return {
    url: `http://127.0.0.1:${portOf('api')}`,
    dataDir,
    services: createServices(mongo, config, createLog({ name: 'test', pretty: false, level: 'fatal' })),
    parts: running,
    start,
    stop: async () => {
      await Promise.all([...running.values()].map((part) => part.end('SIGTERM')));
      await mongo.db.dropDatabase();
      await mongo.close();
      await restricted.close();
      await store.stop();
      rmSync(dataDir, { recursive: true, force: true });
      if (restricted.refused.length) throw new Error(`the store refused:\n${restricted.refused.join('\n')}`);
    },
  };
}

/** Returns the address of a database on the server at this address. */
export function withDatabase(url: string, name: string): string {
  const [, before, rest = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?(?:[^?]*)(\?.*)?$/.exec(url) ?? [];
  if (!before) throw new Error('MONGODB_URL is not a MongoDB address');
  return `${before}/${name}${rest}`;
}
