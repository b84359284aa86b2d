import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const page = readFileSync(new URL('../web/index.html', import.meta.url), 'utf8');
const hashes = (tag: string) =>
  [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
    .map(([, text]) => `'sha256-${createHash('sha256').update(String(text)).digest('base64')}'`)
    .join(' ');
const policy = `default-src 'none'; connect-src 'self'; img-src 'self' blob: data:; script-src ${hashes('script')}; style-src ${hashes('style')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Serves the start page at `/`: where things are, and the token of the sign-in link. */
export function mountStartPage(app: FastifyInstance): void {
  app.get('/', async (_request, reply) =>
    reply
      .headers({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      })
      .type('text/html; charset=utf-8')
      .send(page),
  );
}
