import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOGUE, type ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { createProblem } from '../response/problem.ts';
import { mountProblemPages } from './problem-pages.ts';

const app = fastify();
beforeAll(async () => {
  mountProblemPages(app);
  await app.ready();
});
afterAll(() => app.close());

test.each(Object.keys(CATALOGUE) as ErrorCode[])(
  'serves the page that the type of a %s problem names',
  async (code) => {
    const { type, title, status } = createProblem(code, 'Detail.', { requestId: 'r' });
    const { statusCode, headers, body } = await app.inject(type);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(body).toContain(`<code>${code}</code>, status ${status}`);
    expect(body).toMatch(/<h2>Meaning<\/h2><p>.{10,}<\/p>\n<h2>What to do<\/h2><p>.{5,}<\/p>/);
    expect(body).not.toContain('`');
  },
);

test('serves a list of all error codes', async () => {
  const { body } = await app.inject('/problems');
  for (const code of Object.keys(CATALOGUE)) expect(body).toContain(`href="/problems/${code}"`);
});

test('responds 404 with a problem for a code that does not exist', async () => {
  const { statusCode, headers } = await app.inject('/problems/no_such_code');
  expect([statusCode, headers['content-type']]).toEqual([404, 'application/problem+json']);
});

test('sends a policy that permits nothing but the style of the page', async () => {
  const { headers } = await app.inject('/problems/not_found');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; base-uri 'none'/,
  );
});
