// Files as variables of GraphQL operations: creates Upload variables and limits their size.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, type Readable, Transform } from 'node:stream';
import { type FileUpload, Upload } from 'graphql-upload-minimal';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';

export { Upload };

export type FileMeta = {
  filename: string;
  mimetype: string;
  /** Bytes; reading a longer file fails with `file_too_large`. */
  maxBytes?: number;
};

/** Creates the Upload variable of an operation from a raw body. It can be read once. */
export function createUpload(
  readable: Readable,
  { filename, mimetype, maxBytes = Number.POSITIVE_INFINITY }: FileMeta,
): Upload {
  return resolvedUpload({
    filename,
    mimetype,
    encoding: 'binary',
    fieldName: 'file',
    createReadStream: readOnce(() => limitBytes(readable, maxBytes)),
  });
}

/**
 * Limits the size of an upload, and converts errors of its stream. The file ends only when `requestEnd` resolves, and
 * fails if it rejects. The multipart parser's own limit would truncate the file silently and never end the request.
 */
export function limitUpload(
  upload: Upload,
  maxBytes: number,
  convertError: (error: unknown) => Error,
  requestEnd: Promise<void>,
): Upload {
  const open = (file: FileUpload): Readable => {
    try {
      return file.createReadStream(); // throws if the stream has failed already
    } catch (error) {
      throw convertError(error);
    }
  };
  return mapUpload(upload, (file) => ({
    ...file,
    createReadStream: readOnce(() => limitBytes(open(file), maxBytes, convertError, requestEnd)),
  }));
}

/** Changes the file name of an upload. */
export function renameUpload(upload: Upload, rename: (filename: string) => string): Upload {
  return mapUpload(upload, (file) => ({ ...file, filename: rename(file.filename) }));
}

/**
 * Passes at most `maxBytes` on, then fails with `file_too_large`. The source is unpiped, not destroyed: the response
 * still has to be sent on its connection.
 */
export function limitBytes(
  source: Readable,
  maxBytes: number,
  convertError: (error: Error) => Error = (error) => error,
  requestEnd: Promise<void> = Promise.resolve(),
): Readable {
  let bytes = 0;
  const counted = new Transform({
    highWaterMark: 262_144,
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        done(new DomainError('file_too_large', `The file exceeds ${maxBytes} bytes.`, { maxBytes }));
      else done(null, chunk);
    },
    flush(done) {
      requestEnd.then(
        () => done(),
        (error) => done(convertError(error)),
      );
    },
  });
  finished(source, { writable: false }, (error) => {
    if (error) counted.destroy(convertError(error));
  });
  counted.once('close', () => source.unpipe(counted));
  return source.pipe(counted);
}

/**
 * Discards the rest of the body after the response, up to a limit, so that a client that is still sending receives the
 * response instead of a reset. No `Connection: close` is announced: Node would close the connection right after the
 * response.
 */
export function drainAfterResponse(request: IncomingMessage, response: ServerResponse, bytes?: number): void {
  if (request.complete) return;
  response.once('finish', () => {
    request.unpipe();
    drain(request, bytes);
  });
}

/** Discards up to `bytes` of a stream, then destroys it. */
export function drain(source: Readable, bytes = 16 * 1024 * 1024): void {
  let remaining = bytes;
  source.on('error', () => undefined);
  source.on('data', (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining < 0) source.destroy();
  });
  source.resume();
}

function readOnce(createReadStream: () => Readable): FileUpload['createReadStream'] {
  let isRead = false;
  return () => {
    if (isRead) throw new Error('An upload can be read only once');
    isRead = true;
    return createReadStream() as ReturnType<FileUpload['createReadStream']>;
  };
}

// The package's types omit `resolve` and `reject`, which its own request parser uses.
type SettleableUpload = Upload & { resolve(file: FileUpload): void; reject(error: unknown): void };
const resolverOf = (upload: Upload) => (file: FileUpload) => (upload as SettleableUpload).resolve(file);
const rejecterOf = (upload: Upload) => (error: unknown) => (upload as SettleableUpload).reject(error);

function mapUpload(upload: Upload, change: (file: FileUpload) => FileUpload): Upload {
  const result = new Upload();
  result.promise.catch(() => undefined);
  upload.promise.then(change).then(resolverOf(result), (error: unknown) => rejecterOf(result)(uploadError(error)));
  return result;
}

// The request announced a file and did not contain it.
function uploadError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  return new DomainError('validation_failed', `The request does not contain the file: ${error.message}`);
}

function resolvedUpload(file: FileUpload): Upload {
  const upload = new Upload();
  upload.promise.catch(() => undefined); // a rejection that no resolver awaits must not end the process
  resolverOf(upload)(file);
  return upload;
}
