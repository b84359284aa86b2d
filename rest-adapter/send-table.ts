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
