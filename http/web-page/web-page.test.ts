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

test('sends a policy that allows only own scripts and no framing, and is revalidated each time', async () => {
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
  expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|(?:src|href)="https?:/); // violates the policy, or needs the internet
});

test('serves all assets of the page as immutable, under hashed names', async () => {
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

test('serves the same page with every accepted encoding', async () => {
  const plain = await page();
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['BR;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0', undefined],
    ['identity', undefined],
    ['brotli', undefined],
  ] as const) {
    const { headers, rawPayload } = await get('/', accepted);
    expect([accepted, headers['content-encoding']]).toEqual([accepted, encoding]);
    expect((encoding ? unpacked[encoding](rawPayload) : rawPayload).toString()).toBe(plain);
  }
});

test('returns 404 without caching for an outdated asset', async () => {
  const { statusCode, headers, body } = await get('/assets/page-longago.js');
  expect(statusCode).toBe(404);
  expect(headers['content-type']).toContain('text/plain');
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toContain('Reload');
});

test('serves the page for exactly the paths that the page routes', async () => {
  const html = await page();
  const segments = [
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
  for (const path of segments.flatMap((first) => [
    `/${first}`,
    `/${first}/PRT-000001`,
    `/${first}/PRT-000001/history`,
  ])) {
    const served = (await get(path)).body === html;
    expect([path, served]).toEqual([path, isPagePath(path)]);
  }
});

test('can be installed: the page links a manifest whose icons and addresses exist', async () => {
  const [, href = ''] = /<link rel="manifest" href="([^"]+)"/.exec(await page()) ?? [];
  const { headers, body } = await get(href);
  expect(headers['content-type']).toContain('application/manifest+json');
  const { icons, start_url, shortcuts } = JSON.parse(body);
  for (const { url } of [{ url: start_url }, ...shortcuts]) expect(isPagePath(url)).toBe(true);
  const purposes: string[] = [];
  for (const { src, type, sizes, purpose } of icons) {
    const { headers: iconHeaders, rawPayload } = await get(src);
    expect(iconHeaders['content-type']).toContain(type);
    if (type !== 'image/png') continue;
    expect(`${rawPayload.readUInt32BE(16)}x${rawPayload.readUInt32BE(20)}`).toBe(sizes); // the header of a PNG file
    purposes.push(purpose);
  }
  expect(purposes).toEqual(['any', 'any', 'maskable']);
});
