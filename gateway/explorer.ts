// The page at GET /graphql: GraphiQL from its package, without a link to anywhere. It asks in the session of the start page, unless the
// person puts a token among the page's headers.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashesOf } from '../http/web-page/page.ts';
import { exampleOperations } from './example-operations.ts';

type Page = { policy: string; plain: Buffer; br: Buffer; gzip: Buffer };

// its own scripts alone run, its editor's workers are blobs and the editor writes styles; it asks nobody but this service, and nobody may frame it
const policyOf = (page: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashesOf(page, 'script')}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

// as wide as the editor is on a small screen
const WELCOME = `# Signed in at the start page (/), you are
# signed in here. Else your token goes among
# the headers below, and "Re-fetch GraphQL
# schema" at the lower left then fills the
# documentation and completion (Ctrl-Space):
#   { "Authorization": "Bearer pdm_…" }
# The other tabs show what can be asked; what
# they need stands among their variables.
#
# Where there is internet, Apollo Sandbox can
# be used too, if PDM_CORS_ORIGINS has
# https://studio.apollographql.com:
# https://studio.apollographql.com/sandbox/explorer?endpoint=ADDRESS/graphql

`;

// Whoever signed in at the start page has a session; a page of this service says of each request that it is its own.
const SIGN_IN = `<script>
const plainFetch = globalThis.fetch;
globalThis.fetch = (resource, options = {}) => {
  const headers = new Headers(options.headers);
  headers.set('x-pdm-csrf', '1');
  return plainFetch(resource, { ...options, headers });
};
</script>`;

let rendered: Promise<Page> | undefined;

/** Does the request come from a browser that opens a page, rather than from a GraphQL client? */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

/** Sends the explorer; it is rendered and compressed once, at the first call (9 MB of text, 2 MB sent). */
export async function sendExplorer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  rendered ??= render();
  const page = await rendered;
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
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
    ...tabs(),
    defaultEditorToolsVisibility: 'variables',
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false, // a token stays where the person put it, for as long as the page is open
  });
  const whole = page.replace('<body ', () => `${SIGN_IN}\n<body `);
  const plain = Buffer.from(whole);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
    promisify(gzip)(plain),
  ]);
  return { policy: policyOf(whole), plain, br, gzip: zipped };
}

function tabs(): object {
  const operations = exampleOperations().map(({ text, variables }, index) => ({
    query: (index === 0 ? WELCOME : '') + text,
    variables: variables.length
      ? JSON.stringify(Object.fromEntries(variables.map((name) => [name, ''])), null, 2)
      : '{}',
  }));
  return { defaultTabs: operations };
}
