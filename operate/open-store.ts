import { join } from 'node:path';
import { Failure } from '../cli/exit.ts';
import { startStore } from '../embedded/starter.ts';
import type { Config } from '../subgraphs/core/config.ts';
import { connectMongo, type Mongo } from '../subgraphs/core/mongo.ts';
import { holdsStore } from './store-copy.ts';

/**
 * Works on the store of these settings and closes it again: the server at MONGODB_URL, else the embedded store in the data folder, which
 * no service may be running on. Refuses a data folder without a store.
 */
export async function withStore<R>(config: Config, work: (mongo: Mongo) => Promise<R>): Promise<R> {
  const { url, stop } = config.MONGODB_URL
    ? { url: config.MONGODB_URL, stop: async () => {} }
    : await embedded(config.PDM_DATA_DIR);
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

async function embedded(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = join(dataDir, 'store');
  // The store would make a new one in its place, and that is sound.
  if (!holdsStore(folder))
    throw new Failure(
      `There is no store in ${dataDir}. Set PDM_DATA_DIR to the data folder of the service, or start the service once.`,
    );
  const store = await startStore({
    dataDir: folder,
    log: () => undefined,
    onFatal: (reason) => {
      console.error(`The embedded store ended: ${reason}`);
      process.exit(70);
    },
  });
  return { url: store.uri, stop: () => store.stop() };
}
