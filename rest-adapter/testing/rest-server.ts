import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { type Operations, restApp } from './rest-app.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts the adapter on a real socket and closes it after the test. */
export async function startRestServer(operations: Operations, overrides: Parameters<typeof restApp>[1] = {}) {
  const { app, executed, logged } = await restApp(operations, overrides);
  await app.listen({ port: 0, host: '127.0.0.1' });
  closing.push(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { port, base: `http://127.0.0.1:${port}`, executed, logged };
}
