import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

// Below this a smaller answer does not arrive sooner.
const LEAST_BYTES = 2048;
// From here on the time it takes to press counts for more than the bytes that pressing harder would save.
const LARGE_BYTES = 256 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/;

const CODINGS = {
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
 * Compresses an answer in JSON of 2 KiB and more when the client takes br or gzip; an `onSend` hook. Files are left as they are. The ETag is that
 * of the answer before it is coded, so that If-Match and If-None-Match work whatever the coding was.
 */
export async function compressed<T>(request: FastifyRequest, reply: FastifyReply, payload: T): Promise<T | Buffer> {
  const whole = typeof payload === 'string' || Buffer.isBuffer(payload);
  const json = JSON_TYPE.test(String(reply.getHeader('content-type') ?? ''));
  if (reply.statusCode === 304 || (whole && json)) vary(reply, 'accept-encoding');
  if (!whole || !json || payload.length < LEAST_BYTES || reply.hasHeader('content-encoding')) return payload;
  const coding = codingFor(request.headers['accept-encoding']);
  if (!coding) return payload;
  reply.header('content-encoding', coding).removeHeader('content-length');
  return CODINGS[coding](payload);
}

/** Adds a name to the header Vary. */
export function vary(reply: FastifyReply, name: string): void {
  const before = String(reply.getHeader('vary') ?? '');
  if (!before.toLowerCase().split(/, */).includes(name)) reply.header('vary', before ? `${before}, ${name}` : name);
}

/** The coding that the client likes best of those there are; br when it likes both as much. */
export function codingFor(accepted: string | undefined): keyof typeof CODINGS | null {
  const liked = { br: 0, gzip: 0 };
  for (const part of (accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    if (name === 'br' || name === 'gzip')
      liked[name] = Number(parameters.find((word) => word.startsWith('q='))?.slice(2) ?? 1) || 0;
  }
  if (liked.br <= 0 && liked.gzip <= 0) return null;
  return liked.br >= liked.gzip ? 'br' : 'gzip';
}
