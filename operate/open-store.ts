import { join } from 'node:path';
import { CliError } from '../cli/exit.ts';
import { startStore } from '../embedded/process/supervisor.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import { connectMongo, type Mongo } from '../subgraphs/core/store/mongo.ts';
import { hasStore } from './backup-files.ts';

/**
 * Connects to the server at MONGODB_URL, or else starts the embedded store, and closes it after `work`.
 * Throws if the data folder has no store, or if a service is running on it.
 */
export async function withStore<R>(config: Config, work: (mongo: Mongo) => Promise<R>): Promise<R> {
  const { url, stop } = config.MONGODB_URL
    ? { url: config.MONGODB_URL, stop: async () => {} }
    : await startExisting(config.PDM_DATA_DIR);
  try {
    const mongo = await connectMongo(url);
    try {
      return await work(mongo);
    } finally {
      await mongo.close();
    }
  } finally {
    await stop();
  }
}

async function startExisting(dataDir: string): ReturnType<typeof startEmbedded> {
  if (!hasStore(join(dataDir, 'store')))
    throw new CliError(`There is no store in ${dataDir}. Set PDM_DATA_DIR to the data folder of the service.`);
  return startEmbedded(dataDir);
}

/** Starts the embedded store of a data folder, or creates it. Throws if a service is running on it. */
export async function startEmbedded(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const store = await startStore({
    dataDir: join(dataDir, 'store'),
    log: () => undefined,
    onFatal: (reason) => {
      console.error(`The embedded store stopped: ${reason}`);
      process.exit(70);
    },
  });
  return { url: store.uri, stop: () => store.stop() };
}
