// Compresses JSON responses and maintains the Vary header.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

// Smaller responses do not arrive sooner when compressed.
const MIN_BYTES = 2048;
// For larger responses the time to compress matters more than the bytes that a higher level would save.
const LARGE_BYTES = 256 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/;

const ENCODERS = {
  br: (bytes: string | Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: bytes.length < LARGE_BYTES ? 4 : 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: string | Buffer) => promisify(gzip)(bytes, { level: bytes.length < LARGE_BYTES ? 4 : 1 }),
} as const;

/**
 * Compresses JSON responses of at least 2 KiB if the client accepts br or gzip; an `onSend` hook. Files are not
 * compressed. The ETag identifies the uncompressed response, so that If-Match and If-None-Match work with every
 * encoding.
 */
export async function compress<T>(request: FastifyRequest, reply: FastifyReply, payload: T): Promise<T | Buffer> {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  const isJson = JSON_TYPE.test(String(reply.getHeader('content-type') ?? ''));
  if (reply.statusCode === 304 || (isWhole && isJson)) vary(reply, 'accept-encoding');
  if (!isWhole || !isJson || payload.length < MIN_BYTES || reply.hasHeader('content-encoding')) return payload;
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (!encoding) return payload;
  reply.header('content-encoding', encoding).removeHeader('content-length');
  return ENCODERS[encoding](payload);
}

/** Adds a name to the Vary header. */
export function vary(reply: FastifyReply, name: string): void {
  const before = String(reply.getHeader('vary') ?? '');
  if (!before.toLowerCase().split(/, */).includes(name)) reply.header('vary', before ? `${before}, ${name}` : name);
}

/** Returns the encoding that Accept-Encoding prefers; br if br and gzip are equal; null if it accepts neither. */
export function chooseEncoding(accepted: string | undefined): keyof typeof ENCODERS | null {
  const quality = { br: 0, gzip: 0 };
  for (const part of (accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    if (name === 'br' || name === 'gzip')
      quality[name] = Number(parameters.find((word) => word.startsWith('q='))?.slice(2) ?? 1) || 0;
  }
  if (quality.br <= 0 && quality.gzip <= 0) return null;
  return quality.br >= quality.gzip ? 'br' : 'gzip';
}
