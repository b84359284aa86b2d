import { pipeline, type Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import { type ByteRange, byteRange } from './byte-range.ts';
import { isKnown } from './etag.ts';
import { contentDisposition } from './file-name.ts';

/** What a download needs to know of a file. */
export type FileRecord = { fileName: string; contentType: string; size: number; sha256: string };
/** Opens a content, or the bytes from `start` up to but not including `end`. */
export type OpenBlob = (sha256: string, range?: ByteRange) => Promise<Readable>;

const IDLE_MS = 30_000;
const REVALIDATE = 'private, no-cache';

/**
 * Answers with the content of a file: ETag = SHA-256, If-None-Match → 304, one range → 206, always as an attachment that no browser
 * renders. A content shorter or longer than its record breaks the connection; it never passes for the whole file.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileRecord,
  openBlob: OpenBlob,
): Promise<FastifyReply> {
  const { range, 'if-range': ifRange } = request.headers;
  const etag = `"${file.sha256}"`;
  if (isKnown(request.headers, etag)) return reply.code(304).headers({ etag, 'cache-control': REVALIDATE }).send();

  const ranged =
    request.method === 'GET' && (ifRange === undefined || ifRange === etag) ? byteRange(range, file.size) : null;
  if (ranged === 'unsatisfiable')
    return refuse('range_not_satisfiable', `The file has ${file.size} bytes; the range asked for lies outside.`, {
      size: file.size,
    });
  const { start, end } = ranged ?? { start: 0, end: file.size };
  const content = request.method === 'HEAD' ? null : await openBlob(file.sha256, ranged ?? undefined);

  if (ranged) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${file.size}`);
  reply.type(file.contentType).headers({
    etag,
    'content-length': end - start,
    'accept-ranges': 'bytes',
    'cache-control': REVALIDATE,
    'content-disposition': contentDisposition(file.fileName),
    'content-security-policy': "sandbox; default-src 'none'",
  });
  if (!content) return reply.send();
  reply.raw.setTimeout(IDLE_MS); // Node then ends a connection on which nothing moves
  return reply.send(
    ofLength(content, end - start, (error) =>
      request.caller.log.error({ err: error, sha256: file.sha256 }, 'a download broke off'),
    ),
  );
}

// one chunk is held back until it is known that the content goes on or ends as it should
function ofLength(content: Readable, length: number, failed: (error: Error) => void): Readable {
  let seen = 0;
  let held: Buffer | undefined;
  const wrongLength = (): Error =>
    new Error(`The content has ${seen > length ? 'more' : 'fewer'} than the ${length} bytes of its record`);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const before = held;
      held = chunk;
      seen += chunk.length;
      if (seen > length) done(wrongLength());
      else done(null, before);
    },
    flush(done) {
      if (seen === length) done(null, held);
      else done(wrongLength());
    },
  });
  return pipeline(content, counted, (error) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') failed(error);
  });
}
