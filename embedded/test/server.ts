// The server that the tests run against, and test documents.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Collection,
  type Db,
  type Document,
  MongoClient,
  MongoServerError,
  type ObjectId,
  type OptionalUnlessRequiredId,
} from 'mongodb';
import { startStore } from '../process/supervisor.ts';

export type TestServer = {
  client: MongoClient;
  db: Db;
  uri: string;
  embedded: boolean;
  /** Creates a collection for one test, with these documents. */
  collectionWith<Item extends Document>(documents?: Item[]): Promise<Collection<Item>>;
  close(): Promise<void>;
};

export type Item = Document & { _id: string | number | ObjectId };

/** Creates documents numbered from zero. */
export const numbered = (count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ _id: n, n, even: n % 2 === 0 }));

/** Returns the error code of a rejected command; undefined if it succeeds. */
export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof MongoServerError ? error.code : error),
  );

/**
 * Connects to a new database on the server at MONGODB_URL, if set, or on an embedded store started for this test file.
 */
export async function testServer(): Promise<TestServer> {
  const given = process.env.MONGODB_URL;
  const folder = mkdtempSync(join(tmpdir(), 'store-test-'));
  const lines: string[] = [];
  const store = given
    ? undefined
    : await startStore({ dataDir: folder, log: (line) => lines.push(line), onFatal: (reason) => lines.push(reason) });
  const uri = given ?? store!.uri;
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  let collections = 0;
  const db = client.db(`embedded_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`);
  return {
    client,
    db,
    uri,
    embedded: !given,
    async collectionWith<Item extends Document>(documents: Item[] = []) {
      const collection = db.collection<Item>(`items${collections++}`);
      if (documents.length > 0) await collection.insertMany(documents as OptionalUnlessRequiredId<Item>[]);
      return collection;
    },
    async close() {
      await db.dropDatabase();
      await client.close();
      await store?.stop();
      rmSync(folder, { recursive: true, force: true });
      const unexpected = lines.filter((line) => /unexpected|fatal/.test(line));
      if (unexpected.length > 0) throw new Error(`the store reported errors:\n${lines.join('\n')}`);
    },
  };
}
