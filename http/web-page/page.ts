// Serves standalone pages of web/ with a strict content security policy.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/**
 * Serves a page of web/ without authentication: it contains no data, and reads data with the user's token. Only its
 * inline scripts and styles run, and it connects to this service only.
 */
export function mountStaticPage(app: FastifyInstance, url: string, file: string): void {
  const page = readFileSync(new URL(`../../web/${file}`, import.meta.url), 'utf8');
  const headers = {
    'content-security-policy': contentSecurityPolicyOf(page),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  app.get(url, async (_request, reply) => reply.headers(headers).type('text/html; charset=utf-8').send(page));
}

/** Returns the CSP hash sources of the inline scripts or styles of a page. */
export const inlineHashes = (page: string, tag: 'script' | 'style'): string =>
  [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
    .map(([, text]) => `'sha256-${createHash('sha256').update(String(text)).digest('base64')}'`)
    .join(' ');

function contentSecurityPolicyOf(page: string): string {
  return `default-src 'none'; connect-src 'self'; img-src 'self' blob: data:; script-src ${inlineHashes(page, 'script')}; style-src ${inlineHashes(page, 'style')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}
