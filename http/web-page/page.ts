import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/**
 * Serves a page of web/ at an address, to everybody: it holds nothing of what is stored, and asks for that with the token of whoever reads it. Its
 * own scripts and styles are all that run in it, and it asks nobody but this service.
 */
export function mountPage(app: FastifyInstance, url: string, file: string): void {
  const page = readFileSync(new URL(`../../web/${file}`, import.meta.url), 'utf8');
  const headers = {
    'content-security-policy': policyOf(page),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  app.get(url, async (_request, reply) => reply.headers(headers).type('text/html; charset=utf-8').send(page));
}

/** What a policy calls the scripts, or the styles, that stand in a page, and no others. */
export const hashesOf = (page: string, tag: 'script' | 'style'): string =>
  [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
    .map(([, text]) => `'sha256-${createHash('sha256').update(String(text)).digest('base64')}'`)
    .join(' ');

function policyOf(page: string): string {
  return `default-src 'none'; connect-src 'self'; img-src 'self' blob: data:; script-src ${hashesOf(page, 'script')}; style-src ${hashesOf(page, 'style')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}
