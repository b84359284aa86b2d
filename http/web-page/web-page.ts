// Serves the web app: one HTML document for all its paths, and its assets, compressed in advance.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { systemEnvironment } from '../../subgraphs/core/platform/child-environment.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import { ROOT_SEGMENTS } from '../../web/addresses/page-paths.ts';
import type { Bundle } from './web-bundle.ts';

const PAGE_ROUTES = ROOT_SEGMENTS.flatMap((segment) => (segment ? [`/${segment}`, `/${segment}/*`] : ['/']));

// The web app compiles nothing at run time, so 'wasm-unsafe-eval' is not needed. Images come from this service or,
// as blobs, from a canvas.
const CONTENT_SECURITY_POLICY = [
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
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};
const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

// What a browser needs to install the page as an app.
const APP_FILES = [
  ['/manifest.webmanifest', 'manifest.json', 'application/manifest+json'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml'],
  ['/icon-192.png', 'icons/icon-192.png', 'image/png'],
  ['/icon-512.png', 'icons/icon-512.png', 'image/png'],
  ['/icon-maskable-512.png', 'icons/icon-maskable-512.png', 'image/png'],
] as const;

// Leaves the first seconds after a start to incoming requests.
const WARM_DELAY_MS = 3_000;

type Encoded = { plain: Buffer; br: Buffer; gzip: Buffer };
type Page = { html: Encoded; assets: ReadonlyMap<string, Encoded>; sourceTime: number };

/**
 * Serves the web app without authentication: it contains no data, and reads data with the user's session. It is bundled
 * at the first request, or 3 seconds after `warm`; with `reload` again when a source has changed.
 */
export function mountWebPage(app: FastifyInstance, { log, reload }: { log: Log; reload: boolean }): { warm(): void } {
  let page: Promise<Page> | undefined;
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onClose', async () => clearTimeout(timer));
  const currentPage = async (): Promise<Page> => {
    if (reload && page && (await page.catch(() => null))?.sourceTime !== newestSourceTime()) page = undefined;
    page ??= buildPage();
    page.catch(() => {
      page = undefined; // the next request tries again
    });
    return page;
  };
  for (const url of PAGE_ROUTES) {
    app.get(url, async (request, reply) => {
      reply.headers({ ...HEADERS, 'cache-control': 'no-cache' }).type('text/html; charset=utf-8');
      return sendEncoded(request, reply, (await currentPage()).html);
    });
  }
  for (const [url, file, type] of APP_FILES) {
    const content = readFileSync(new URL(`../../web/${file}`, import.meta.url));
    app.get(url, async (_request, reply) =>
      reply
        .headers({ ...HEADERS, 'cache-control': 'no-cache' })
        .type(type)
        .send(content),
    );
  }
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params;
    const asset = (await currentPage()).assets.get(name);
    // An open page of an earlier version requested the asset; that page reloads itself.
    if (!asset)
      return reply
        .code(404)
        .type('text/plain')
        .header('cache-control', 'no-store')
        .send('The file does not exist in this version. Reload the page.\n');
    reply
      .headers({ ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' })
      .type(TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain');
    return sendEncoded(request, reply, asset);
  });
  return {
    warm: () => {
      const build = () =>
        currentPage().catch((error: unknown) => log.error({ err: error }, 'web page bundling failed'));
      timer = setTimeout(build, WARM_DELAY_MS).unref();
    },
  };
}

function sendEncoded({ headers }: FastifyRequest, reply: FastifyReply, content: Encoded): FastifyReply {
  const accepted = (headers['accept-encoding'] ?? '').split(',').filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part));
  const encoding = (['br', 'gzip'] as const).find((name) =>
    accepted.some((part) => part.split(';')[0]?.trim().toLowerCase() === name),
  );
  if (encoding) reply.header('content-encoding', encoding);
  return reply.header('vary', 'accept-encoding').send(content[encoding ?? 'plain']);
}

async function buildPage(): Promise<Page> {
  const sourceTime = newestSourceTime();
  const program = fileURLToPath(new URL('web-bundle.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: systemEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  const { initialChunks, style, assets } = JSON.parse(stdout) as Bundle;
  const shell = readFileSync(new URL('../../web/page.html', import.meta.url), 'utf8');
  const [entry, ...needed] = initialChunks;
  const head = [
    `<link rel="stylesheet" href="/assets/${style}">`,
    ...needed.map((name) => `<link rel="modulepreload" href="/assets/${name}">`),
    `<script type="module" src="/assets/${entry}"></script>`,
  ].join('\n');
  const encoded = await Promise.all(assets.map(async ({ name, text }) => [name, await encode(text)] as const));
  return {
    html: await encode(shell.replace('</head>', () => `${head}\n</head>`)),
    assets: new Map(encoded),
    sourceTime,
  };
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

/** Returns the newest modification time of the files in web/, in milliseconds. */
function newestSourceTime(): number {
  const folder = fileURLToPath(new URL('../../web/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map(({ parentPath, name }) => statSync(`${parentPath}/${name}`).mtimeMs));
}
