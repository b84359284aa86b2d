// Sends file downloads.
import { pipeline, type Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import { type ByteRange, byteRange } from './byte-range.ts';
import { checkPreconditions } from './etag.ts';
import { contentDisposition } from './file-name.ts';

/** The metadata of a downloadable file. */
export type FileRecord = { fileName: string; contentType: string; size: number; sha256: string };
/** Opens the content of a file, or its bytes from `start` up to but not including `end`. */
export type OpenBlob = (sha256: string, range?: ByteRange) => Promise<Readable>;

const IDLE_MS = 30_000;
const REVALIDATE = 'private, no-cache';

/**
 * Sends a file: ETag is its SHA-256, If-None-Match → 304, one range → 206, always as an attachment that browsers do not
 * render. If the content is shorter or longer than its record, the connection is broken instead of completing the
 * response.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileRecord,
  openBlob: OpenBlob,
): Promise<FastifyReply> {
  const { range, 'if-range': ifRange } = request.headers;
  const etag = `"${file.sha256}"`;
  if (checkPreconditions(request.headers, etag))
    return reply.code(304).headers({ etag, 'cache-control': REVALIDATE }).send();

  // Null to send the whole file.
  const requestedRange =
    request.method === 'GET' && (ifRange === undefined || ifRange === etag) ? byteRange(range, file.size) : null;
  if (requestedRange === 'unsatisfiable')
    return refuse('range_not_satisfiable', `The requested range is outside the file, which has ${file.size} bytes.`, {
      size: file.size,
    });
  const { start, end } = requestedRange ?? { start: 0, end: file.size };
  const content = request.method === 'HEAD' ? null : await openBlob(file.sha256, requestedRange ?? undefined);

  if (requestedRange) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${file.size}`);
  reply.type(file.contentType).headers({
    etag,
    'content-length': end - start,
    'accept-ranges': 'bytes',
    'cache-control': REVALIDATE,
    'content-disposition': contentDisposition(file.fileName),
    'content-security-policy': "sandbox; default-src 'none'",
  });
  if (!content) return reply.send();
  reply.raw.setTimeout(IDLE_MS); // Node closes the connection after 30 s without progress
  return reply.send(
    assertLength(content, end - start, (error) =>
      request.caller.log.error({ err: error, sha256: file.sha256 }, 'download aborted'),
    ),
  );
}

// Holds one chunk back until the next one, or the end, proves that the length is right.
function assertLength(content: Readable, length: number, onError: (error: Error) => void): Readable {
  let bytes = 0;
  let lastChunk: Buffer | undefined;
  const wrongLength = (): Error =>
    new Error(`The content has ${bytes > length ? 'more' : 'fewer'} bytes than the ${length} of its record`);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const before = lastChunk;
      lastChunk = chunk;
      bytes += chunk.length;
      if (bytes > length) done(wrongLength());
      else done(null, before);
    },
    flush(done) {
      if (bytes === length) done(null, lastChunk);
      else done(wrongLength());
    },
  });
  return pipeline(content, counted, (error) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onError(error);
  });
}
