import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testServer } from '../../../test/support/store.ts';
import { connectMongo } from './mongo.ts';

test('ends a command that waits to continue writing when its connection is closed', async () => {
  const server = await testServer();
  const mongo = await connectMongo(server.uri, { name: `test_writing_${process.pid}`, monitorCommands: true });
  const sent = once(mongo.client, 'commandStarted');
  // Larger than the buffers of the socket.
  const insert = mongo.db.collection('large').insertOne({ text: 'x'.repeat(15_000_000) });
  insert.catch(() => undefined);
  await sent;
  await setImmediate();
  await mongo.close();
  await expect(insert).rejects.toThrow(/closed/);
  await server.stop();
});
