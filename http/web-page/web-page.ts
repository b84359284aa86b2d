// The web page: one document for all its addresses, its scripts and styles under /assets, compressed once.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import { ROOT_SEGMENTS } from '../../web/addresses/page-paths.ts';
import type { Bundle } from './web-bundle.ts';

const ADDRESSES = ROOT_SEGMENTS.flatMap((step) => (step ? [`/${step}`, `/${step}/*`] : ['/']));

// 'wasm-unsafe-eval' is not needed: nothing of the page is compiled. Pictures come with the session; those made from a canvas are blobs.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};
const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

// the first moments after a start belong to those who ask already
const CALM_MS = 3_000;

type Encoded = { plain: Buffer; br: Buffer; gzip: Buffer };
type Page = { html: Encoded; assets: ReadonlyMap<string, Encoded>; madeOf: number };

/**
 * Serves the web page to everybody: it holds nothing of what is stored, and asks for that with the session of whoever reads it. It is bundled at the
 * first call after start, or some seconds after `warm`; with `reload` again whenever one of its sources has changed.
 */
export function mountWebPage(app: FastifyInstance, { log, reload }: { log: Log; reload: boolean }): { warm(): void } {
  let page: Promise<Page> | undefined;
  let later: NodeJS.Timeout | undefined;
  app.addHook('onClose', async () => clearTimeout(later));
  const current = async (): Promise<Page> => {
    if (reload && page && (await page.catch(() => null))?.madeOf !== newestSource()) page = undefined;
    page ??= make();
    page.catch(() => {
      page = undefined; // a bundler that was killed may do better the next time
    });
    return page;
  };
  for (const url of ADDRESSES) {
    app.get(url, async (request, reply) => {
      reply.headers({ ...HEADERS, 'cache-control': 'no-cache' }).type('text/html; charset=utf-8');
      return send(request, reply, (await current()).html);
    });
  }
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params;
    const asset = (await current()).assets.get(name);
    // asked for by a page of an earlier version of the service, which reloads itself then
    if (!asset)
      return reply
        .code(404)
        .type('text/plain')
        .header('cache-control', 'no-store')
        .send('There is no such file. Reload the page.\n');
    reply
      .headers({ ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' })
      .type(TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain');
    return send(request, reply, asset);
  });
  return {
    warm: () => {
      const make = () =>
        current().catch((error: unknown) => log.error({ err: error }, 'the web page could not be made'));
      later = setTimeout(make, CALM_MS).unref();
    },
  };
}

function send({ headers }: FastifyRequest, reply: FastifyReply, content: Encoded): FastifyReply {
  const accepted = (headers['accept-encoding'] ?? '').split(',').filter((coding) => !/;\s*q=0(\.0*)?\s*$/.test(coding));
  const encoding = (['br', 'gzip'] as const).find((name) =>
    accepted.some((coding) => coding.split(';')[0]?.trim().toLowerCase() === name),
  );
  if (encoding) reply.header('content-encoding', encoding);
  return reply.header('vary', 'accept-encoding').send(content[encoding ?? 'plain']);
}

async function make(): Promise<Page> {
  const madeOf = newestSource();
  const program = fileURLToPath(new URL('web-bundle.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 64 * 1024 * 1024 });
  const { first, style, assets } = JSON.parse(stdout) as Bundle;
  const shell = readFileSync(new URL('../../web/page.html', import.meta.url), 'utf8');
  const [entry, ...needed] = first;
  const head = [
    `<link rel="stylesheet" href="/assets/${style}">`,
    ...needed.map((name) => `<link rel="modulepreload" href="/assets/${name}">`),
    `<script type="module" src="/assets/${entry}"></script>`,
  ].join('\n');
  const encoded = await Promise.all(assets.map(async ({ name, text }) => [name, await encode(text)] as const));
  return { html: await encode(shell.replace('</head>', () => `${head}\n</head>`)), assets: new Map(encoded), madeOf };
}

async function encode(text: string): Promise<Encoded> {
  const plain = Buffer.from(text);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: quality }),
    promisify(gzip)(plain),
  ]);
  return { plain, br, gzip: zipped };
}

function newestSource(): number {
  const folder = fileURLToPath(new URL('../../web/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map(({ parentPath, name }) => statSync(`${parentPath}/${name}`).mtimeMs));
}
