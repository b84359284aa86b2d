import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CliCommand } from '../cli/command.ts';
import { CliError, EXIT } from '../cli/exit.ts';
import { createProgress } from '../cli/progress.ts';
import { formatBytes, writeJson, writeLine } from '../cli/terminal.ts';
import { type MigratedStore, MigrationRefused, migrateStore } from '../subgraphs/core/store/migration/migrate-store.ts';
import { connectServer } from '../subgraphs/core/store/mongo.ts';
import { hasStore } from './backup-files.ts';
import { startEmbedded } from './open-store.ts';
import { readSettings } from './settings.ts';

type Options = { back?: true; json?: true };

/**
 * `pdm migrate`: moves the data of the embedded store to a MongoDB server, or with `--back` from there to the data folder.
 * It can be repeated after an interruption.
 */
export const migrate: CliCommand = {
  define: (command) =>
    command
      .argument('[url]', 'URL of the MongoDB replica set or cluster; default: MONGODB_URL')
      .option('--back', 'move the data from the server to PDM_DATA_DIR')
      .option('--json', 'print the result as JSON'),
  async run(terminal, { back, json }: Options, urlArgument?: string) {
    const config = readSettings();
    const url = urlArgument ?? config.MONGODB_URL;
    if (!url) throw new CliError('Name the MongoDB server: pdm migrate mongodb://…', EXIT.usage);
    const dataDir = config.PDM_DATA_DIR;
    if (!existsSync(dataDir) || (!back && !hasStore(join(dataDir, 'store'))))
      throw new CliError(
        `There is no ${back ? 'folder' : 'store in'} ${dataDir}. Set PDM_DATA_DIR to the data folder.`,
      );
    const embedded = await connected(await startEmbedded(dataDir), `the data folder ${dataDir}`);
    try {
      const server = await connected({ url, stop: async () => {} }, `the server ${withoutCredentials(url)}`);
      try {
        const [source, target] = back ? [server, embedded] : [embedded, server];
        const progress = createProgress(terminal.err);
        const result = await migrateStore(source, target, ({ run, records, bytes }) =>
          progress.show(`${run === 1 ? 'copied' : 'compared'} ${records} records, ${formatBytes(bytes)}`),
        ).finally(progress.end);
        const { collections, records, bytes } = result;
        if (json) writeJson(terminal, { from: source.name, to: target.name, collections, records, bytes });
        else {
          writeLine(
            terminal.out,
            `Moved ${records} records of ${collections} collections (${bytes} bytes) from ${source.name} to ${target.name}, and compared every byte.`,
          );
          writeLine(
            terminal.out,
            back
              ? 'Start the service without MONGODB_URL.'
              : 'Start the service with MONGODB_URL and the same PDM_DATA_DIR, which contains the keys.',
          );
        }
        return EXIT.success;
      } finally {
        await server.close();
      }
    } catch (error) {
      throw error instanceof MigrationRefused ? new CliError(error.message) : error;
    } finally {
      await embedded.close();
    }
  },
};

type Connected = MigratedStore & { close(): Promise<void> };

async function connected({ url, stop }: { url: string; stop(): Promise<void> }, name: string): Promise<Connected> {
  try {
    const { client, db } = await connectServer(url);
    return {
      db,
      name,
      close: async () => {
        await client.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the hosts and the database of a MongoDB URL. */
function withoutCredentials(url: string): string {
  const [, hosts = '', database = ''] = /^mongodb(?:\+srv)?:\/\/(?:[^@/]*@)?([^/?]*)\/?([^?]*)/.exec(url) ?? [];
  return database ? `${hosts}/${database}` : hosts;
}
