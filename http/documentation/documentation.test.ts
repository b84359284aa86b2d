import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPagePath } from '../../web/addresses/page-paths.ts';
import { mountDocumentation } from './mount-documentation.ts';

const app = fastify();
let pages: Map<string, string>;
beforeAll(async () => {
  mountDocumentation(app);
  await app.ready();
  const { body } = await app.inject('/docs');
  pages = new Map([['/docs', body]]);
  for (const url of hrefsOf(body).filter((href) => /^\/docs\/[\w-]+$/.test(href)))
    pages.set(url, (await app.inject(url)).body);
});
afterAll(() => app.close());

const hrefsOf = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href = '']) => href);
const OUTSIDE = /^(https:\/\/|data:,)/;
const SERVICE = ['/', '/api/v1/docs', '/graphql'];

function resolves(href: string, from: string): boolean {
  if (OUTSIDE.test(href) || SERVICE.includes(href) || isPagePath(href)) return true;
  const [path = '', anchor] = href.split('#');
  const page = pages.get(path || from);
  if (page === undefined) return path.startsWith('/docs/pictures/') && app.hasRoute({ method: 'GET', url: path });
  return anchor === undefined || page.includes(` id="${anchor}"`);
}

test('every link of a page resolves', () => {
  expect(pages.size).toBeGreaterThan(15);
  const broken = [...pages].flatMap(([url, html]) =>
    hrefsOf(html)
      .filter((href) => !resolves(href, url))
      .map((href) => `${url} links to ${href}`),
  );
  expect(broken).toEqual([]);
});

test('every help link of the web app resolves', () => {
  const web = join(import.meta.dirname, '../../web');
  const topics = globSync('**/*.tsx', { cwd: web }).flatMap((file) =>
    [...readFileSync(join(web, file), 'utf8').matchAll(/\b(?:topic|help)="([^"]+)"/g)].map(([, topic]) => ({
      file,
      topic,
    })),
  );
  expect(topics.length).toBeGreaterThan(10);
  expect(topics.filter(({ topic }) => !resolves(`/docs/${topic}`, ''))).toEqual([]);
});

test('runs no script and loads nothing from other servers', async () => {
  const { headers } = await app.inject('/docs/guide');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; img-src 'self' data:; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'/,
  );
  for (const html of pages.values()) expect(html).not.toMatch(/<script|\son\w+=|src="https?:/);
});

test('finds the sections with all words of a query, also incomplete ones', async () => {
  const { body } = await app.inject('/docs/search?q=take+over+work');
  expect(body).toContain('href="/docs/guide#versions"');
  expect(body).toMatch(/<mark>over<\/mark>/i);
  expect((await app.inject('/docs/search?q=zzzzzz')).body).toContain('Nothing found.');
});

test('escapes the query', async () => {
  const { body } = await app.inject(`/docs/search?q=${encodeURIComponent('"><img src=x>')}`);
  expect(body).not.toContain('<img');
});

test('responds 404 to a page that does not exist', async () => {
  expect((await app.inject('/docs/nothing')).statusCode).toBe(404);
});
