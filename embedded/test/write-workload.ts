// A workload of concurrent writes that records what the store has acknowledged.
import { createHash, randomBytes } from 'node:crypto';
import { type ClientSession, type Db, GridFSBucket, type MongoClient, type ObjectId } from 'mongodb';

type Item = { _id: string; round: number; pad: string };
type Counter = { _id: string; v: number };
type Part = { _id: string; name: string };

/** Concurrent writers that record every acknowledged write, and a check that a store still contains these writes. */
export type WriteWorkload = {
  /** Creates the collections and the index. */
  prepare(db: Db): Promise<void>;
  /**
   * Writes until `storeEnded` rejects or `shouldContinue` returns false: 8 writers that insert documents and delete
   * some of them, 4 that increment counters, 2 with transactions, and 1 that uploads files.
   */
  run(client: MongoClient, round: number, storeEnded: Promise<never>, shouldContinue?: () => boolean): Promise<void>;
  /**
   * Returns a message for each write that was acknowledged up to this log position (default: all) and is lost, partial
   * or applied twice.
   */
  findLosses(db: Db, maxLogPosition?: number): Promise<string[]>;
  counts(): { inserted: number; removed: number; counted: number; committed: number; files: number };
};

/** Creates a workload. `logPosition` returns the current length of the write log; it is recorded with each response. */
export function createWriteWorkload({
  logPosition = () => 0,
  fileSize = 1_500_000,
}: {
  logPosition?: () => number;
  fileSize?: number;
} = {}): WriteWorkload {
  const inserted = new Map<string, number>();
  const removing = new Set<string>();
  const removed = new Map<string, number>();
  const attempted = new Map<string, number>();
  const counted: { _id: string; v: number; at: number }[] = [];
  const committed = new Map<string, number>();
  const files: { id: ObjectId; hash: string; at: number }[] = [];

  async function insertAndRemove(db: Db, _id: string, round: number, remove: boolean): Promise<void> {
    const items = db.collection<Item>('inserted');
    await items.insertOne({ _id, round, pad: 'x'.repeat(200) });
    inserted.set(_id, logPosition());
    if (!remove) return;
    removing.add(_id);
    await items.deleteOne({ _id });
    removed.set(_id, logPosition());
  }

  async function count(db: Db, _id: string): Promise<void> {
    attempted.set(_id, (attempted.get(_id) ?? 0) + 1);
    await db.collection<Counter>('counted').updateOne({ _id }, { $inc: { v: 1 } }, { upsert: true });
    counted.push({ _id, v: counted.filter((entry) => entry._id === _id).length + 1, at: logPosition() });
  }

  async function commit(db: Db, session: ClientSession, name: string): Promise<void> {
    session.startTransaction();
    for (let part = 0; part < 3; part++)
      await db.collection<Part>('committed').insertOne({ _id: `${name}-${part}`, name }, { session });
    await session.commitTransaction();
    committed.set(name, logPosition());
  }

  async function upload(db: Db): Promise<void> {
    const bytes = randomBytes(fileSize);
    const stream = new GridFSBucket(db).openUploadStream('file');
    await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject).end(bytes));
    files.push({ id: stream.id, hash: createHash('sha256').update(bytes).digest('hex'), at: logPosition() });
  }

  return {
    async prepare(db) {
      await db.collection('inserted').createIndex({ round: 1 });
      await db.createCollection('committed');
    },
    async run(client, round, storeEnded, shouldContinue = () => true) {
      const db = client.db('workload');
      // Each writer continues until the store ends. Writes without a response are not recorded.
      const untilStoreEnds = async (step: (i: number) => Promise<void>): Promise<void> => {
        try {
          // Some calls of the driver never return after its server has ended.
          for (let i = 0; shouldContinue(); i++) await Promise.race([step(i), storeEnded]);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
        }
      };
      const workers: Promise<void>[] = [];
      for (let n = 0; n < 8; n++)
        workers.push(untilStoreEnds((i) => insertAndRemove(db, `${round}-${n}-${i}`, round, i % 5 === 4)));
      for (let n = 0; n < 4; n++) workers.push(untilStoreEnds(() => count(db, `counter ${n}`)));
      for (let n = 0; n < 2; n++)
        workers.push(untilStoreEnds((i) => client.withSession((session) => commit(db, session, `${round}-${n}-${i}`))));
      workers.push(untilStoreEnds(() => upload(db)));
      await Promise.all(workers);
    },
    async findLosses(db, maxLogPosition = Number.POSITIVE_INFINITY) {
      const found: string[] = [];
      const items = db.collection<Item>('inserted');
      const present = new Set((await items.find().toArray()).map(({ _id }) => _id));
      for (const [id, at] of inserted)
        if (at <= maxLogPosition && !present.has(id) && !removing.has(id)) found.push(`insert ${id} is lost`);
      for (const [id, at] of removed)
        if (at <= maxLogPosition && present.has(id)) found.push(`deleted document ${id} still exists`);
      const byIndex = await items.find({ round: { $gte: 0 } }, { hint: 'round_1', projection: { _id: 1 } }).toArray();
      if (byIndex.length !== present.size) found.push(`the index has ${byIndex.length} of ${present.size} documents`);
      const estimate = await items.estimatedDocumentCount();
      if (estimate !== present.size) found.push(`the count is ${estimate} instead of ${present.size}`);

      const values = new Map((await db.collection<Counter>('counted').find().toArray()).map(({ _id, v }) => [_id, v]));
      for (const { _id, v, at } of counted)
        if (at <= maxLogPosition && (values.get(_id) ?? 0) < v) found.push(`${_id} has lost increment ${v}`);
      for (const [id, v] of values)
        if (v > (attempted.get(id) ?? 0)) found.push(`${id} has applied an increment twice`);

      const parts = Map.groupBy(await db.collection<Part>('committed').find().toArray(), ({ name }) => name);
      for (const [name, list] of parts) if (list.length !== 3) found.push(`transaction ${name} is partial`);
      for (const [name, at] of committed)
        if (at <= maxLogPosition && !parts.has(name)) found.push(`transaction ${name} is lost`);

      for (const { id, hash, at } of files) {
        if (at > maxLogPosition) continue;
        const digest = createHash('sha256');
        for await (const part of new GridFSBucket(db).openDownloadStream(id)) digest.update(part);
        if (digest.digest('hex') !== hash) found.push(`file ${id} has different bytes`);
      }
      return found;
    },
    counts: () => ({
      inserted: inserted.size,
      removed: removed.size,
      counted: counted.length,
      committed: committed.size,
      files: files.length,
    }),
  };
}
