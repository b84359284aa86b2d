// Uploads at /graphql: converts a multipart request into the JSON request it represents, with an Upload for the file.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { processRequest } from 'graphql-upload-minimal';
import { limitUpload, Upload } from '../http/request/upload.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';

const ENVELOPE_BYTES = 1024 * 1024; // the operation and the boundaries around the file

/** Whether the body is a multipart form. */
export function isMultipart({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/form-data') ?? false;
}

/**
 * Throws for a multipart request that must be rejected before its body is read: one without the header
 * `apollo-require-preflight`, which a foreign web page could send on behalf of a user, and one whose Content-Length is
 * too large.
 */
export function rejectInvalidMultipart({ headers }: FastifyRequest, maxBytes: number): void {
  if (!headers['apollo-require-preflight'])
    throw new DomainError(
      'validation_failed',
      'A multipart request requires the header apollo-require-preflight: true.',
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
    const operation: unknown = await processRequest(request.raw, reply.raw, {
      maxFiles: 1,
      maxFieldSize: ENVELOPE_BYTES,
    });
    return limitUploads(operation, maxBytes);
  } catch (error) {
    throw toDomainError(error instanceof Error ? error.message : String(error));
  }
}

// Every error of the parser is an error of the request.
function toDomainError(message: string): DomainError {
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

function limitUploads(value: unknown, maxBytes: number): unknown {
  if (value instanceof Upload) return limitUpload(value, maxBytes);
  if (Array.isArray(value)) return value.map((item) => limitUploads(item, maxBytes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, limitUploads(item, maxBytes)]));
}
