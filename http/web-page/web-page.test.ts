import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPagePath } from '../../web/addresses/page-paths.ts';
import { mountWebPage } from './web-page.ts';

const app = fastify();
beforeAll(async () => {
  mountWebPage(app, { log: pino({ level: 'silent' }), reload: false });
  await app.ready();
});
afterAll(() => app.close());

const get = (url: string, accepted?: string) =>
  app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });
const page = async () => (await get('/')).body;
const assetsOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => String(path));

test('the page may run its own scripts and nothing else, is framed by nobody, and is asked for anew each time', async () => {
  const { statusCode, headers, body } = await get('/');
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    vary: 'accept-encoding',
  });
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  );
  expect(Object.fromEntries(policy)).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'frame-ancestors': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
  });
  expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|(?:src|href)="https?:/); // what the policy would refuse, and what would need the internet
});

test('what the page needs is there, typed, and may be kept for ever: its name changes with it', async () => {
  const assets = assetsOf(await page());
  expect(assets.length).toBeGreaterThanOrEqual(2);
  for (const path of assets) {
    const { statusCode, headers } = await get(path);
    expect([path, statusCode]).toEqual([path, 200]);
    expect(headers['content-type']).toBe(
      path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    );
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(path).toMatch(/-[\w-]{6,}\.(js|css)$/);
  }
});

test('it comes compressed as the browser takes it, and says the same in each coding', async () => {
  const plain = await page();
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accepted, coding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['BR;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0', undefined],
    ['identity', undefined],
    ['brotli', undefined],
  ] as const) {
    const { headers, rawPayload } = await get('/', accepted);
    expect([accepted, headers['content-encoding']]).toEqual([accepted, coding]);
    expect((coding ? unpacked[coding](rawPayload) : rawPayload).toString()).toBe(plain);
  }
});

test('the address of an asset that is no more is 404, and kept by nobody', async () => {
  const { statusCode, headers, body } = await get('/assets/page-longago.js');
  expect(statusCode).toBe(404);
  expect(headers['content-type']).toContain('text/plain');
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toContain('Reload');
});

test('the gateway answers with the page exactly where the page takes an address as its own', async () => {
  const html = await page();
  const firsts = [
    '',
    'folders',
    'documents',
    'runs',
    'jobs',
    'audit',
    'admin',
    'search',
    'assets',
    'api',
    'graphql',
    'session',
    'documentsX',
    'x',
  ];
  for (const path of firsts.flatMap((first) => [`/${first}`, `/${first}/PRT-000001`, `/${first}/PRT-000001/history`])) {
    const served = (await get(path)).body === html;
    expect([path, served]).toEqual([path, isPagePath(path)]);
  }
});
