import { createHash, randomBytes } from 'node:crypto';
import { type ClientSession, type Db, GridFSBucket, type MongoClient, type ObjectId } from 'mongodb';

type Item = { _id: string; round: number; pad: string };
type Counter = { _id: string; v: number };
type Part = { _id: string; name: string };

/** Clients that write, and the memory of what they were answered; `problems` compares it with what a store holds later. */
export type Acknowledged = {
  /** Makes the collections and the index. */
  prepare(db: Db): Promise<void>;
  /** Writes until `gone` is rejected or `going` says no: 8 inserters that delete some of theirs, 4 counters, 2 transactions, 1 upload. */
  work(client: MongoClient, round: number, gone: Promise<never>, going?: () => boolean): Promise<void>;
  /** One sentence for each thing that is lost, half there or there twice, of all that was acknowledged before this place. */
  problems(db: Db, place?: number): Promise<string[]>;
  counts(): { inserted: number; removed: number; counted: number; committed: number; files: number };
};

/** `place` is the position of the disk when the response arrived. */
export function acknowledged({
  place = () => 0,
  fileSize = 1_500_000,
}: {
  place?: () => number;
  fileSize?: number;
} = {}): Acknowledged {
  const inserted = new Map<string, number>();
  const removing = new Set<string>();
  const removed = new Map<string, number>();
  const attempted = new Map<string, number>();
  const counted: { _id: string; v: number; at: number }[] = [];
  const committed = new Map<string, number>();
  const files: { id: ObjectId; hash: string; at: number }[] = [];

  async function insertAndRemove(db: Db, _id: string, round: number, also: boolean): Promise<void> {
    const items = db.collection<Item>('inserted');
    await items.insertOne({ _id, round, pad: 'x'.repeat(200) });
    inserted.set(_id, place());
    if (!also) return;
    removing.add(_id);
    await items.deleteOne({ _id });
    removed.set(_id, place());
  }

  async function count(db: Db, _id: string): Promise<void> {
    attempted.set(_id, (attempted.get(_id) ?? 0) + 1);
    await db.collection<Counter>('counted').updateOne({ _id }, { $inc: { v: 1 } }, { upsert: true });
    counted.push({ _id, v: counted.filter((one) => one._id === _id).length + 1, at: place() });
  }

  async function commit(db: Db, session: ClientSession, name: string): Promise<void> {
    session.startTransaction();
    for (let part = 0; part < 3; part++)
      await db.collection<Part>('committed').insertOne({ _id: `${name}-${part}`, name }, { session });
    await session.commitTransaction();
    committed.set(name, place());
  }

  async function upload(db: Db): Promise<void> {
    const bytes = randomBytes(fileSize);
    const stream = new GridFSBucket(db).openUploadStream('file');
    await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject).end(bytes));
    files.push({ id: stream.id, hash: createHash('sha256').update(bytes).digest('hex'), at: place() });
  }

  return {
    async prepare(db) {
      await db.collection('inserted').createIndex({ round: 1 });
      await db.createCollection('committed');
    },
    async work(client, round, gone, going = () => true) {
      const db = client.db('kept');
      // Each worker goes on until the store is gone; what was not answered by then is not remembered.
      const untilGone = async (step: (i: number) => Promise<void>): Promise<void> => {
        try {
          // Some calls of a driver whose server is gone never end.
          for (let i = 0; going(); i++) await Promise.race([step(i), gone]);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
        }
      };
      const workers: Promise<void>[] = [];
      for (let n = 0; n < 8; n++)
        workers.push(untilGone((i) => insertAndRemove(db, `${round}-${n}-${i}`, round, i % 5 === 4)));
      for (let n = 0; n < 4; n++) workers.push(untilGone(() => count(db, `counter ${n}`)));
      for (let n = 0; n < 2; n++)
        workers.push(untilGone((i) => client.withSession((session) => commit(db, session, `${round}-${n}-${i}`))));
      workers.push(untilGone(() => upload(db)));
      await Promise.all(workers);
    },
    async problems(db, upTo = Number.POSITIVE_INFINITY) {
      const found: string[] = [];
      const items = db.collection<Item>('inserted');
      const present = new Set((await items.find().toArray()).map(({ _id }) => _id));
      for (const [id, at] of inserted)
        if (at <= upTo && !present.has(id) && !removing.has(id)) found.push(`insert ${id} is lost`);
      for (const [id, at] of removed) if (at <= upTo && present.has(id)) found.push(`the removed ${id} is back`);
      const byIndex = await items.find({ round: { $gte: 0 } }, { hint: 'round_1', projection: { _id: 1 } }).toArray();
      if (byIndex.length !== present.size) found.push(`the index has ${byIndex.length} of ${present.size} documents`);
      const estimate = await items.estimatedDocumentCount();
      if (estimate !== present.size) found.push(`the count says ${estimate} of ${present.size} documents`);

      const values = new Map((await db.collection<Counter>('counted').find().toArray()).map(({ _id, v }) => [_id, v]));
      for (const { _id, v, at } of counted)
        if (at <= upTo && (values.get(_id) ?? 0) < v) found.push(`${_id} forgot ${v}`);
      for (const [id, v] of values) if (v > (attempted.get(id) ?? 0)) found.push(`${id} counted something twice`);

      const parts = Map.groupBy(await db.collection<Part>('committed').find().toArray(), ({ name }) => name);
      for (const [name, list] of parts) if (list.length !== 3) found.push(`transaction ${name} is half there`);
      for (const [name, at] of committed) if (at <= upTo && !parts.has(name)) found.push(`transaction ${name} is lost`);

      for (const { id, hash, at } of files) {
        if (at > upTo) continue;
        const digest = createHash('sha256');
        for await (const part of new GridFSBucket(db).openDownloadStream(id)) digest.update(part);
        if (digest.digest('hex') !== hash) found.push(`file ${id} has other bytes`);
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
