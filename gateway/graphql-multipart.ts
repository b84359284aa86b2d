// Uploads at /graphql: converts a multipart request into the JSON request it represents, with an Upload for the file.
import type { IncomingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { processRequest } from 'graphql-upload-minimal';
import { limitUpload, Upload } from '../http/request/upload.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';

const ENVELOPE_BYTES = 1024 * 1024; // the operation and the boundaries around the file

/** Whether the body is a multipart form. */
export function isMultipart({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/form-data') ?? false;
}

/** Headers that a foreign web page cannot send on behalf of a user, because they force a CORS preflight. */
export const PREFLIGHT_HEADERS = ['authorization', 'apollo-require-preflight', 'x-apollo-operation-name'];

/**
 * Throws for a multipart request that must be rejected before its body is read: one without any of the preflight
 * headers, and one whose Content-Length is too large.
 */
export function rejectInvalidMultipart({ headers }: FastifyRequest, maxBytes: number): void {
  if (!PREFLIGHT_HEADERS.some((name) => headers[name]))
    throw new DomainError(
      'validation_failed',
      'A multipart request without a Bearer token requires the header apollo-require-preflight: true.',
    );
  const length = Number(headers['content-length'] ?? 0);
  if (length > maxBytes + ENVELOPE_BYTES)
    throw new DomainError('file_too_large', `The file exceeds ${maxBytes} bytes.`, { maxBytes });
}

/**
 * Reads the operation of a multipart request, with at most one file. The file is read, up to `maxBytes`, when the
 * operation runs. Throws `validation_failed` for a malformed request.
 */
export async function readMultipart(request: FastifyRequest, reply: FastifyReply, maxBytes: number): Promise<unknown> {
  try {
    const formEnd = endOfForm(request.raw);
    const operation: unknown = await processRequest(request.raw, reply.raw, {
      maxFiles: 1,
      maxFieldSize: ENVELOPE_BYTES,
    });
    return limitUploads(operation, maxBytes, formEnd);
  } catch (error) {
    throw toDomainError(error);
  }
}

// Settles when the form has been parsed, which is after the operation has started. The package does not expose its parser.
function endOfForm(request: IncomingMessage): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => undefined); // an operation that does not read its file does not wait for it
  request.pipe = (parser) => {
    finished(parser, (error) => (error ? reject(error) : resolve()));
    return Readable.prototype.pipe.call(request, parser) as typeof parser;
  };
  return promise;
}

// Every error of the parser is an error of the request.
function toDomainError(error: unknown): DomainError {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('max file uploads'))
    return new DomainError('validation_failed', 'An operation accepts one file. Send each file in its own operation.');
  if (message.includes('byte size limit'))
    return new DomainError('file_too_large', `A form field besides the file exceeds ${ENVELOPE_BYTES} bytes.`, {
      maxBytes: ENVELOPE_BYTES,
    });
  const reason = message.startsWith('graphql-upload-minimal') ? 'it contains no operations or no file' : message;
  return new DomainError(
    'validation_failed',
    `The body does not follow the GraphQL multipart request specification: ${reason}`,
  );
}

function limitUploads(value: unknown, maxBytes: number, formEnd: Promise<void>): unknown {
  if (value instanceof Upload) return limitUpload(value, maxBytes, toDomainError, formEnd);
  if (Array.isArray(value)) return value.map((item) => limitUploads(item, maxBytes, formEnd));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, limitUploads(item, maxBytes, formEnd)]));
}
