import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { startStore } from '../starter.ts';

export type TestServer = { client: MongoClient; db: Db; uri: string; embedded: boolean; close(): Promise<void> };

/** A client with a database of its own: on the server at MONGODB_URL if that is set, else on an embedded store started for this file. */
export async function testServer(): Promise<TestServer> {
  const given = process.env.MONGODB_URL;
  const folder = mkdtempSync(join(tmpdir(), 'store-test-'));
  const lines: string[] = [];
  const store = given ? undefined : await startStore({ dataDir: folder, log: (line) => lines.push(line), onFatal: (reason) => lines.push(reason) });
  const uri = given ?? store!.uri;
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  const db = client.db(`embedded_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`);
  return {
    client,
    db,
    uri,
    embedded: !given,
    async close() {
      await db.dropDatabase();
      await client.close();
      await store?.stop();
      rmSync(folder, { recursive: true, force: true });
      const unexpected = lines.filter((line) => /unexpected|fatal/.test(line));
      if (unexpected.length > 0) throw new Error(`the store complained:\n${lines.join('\n')}`);
    },
  };
}
