import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { smallDisk } from '../../test/support/small-disk.ts';
import { compact } from '../process/backup.ts';
import { startProcess } from './store-process.ts';

type Item = { _id: string; bytes: Buffer };

const disk = smallDisk(200);
afterAll(() => disk?.remove());

const FULL = { code: 14031 };

const mount = needs('root', disk !== undefined);
describe.skipIf(mount.isMissing)(mount.title('when the disk is full'), { timeout: 60_000 }, () => {
  test('writes are refused, reads and deletes go on, nothing acknowledged is lost, and writes go on when there is room', async () => {
    const folder = join(disk!.folder, 'data');
    const store = await startProcess(folder);
    const client = await MongoClient.connect(store.uri ?? '', { retryWrites: false });
    const items = client.db('t').collection<Item>('items');
    const acknowledged = new Set<string>();
    const add = async (_id: string) => {
      await items.insertOne({ _id, bytes: Buffer.alloc(100_000, _id) });
      acknowledged.add(_id);
    };
    for (let n = 0; n < 20; n++) await add(`before ${n}`);
    // The reserve that lets deletes commit on a full disk is written a little after the start.
    await vi.waitFor(() => expect(existsSync(join(folder, 'reserve'))).toBe(true), 10_000);

    // Full in the middle of work: the first refusals are commits that failed, the later ones come before anything is tried.
    const untilRefused = async (worker: number) => {
      for (let n = 0; ; n++) await add(`during ${worker}-${n}`);
    };
    const refused = [0, 1, 2, 3].map((worker) => expect(untilRefused(worker)).rejects.toMatchObject(FULL));
    disk!.fill();
    await Promise.all(refused);
    disk!.fill();
    await expect(add('refused')).rejects.toMatchObject(FULL);

    expect(await idsOf(items)).toEqual(acknowledged);
    expect((await items.deleteOne({ _id: 'before 0' })).deletedCount).toBe(1);
    acknowledged.delete('before 0');

    disk!.free();
    await vi.waitFor(() => add('after'), { timeout: 10_000, interval: 100 });
    await client.close();
    store.child.kill('SIGKILL');
    expect(await store.ended).toBe('SIGKILL');

    const again = await startProcess(folder);
    const reader = await MongoClient.connect(again.uri ?? '');
    expect(await idsOf(reader.db('t').collection<Item>('items'))).toEqual(acknowledged);
    expect((await reader.db('t').command({ validate: 'items' })).valid).toBe(true);
    await reader.close();
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);

    disk!.fill();
    await expect(compact(folder)).rejects.toThrow(`The disk of ${folder} is full: the copy needs as much free space`);
    disk!.free();
    expect(await compact(folder)).toMatchObject({ documents: acknowledged.size });
  });
});

// By their bytes, not by an index alone.
async function idsOf(items: Collection<Item>): Promise<Set<string>> {
  const found = await items.find({}, { hint: { $natural: 1 } }).toArray();
  return new Set(
    found
      .filter(({ _id, bytes }) => Buffer.from(bytes.buffer).equals(Buffer.alloc(100_000, _id)))
      .map(({ _id }) => _id),
  );
}
