import { afterEach, expect, test } from 'vitest';
import { readableLog } from '../gateway/testing/sample-gateway.ts';
import { readConfig } from '../subgraphs/core/platform/config.ts';
import { createHttp } from './http.ts';

const open: ReturnType<typeof createHttp>[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

function seen(settings: Record<string, string>) {
  const app = createHttp(readConfig(settings), readableLog().log);
  open.push(app);
  app.get('/', async ({ ip, hostname }) => ({ ip, hostname }));
  return async (remoteAddress: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url: '/', remoteAddress, headers: { host: '127.0.0.1', ...headers } });
    return answer.statusCode === 200 ? answer.json() : answer.statusCode;
  };
}

test('who stands behind a proxy is believed of trusted proxies alone', async () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
  const nobody = seen({});
  expect(await nobody('192.0.2.1', forwarded)).toMatchObject({ ip: '192.0.2.1' });
  const trusting = seen({ PDM_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1' });
  expect(await trusting('192.0.2.1', forwarded)).toMatchObject({ ip: '203.0.113.9' });
  expect(await trusting('10.1.2.3', { 'x-forwarded-for': '198.51.100.7, 10.9.9.9' })).toMatchObject({
    ip: '198.51.100.7',
  });
  expect(await trusting('192.0.2.2', forwarded)).toMatchObject({ ip: '192.0.2.2' });
});

test('another name than its own is not answered, whoever says it', async () => {
  expect(await seen({})('192.0.2.1', { host: 'evil.example' })).toBe(421);
  expect(await seen({})('192.0.2.1', { 'x-forwarded-host': 'evil.example' })).toMatchObject({ hostname: '127.0.0.1' });
  const behind = seen({ PDM_TRUSTED_PROXIES: '192.0.2.1', PDM_PUBLIC_URL: 'https://pdm.example' });
  expect(await behind('192.0.2.1', { 'x-forwarded-host': 'evil.example' })).toBe(421);
  expect(await behind('192.0.2.1', { 'x-forwarded-host': 'pdm.example' })).toMatchObject({ hostname: 'pdm.example' });
});

test('the health is answered under any name, by an address as well', async () => {
  const app = createHttp(readConfig({ PDM_PUBLIC_URL: 'https://pdm.example' }), readableLog().log);
  open.push(app);
  app.get('/api/v1/health', async () => 'well');
  app.get('/api/v1/documents', async () => 'secret');
  const asked = async (url: string) => (await app.inject({ url, headers: { host: '10.1.2.3:8080' } })).statusCode;
  expect(await asked('/api/v1/health')).toBe(200);
  expect(await asked('/api/v1/health/../documents')).toBe(421);
  expect(await asked('/api/v1/documents')).toBe(421);
});
