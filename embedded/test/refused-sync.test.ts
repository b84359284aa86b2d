import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { startProcess } from './store-process.ts';

const home = mkdtempSync(join(tmpdir(), 'store-refused-'));
const library = join(home, 'failing-sync.so');
const compiler = needs('cc');
afterAll(() => rmSync(home, { recursive: true, force: true }));

// Each starts the store twice: STORE_FAULTS=1 for every place. The last is a sync of the journal, after those that make the files.
const PLACES = process.env.STORE_FAULTS ? Array.from({ length: 16 }, (_, at) => at + 1) : [16];

describe.skipIf(compiler.isMissing)(
  compiler.title('when the disk has no room from one sync on'),
  { timeout: 30_000 },
  () => {
    beforeAll(
      () =>
        void execFileSync('cc', [
          '-shared',
          '-fPIC',
          '-o',
          library,
          join(import.meta.dirname, 'failing-sync.c'),
          '-ldl',
        ]),
    );

    test.each(PLACES)(
      'at sync %i, what was refused is not there after a kill, and all that was answered is',
      async (at) => {
        const folder = join(home, String(at));
        const environment = { LD_PRELOAD: library, FAIL_AT: String(at), FAIL_WITH: String(constants.errno.ENOSPC) };
        const store = await startProcess(folder, environment);
        // Nothing was made yet that could be opened.
        if (!store.uri) return expect(await store.ended).toBe(70);
        const client = await MongoClient.connect(store.uri, { retryWrites: false });
        const answered: number[] = [];
        const refused: number[] = [];
        for (let _id = 0; refused.length === 0 && _id < 30; _id++) {
          const inserted = client.db('t').collection<{ _id: number }>('items').insertOne({ _id });
          await inserted.then(
            () => answered.push(_id),
            (error: unknown) => {
              expect(error).toMatchObject({ code: 14031 });
              refused.push(_id);
            },
          );
        }
        if (at === PLACES.at(-1)) expect(refused).toHaveLength(1);
        const found = (from: MongoClient) => from.db('t').collection<{ _id: number }>('items').distinct('_id');
        expect(await found(client)).toEqual(answered);
        store.child.kill('SIGKILL');
        await Promise.all([client.close(true), store.ended]);

        const again = await startProcess(folder);
        const reader = await MongoClient.connect(again.uri ?? '');
        expect(await found(reader)).toEqual(answered);
        await reader.close();
        again.child.kill('SIGTERM');
        expect(await again.ended).toBe(0);
      },
    );
  },
);
