import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../gateway/roles.ts';
import { quietLibraries, readConfig } from '../../subgraphs/core/config.ts';
import type { Role } from '../../subgraphs/core/domain/permissions.ts';
import { createLog } from '../../subgraphs/core/log.ts';
import type { Services } from '../../subgraphs/core/work.ts';
import { issueTokenTo } from '../../subgraphs/documents/issue-token.ts';
import { type Client, client } from './client.ts';

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
 * The whole service in this process, on free ports and a data folder of its own: the embedded store, or a database of its own on
 * the server at MONGODB_URL. The scheduler, a process of its own, runs only when asked for.
 */
export async function startPdm({ scheduler = false, monitorCommands = false, settings = {} as Record<string, string> } = {}): Promise<Pdm> {
  quietLibraries();
  const dataDir = mkdtempSync(join(tmpdir(), 'pdm-test-'));
  const server = process.env.MONGODB_URL;
  const config = readConfig({
    PDM_PORT: '0',
    PDM_SCHEDULER_PORT: '0',
    PDM_DATA_DIR: dataDir,
    PDM_ROLES: scheduler ? 'store,api,sweeps,scheduler' : 'store,api,sweeps',
    PDM_LOG: 'json',
    PDM_LOG_LEVEL: process.env.PDM_TEST_LOG ?? 'fatal',
    ...(server ? { MONGODB_URL: withDatabase(server, `test_${process.pid}_${Date.now().toString(36)}`) } : {}),
    ...settings,
  });
  const log = createLog({ name: 'test', pretty: false, level: config.PDM_LOG_LEVEL });
  const service = await startService(config, log, onFatal, { monitorCommands });
  const { services } = service;
  const tokens = {
    admin: service.firstToken ?? '',
    editor: await issueTokenTo(services, { role: 'editor', name: 'Ed Editor', days: 1 }),
    viewer: await issueTokenTo(services, { role: 'viewer', name: 'Vi Viewer', days: 1 }),
    worker: await issueTokenTo(services, { role: 'worker', name: 'Wo Worker', days: 1 }),
  };
  const url = service.addresses.api ?? '';
  const as = (token?: string) => client(`${url}/api/v1`, token);
  return {
    url,
    tokens,
    services,
    admin: as(tokens.admin),
    editor: as(tokens.editor),
    viewer: as(tokens.viewer),
    worker: as(tokens.worker),
    anonymous: as(),
    close: async () => {
      if (server) await services.mongo.db.dropDatabase();
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function onFatal(reason: string): never {
  throw new Error(reason);
}

function withDatabase(url: string, name: string): string {
  const [, before, rest = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?(?:[^?]*)(\?.*)?$/.exec(url) ?? [];
  if (!before) throw new Error('MONGODB_URL is not a MongoDB address');
  return `${before}/${name}${rest}`;
}
