// Sends the items of a response as a CSV download.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkPreconditions } from '../http/response/etag.ts';
import { contentDisposition } from '../http/response/file-name.ts';
import { safeFileName } from '../subgraphs/core/domain/text/file-name.ts';
import { type Column, csvChunks } from './csv.ts';

/** Formats a response as CSV chunks and names the file. */
export type Table = { chunks: (response: unknown) => Iterable<Buffer>; fileName: (response: unknown) => string };

export const FORMATS = ['json', 'csv'];

/** Whether a request selects CSV: by `format`, otherwise by `Accept`. JSON is the default. */
export function prefersCsv({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): boolean {
  const { format } = query as { format?: string };
  if (format !== undefined) return format === 'csv';
  const accepted = (headers.accept ?? '*/*').split(',').map(parseMediaRange);
  return quality(accepted, 'text/csv') > quality(accepted, 'application/json');
}

type MediaRange = { range: string; q: number };

function parseMediaRange(text: string): MediaRange {
  const [range = '', ...parameters] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return { range, q: q >= 0 && q <= 1 ? q : 0 };
}

// RFC 9110, 12.5.1: the most specific range applies.
function quality(accepted: readonly MediaRange[], type: string): number {
  const ranges = [type, type.replace(/[^/]+$/, '*'), '*/*'];
  const applicable = ranges.flatMap((range) => accepted.filter((each) => each.range === range));
  return applicable[0]?.q ?? 0;
}

/** Defines the CSV of a route whose response has `items`. */
export function createTable<A extends { items: readonly unknown[] }>(
  columns: readonly Column<A['items'][number]>[],
  fileName: (response: A) => string,
): Table {
  return {
    chunks: (response) => csvChunks(columns, (response as A).items),
    fileName: (response) => fileName(response as A),
  };
}

/** Sends the items as a CSV file with an ETag of its bytes. */
export function sendTable(
  request: FastifyRequest,
  reply: FastifyReply,
  { chunks: formatChunks, fileName }: Table,
  response: unknown,
): FastifyReply {
  const chunks = [...formatChunks(response)];
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  const etag = `"${hash.digest('base64url').slice(0, 32)}"`;
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  if (checkPreconditions(request.headers, etag)) return reply.code(304).send();
  reply.type('text/csv; charset=utf-8; header=present').headers({
    'content-length': chunks.reduce((totalLength, { length }) => totalLength + length, 0),
    'content-disposition': contentDisposition(safeFileName(fileName(response).replace(/[\\/]/g, '-'))),
    'content-security-policy': "sandbox; default-src 'none'",
  });
  return request.method === 'HEAD' ? reply.send() : reply.send(Readable.from(chunks));
}
