import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createRecordingLog } from '../gateway/testing/sample-gateway.ts';
import { readConfig } from '../subgraphs/core/platform/config.ts';
import { createHttpServer } from './http.ts';

const open: ReturnType<typeof createHttpServer>[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

function createClient(settings: Record<string, string>) {
  const app = createHttpServer(readConfig(settings), createRecordingLog().log);
  open.push(app);
  app.get('/', async ({ ip, hostname }) => ({ ip, hostname }));
  return async (remoteAddress: string, headers: Record<string, string> = {}) => {
    const response = await app.inject({ url: '/', remoteAddress, headers: { host: '127.0.0.1', ...headers } });
    return response.statusCode === 200 ? response.json() : response.statusCode;
  };
}

test('accepts X-Forwarded-For from trusted proxies only', async () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
  const untrusting = createClient({});
  expect(await untrusting('192.0.2.1', forwarded)).toMatchObject({ ip: '192.0.2.1' });
  const trusting = createClient({ PDM_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1' });
  expect(await trusting('192.0.2.1', forwarded)).toMatchObject({ ip: '203.0.113.9' });
  expect(await trusting('10.1.2.3', { 'x-forwarded-for': '198.51.100.7, 10.9.9.9' })).toMatchObject({
    ip: '198.51.100.7',
  });
  expect(await trusting('192.0.2.2', forwarded)).toMatchObject({ ip: '192.0.2.2' });
});

test('rejects an unknown host name, also in X-Forwarded-Host', async () => {
  expect(await createClient({})('192.0.2.1', { host: 'evil.example' })).toBe(421);
  expect(await createClient({})('192.0.2.1', { 'x-forwarded-host': 'evil.example' })).toMatchObject({
    hostname: '127.0.0.1',
  });
  const behind = createClient({ PDM_TRUSTED_PROXIES: '192.0.2.1', PDM_PUBLIC_URL: 'https://pdm.example' });
  expect(await behind('192.0.2.1', { 'x-forwarded-host': 'evil.example' })).toBe(421);
  expect(await behind('192.0.2.1', { 'x-forwarded-host': 'pdm.example' })).toMatchObject({ hostname: 'pdm.example' });
});

test('answers health checks under any host name', async () => {
  const app = createHttpServer(readConfig({ PDM_PUBLIC_URL: 'https://pdm.example' }), createRecordingLog().log);
  open.push(app);
  app.get('/api/v1/health', async () => 'ok');
  app.get('/api/v1/documents', async () => 'secret');
  const statusOf = async (url: string) => (await app.inject({ url, headers: { host: '10.1.2.3:8080' } })).statusCode;
  expect(await statusOf('/api/v1/health')).toBe(200);
  expect(await statusOf('/api/v1/health/../documents')).toBe(421);
  expect(await statusOf('/api/v1/documents')).toBe(421);
});

test('rejects a request in absolute form for another host than that of the Host header', async () => {
  const app = createHttpServer(readConfig({ PDM_ALLOW_PLAIN_HTTP: 'on' }), createRecordingLog().log);
  open.push(app);
  app.get('/found', async ({ url }) => url);
  app.get('/api/v1/health', async () => 'ok');
  const { port } = new URL(await app.listen({ port: 0 }));
  const statusOf = async (path: string, headers = {}) => {
    const [response]: IncomingMessage[] = await once(httpRequest({ port, path, headers }).end(), 'response');
    return response?.resume().statusCode;
  };
  expect(await statusOf(`http://localhost:${port}/found?a=b`)).toBe(200);
  expect(await statusOf('http://PDM.example/found', { host: 'pdm.example' })).toBe(200);
  expect(await statusOf('http://pdm.example', { host: 'pdm.example' })).toBe(404);
  expect(await statusOf('http://evil.example/found')).toBe(421);
  expect(await statusOf('https://evil.example/api/v1/health')).toBe(421);
  expect(await statusOf('http://localhost@evil.example/found')).toBe(421);
});

test('logs once which setting to use behind a proxy that is not trusted', async () => {
  const { log, lines } = createRecordingLog();
  const app = createHttpServer(readConfig({ PDM_TRUSTED_PROXIES: '192.0.2.1' }), log);
  open.push(app);
  app.get('/', async () => 'ok');
  const send = (remoteAddress: string, headers: Record<string, string>) =>
    app.inject({ url: '/', remoteAddress, headers: { host: 'localhost', ...headers } });
  await send('192.0.2.1', { 'x-forwarded-for': '198.51.100.7' });
  await send('192.0.2.2', {});
  expect(lines).toEqual([]);
  await send('192.0.2.2', { 'x-forwarded-for': '198.51.100.7' });
  await send('192.0.2.2', { forwarded: 'for=198.51.100.7' });
  expect(lines).toEqual([expect.stringContaining('set PDM_TRUSTED_PROXIES=192.0.2.2:')]);
});
