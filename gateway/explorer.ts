// The page at GET /graphql: GraphiQL from its package, without external links. It uses the session of the web app
// unless the user enters a token as a header.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inlineHashes } from '../http/web-page/page.ts';
import { readExampleOperations } from './example-operations.ts';

type Page = { policy: string; plain: Buffer; br: Buffer; gzip: Buffer };

// Own scripts only; the editor's workers are blobs and the editor writes styles. No other service is contacted, and
// framing is forbidden.
const createPolicy = (page: string): string =>
  [
    "default-src 'none'",
    `script-src ${inlineHashes(page, 'script')}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

// Wrapped at the width of the editor on a small screen.
const DEFAULT_QUERY = `# Ctrl-Space completes; the other tabs are
# examples. Signed out? Add under "Headers":
#   { "Authorization": "Bearer pdm_…" }

`;

// The session cookie requires this header, which proves that a page of this service sends the request.
const AUTHORIZATION_SCRIPT = `<script>
const plainFetch = globalThis.fetch;
globalThis.fetch = (resource, options = {}) => {
  const headers = new Headers(options.headers);
  headers.set('x-pdm-csrf', '1');
  return plainFetch(resource, { ...options, headers });
};
</script>`;

let rendered: Promise<Page> | undefined;

/** Whether the request comes from a browser that opens a page, rather than from a GraphQL client. */
export function acceptsHtml({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

/** Sends the explorer. It is rendered and compressed once, at the first request (9 MB of text, 2 MB sent). */
export async function sendExplorer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  rendered ??= render();
  const page = await rendered;
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
  if (encoding) reply.header('content-encoding', encoding);
  return reply
    .headers({
      'content-security-policy': page.policy,
      'cache-control': 'private, max-age=3600',
      vary: 'accept, accept-encoding',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(page[encoding ?? 'plain']);
}

async function render(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const page = renderGraphiQL({
    title: 'PDM · GraphQL',
    endpoint: '/graphql',
    ...defaultTabs(),
    defaultEditorToolsVisibility: 'variables',
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false, // a token is kept only while the page is open
  });
  const html = page.replace('<body ', () => `${AUTHORIZATION_SCRIPT}\n<body `);
  const plain = Buffer.from(html);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
    promisify(gzip)(plain),
  ]);
  return { policy: createPolicy(html), plain, br, gzip: zipped };
}

function defaultTabs(): object {
  const operations = readExampleOperations().map(({ text, variables }, index) => ({
    query: (index === 0 ? DEFAULT_QUERY : '') + text,
    variables: variables.length
      ? JSON.stringify(Object.fromEntries(variables.map((name) => [name, ''])), null, 2)
      : '{}',
  }));
  return { defaultTabs: operations };
}
