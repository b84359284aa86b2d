// The page at GET /graphql: GraphiQL from its package, without a link to anywhere. The person puts a token among the page's headers.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Page = { plain: Buffer; br: Buffer; gzip: Buffer };

// scripts of the page are inline and its editor's workers are blobs; it asks nobody but this service, and nobody may frame it
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const WELCOME = `# Your token goes among the headers below:
#   { "Authorization": "Bearer pdm_…" }
# With it, "Re-fetch GraphQL schema" at the lower left
# fills the documentation and completion (Ctrl-Space).

query NewestDocuments {
  documents(limit: 10) {
    items {
      number
      name
      thumbnailUrl
    }
  }
}
`;

let rendered: Promise<Page> | undefined;

/** Does the request come from a browser that opens a page, rather than from a GraphQL client? */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
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
      'content-security-policy': POLICY,
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
  const plain = Buffer.from(
    renderGraphiQL({
      title: 'PDM · GraphQL',
      endpoint: '/graphql',
      defaultQuery: WELCOME,
      defaultEditorToolsVisibility: 'headers',
      isHeadersEditorEnabled: true,
    }),
  );
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    promisify(gzip)(plain),
  ]);
  return { plain, br, gzip: zipped };
}
