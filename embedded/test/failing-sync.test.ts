import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { startProcess } from './store-process.ts';

const home = mkdtempSync(join(tmpdir(), 'store-sync-'));
const library = join(home, 'failing-sync.so');
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Item = { _id: string };
const itemsOf = (client: MongoClient) => client.db('t').collection<Item>('items');

// It ends itself by SIGKILL, as an orderly exit would wait for the storage. A compiler is needed, and each of the twenty starts the store twice: STORE_FAULTS=1.
const faults = needs('long tests', Boolean(process.env.STORE_FAULTS));
describe.skipIf(faults.isMissing)(faults.title('when a sync to disk fails'), () => {
  beforeAll(
    () =>
      void execFileSync('cc', ['-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'failing-sync.c'), '-ldl']),
  );

  test.each(Array.from({ length: 20 }, (_, at) => at + 1))(
    'at sync %i, the store ends at once and keeps what it acknowledged',
    async (at) => {
      const folder = join(home, String(at));
      const acknowledged: string[] = [];
      const { uri, ended } = await startProcess(folder, { LD_PRELOAD: library, FAIL_AT: String(at) });
      if (uri) {
        const client = new MongoClient(uri, { retryWrites: false, serverSelectionTimeoutMS: 1_000 });
        const insertUntilItFails = async (worker: number) => {
          try {
            for (let i = 0; ; i++) {
              await itemsOf(client).insertOne({ _id: `${worker}-${i}` });
              acknowledged.push(`${worker}-${i}`);
            }
          } catch (error) {
            // The connection is cut without an answer: no client must learn that a write failed which may be on disk.
            expect(error).toHaveProperty('name', expect.stringMatching(/Network|ServerSelection/));
          }
        };
        await Promise.all([0, 1, 2, 3].map(insertUntilItFails));
        await client.close(true);
      }
      // While it still opens there is nothing to be answered, and it says what is wrong.
      expect(await ended).toBe(uri ? 'SIGKILL' : 70);
      const again = await startProcess(folder);
      const client = await MongoClient.connect(again.uri ?? '');
      const found = new Set((await itemsOf(client).find().toArray()).map(({ _id }) => _id));
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
      await client.close();
      again.child.kill('SIGTERM');
      expect(await again.ended).toBe(0);
    },
  );
});
