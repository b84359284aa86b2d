// A file on its way through an operation: the variable of type Upload, and the count of its bytes.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, type Readable, Transform } from 'node:stream';
import { type FileUpload, Upload } from 'graphql-upload-minimal';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';

export { Upload };

export type FileMeta = {
  filename: string;
  mimetype: string;
  /** Bytes; a longer file fails with file_too_large while it is read. */
  maxBytes?: number;
};

/** Makes the Upload variable of an operation from a raw body. It can be read once. */
export function uploadOf(
  readable: Readable,
  { filename, mimetype, maxBytes = Number.POSITIVE_INFINITY }: FileMeta,
): Upload {
  return resolvedUpload({
    filename,
    mimetype,
    encoding: 'binary',
    fieldName: 'file',
    createReadStream: once(() => atMost(readable, maxBytes)),
  });
}

/** The same upload with its bytes counted: the multipart parser's own limit cuts a file short and never ends the request. */
export function limited(upload: Upload, maxBytes: number): Upload {
  return changed(upload, (file) => ({
    ...file,
    createReadStream: once(() => atMost(file.createReadStream(), maxBytes)),
  }));
}

/** The same upload under another file name. */
export function renamed(upload: Upload, rename: (filename: string) => string): Upload {
  return changed(upload, (file) => ({ ...file, filename: rename(file.filename) }));
}

/**
 * Passes at most `maxBytes` on, then fails with file_too_large. The source is let go, not destroyed: a request that is refused
 * has yet to be answered on the same connection.
 */
export function atMost(source: Readable, maxBytes: number): Readable {
  let bytes = 0;
  const counted = new Transform({
    highWaterMark: 262_144,
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        done(new DomainError('file_too_large', `The file has more than ${maxBytes} bytes.`, { maxBytes }));
      else done(null, chunk);
    },
  });
  finished(source, { writable: false }, (error) => {
    if (error) counted.destroy(error);
  });
  counted.once('close', () => source.unpipe(counted));
  return source.pipe(counted);
}

/**
 * Makes sure that a client whose request is answered before its body was read gets the answer instead of a broken connection: what it still sends is
 * taken after the answer, up to a bound. The connection is not announced to end, or Node would end it with the answer, under a client that is sending.
 */
export function answerBeforeBody(request: IncomingMessage, response: ServerResponse, bytes?: number): void {
  if (request.complete) return;
  response.once('finish', () => {
    request.unpipe();
    drain(request, bytes);
  });
}

/** Takes and forgets at most so many bytes of a stream, then destroys it. */
export function drain(source: Readable, bytes = 16 * 1024 * 1024): void {
  let left = bytes;
  source.on('error', () => undefined);
  source.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) source.destroy();
  });
  source.resume();
}

function once(createReadStream: () => Readable): FileUpload['createReadStream'] {
  let read = false;
  return () => {
    if (read) throw new Error('An upload can be read once');
    read = true;
    return createReadStream() as ReturnType<FileUpload['createReadStream']>;
  };
}

// The package's types leave out `resolve` and `reject`, which its own request parser uses.
type Settled = Upload & { resolve(file: FileUpload): void; reject(error: unknown): void };
const resolverOf = (upload: Upload) => (file: FileUpload) => (upload as Settled).resolve(file);
const rejecterOf = (upload: Upload) => (error: unknown) => (upload as Settled).reject(error);

function changed(upload: Upload, change: (file: FileUpload) => FileUpload): Upload {
  const result = new Upload();
  result.promise.catch(() => undefined);
  upload.promise.then(change).then(resolverOf(result), (error: unknown) => rejecterOf(result)(missing(error)));
  return result;
}

// a request that promised a file and did not bring it
function missing(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  return new DomainError('validation_failed', `The file did not arrive: ${error.message}`);
}

function resolvedUpload(file: FileUpload): Upload {
  const upload = new Upload();
  upload.promise.catch(() => undefined); // a refusal before the resolver must not end the process
  resolverOf(upload)(file);
  return upload;
}
