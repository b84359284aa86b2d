import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnown } from '../http/response/etag.ts';
import { contentDisposition } from '../http/response/file-name.ts';
import { safeFileName } from '../subgraphs/core/domain/text/file-name.ts';
import { type Column, csvChunks } from './csv.ts';

/** How an answer is written as CSV, in pieces, and how the file is called. */
export type Table = { chunks: (answer: unknown) => Iterable<Buffer>; fileName: (answer: unknown) => string };

export const FORMATS = ['json', 'csv'];

/** Makes the table of the `items` of a row's answer; the type of the answer is said where its columns are. */
export function table<A extends { items: readonly unknown[] }>(
  columns: readonly Column<A['items'][number]>[],
  fileName: (answer: A) => string,
): Table {
  return { chunks: (answer) => csvChunks(columns, (answer as A).items), fileName: (answer) => fileName(answer as A) };
}

/** Answers with the items as a CSV file to download, in pieces, with an ETag of exactly these bytes. */
export function sendTable(
  request: FastifyRequest,
  reply: FastifyReply,
  { chunks: pieces, fileName }: Table,
  answer: unknown,
): FastifyReply {
  const chunks = [...pieces(answer)];
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  const etag = `"${hash.digest('base64url').slice(0, 32)}"`;
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  if (isKnown(request.headers, etag)) return reply.code(304).send();
  reply.type('text/csv; charset=utf-8; header=present').headers({
    'content-length': chunks.reduce((sum, { length }) => sum + length, 0),
    'content-disposition': contentDisposition(safeFileName(fileName(answer).replace(/[\\/]/g, '-'))),
    'content-security-policy': "sandbox; default-src 'none'",
  });
  return request.method === 'HEAD' ? reply.send() : reply.send(Readable.from(chunks));
}
