import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type WireClient, wireClient } from './wire-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-process-'));
const child = spawn(
  process.execPath,
  [join(import.meta.dirname, '../process/main.ts'), '--data', folder, '--port', '0', '--ttl-seconds', '1'],
  {
    stdio: ['ignore', 'pipe', 'pipe'],
  },
);
let uri: string;
let client: MongoClient;
let wire: WireClient;

beforeAll(async () => {
  uri = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk).trim().replace('ready ', ''))),
  );
  client = await MongoClient.connect(uri);
  wire = await wireClient(uri);
});
afterAll(async () => {
  await client.close();
  wire.close();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

test('listens only on the loopback address when started with a port', () => {
  expect(uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/\?directConnection=true$/);
});

test('describes a replica set of one member in the handshake, also in the legacy form', async () => {
  const expected = {
    isWritablePrimary: true,
    setName: 'rs0',
    logicalSessionTimeoutMinutes: 30,
    maxWireVersion: 25,
    ok: 1,
  };
  expect(await wire.command({ hello: 1, $db: 'admin' })).toMatchObject(expected);
  const body = Buffer.from([0x13, 0, 0, 0, 0x10, ...Buffer.from('isMaster\0'), 1, 0, 0, 0, 0]);
  const head = Buffer.alloc(16 + 4 + 11 + 8);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(2004, 12);
  head.write('admin.$cmd\0', 20);
  head.writeInt32LE(-1, 35);
  const answer = await wire.sendRaw(Buffer.concat([head, body]));
  expect(answer.readInt32LE(12)).toBe(1);
  expect(answer.toString('latin1')).toContain('setName');
});

test('accepts connections as a replica set', async () => {
  const other = await MongoClient.connect(uri.replace('directConnection=true', 'replicaSet=rs0'), {
    serverSelectionTimeoutMS: 3_000,
  });
  expect((await other.db('t').command({ ping: 1 })).ok).toBe(1);
  await other.close();
});

test('increases the cluster time with every reply', async () => {
  const times: bigint[] = [];
  for (let i = 0; i < 20; i++)
    times.push((await wire.command({ ping: 1, $db: 'admin' })).$clusterTime.clusterTime.toBigInt());
  expect(times).toEqual([...times].sort((left, right) => (left < right ? -1 : 1)));
  expect(new Set(times).size).toBe(20);
});

test('removes documents that have expired in a TTL index', async () => {
  const items = client.db('t').collection<{ _id: number; at?: Date }>('ttl');
  await items.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  await items.insertMany([{ _id: 1, at: new Date(Date.now() - 120_000) }, { _id: 2, at: new Date() }, { _id: 3 }]);
  await expect
    .poll(async () => (await items.find().toArray()).map(({ _id }) => _id), { timeout: 10_000 })
    .toEqual([2, 3]);
});

test('closes a connection that sends invalid messages, and continues to serve others', async () => {
  const broken = await wireClient(uri);
  await expect(broken.sendRaw(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).rejects.toThrow('closed');
  const endless = await wireClient(uri);
  const head = Buffer.alloc(16);
  head.writeInt32LE(-5, 0);
  await expect(endless.sendRaw(head)).rejects.toThrow('closed');
  expect((await wire.command({ ping: 1, $db: 'admin' })).ok).toBe(1);
});

test('replies to a document that cannot be decoded, and keeps the connection open', async () => {
  let nested: Document = {};
  for (let depth = 0; depth < 2000; depth++) nested = { nested };
  expect(await wire.command({ insert: 'deep', documents: [nested], $db: 't' })).toMatchObject({ ok: 0 });
  expect((await wire.command({ ping: 1, $db: 'admin' })).ok).toBe(1);
});

test('runs other commands during a delete of many documents', async () => {
  const items = client.db('t').collection<{ _id: number; group: number }>('many');
  await items.createIndex({ group: 1 });
  await items.insertMany(Array.from({ length: 10_000 }, (_, _id) => ({ _id, group: 1 })));
  const order: string[] = [];
  const removed = items.deleteMany({ group: 1 }).then(({ deletedCount }) => {
    order.push('delete');
    return deletedCount;
  });
  await wire.command({ ping: 1, $db: 'admin' });
  order.push('ping');
  expect(await removed).toBe(10_000);
  expect(order).toEqual(['ping', 'delete']);
});

test('runs other commands during a long scan', async () => {
  const items = client.db('t').collection<{ _id: number; text: string }>('long');
  await items.insertMany(Array.from({ length: 20_000 }, (_, _id) => ({ _id, text: `text ${_id}` })));
  const order: string[] = [];
  const scan = items
    .find({ text: 'nothing' })
    .toArray()
    .then(() => order.push('scan'));
  await wire.command({ ping: 1, $db: 'admin' });
  order.push('ping');
  await scan;
  expect(order).toEqual(['ping', 'scan']);
});
