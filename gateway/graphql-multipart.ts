// Files on /graphql: a multipart request becomes the JSON request it stands for, with an Upload where the file goes.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { processRequest } from 'graphql-upload-minimal';
import { limited, Upload } from '../http/request/upload.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';

const ENVELOPE_BYTES = 1024 * 1024; // the operation and the boundaries around the file

/** Is the body a multipart form? */
export function isMultipart({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/form-data') ?? false;
}

/**
 * Refuses, before a byte of the body is read, what a foreign web page could send in a person's name (multipart needs no preflight, so
 * the header `apollo-require-preflight` is asked for) and what states a length that is too large.
 */
export function refuseBadMultipart({ headers }: FastifyRequest, maxBytes: number): void {
  if (!headers['apollo-require-preflight'])
    throw new DomainError('validation_failed', 'A multipart request needs the header apollo-require-preflight.');
  const length = Number(headers['content-length'] ?? 0);
  if (length > maxBytes + ENVELOPE_BYTES)
    throw new DomainError('file_too_large', `A file may have ${maxBytes} bytes.`, { maxBytes });
}

/**
 * Reads the operation of a multipart request, with one file at most; the file is read when the operation runs, its bytes counted. Refuses
 * what is no such request, and several files, with words of what is wrong with it.
 */
export async function readMultipart(request: FastifyRequest, reply: FastifyReply, maxBytes: number): Promise<unknown> {
  try {
    const operation: unknown = await processRequest(request.raw, reply.raw, {
      maxFiles: 1,
      maxFieldSize: ENVELOPE_BYTES,
    });
    return withLimit(operation, maxBytes);
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
}

// whatever the parser finds wrong is wrong with the request
function refusal(found: string): DomainError {
  if (found.includes('max file uploads'))
    return new DomainError('validation_failed', 'An operation takes one file: send each with an operation of its own.');
  if (found.includes('byte size limit'))
    return new DomainError('file_too_large', `The fields beside the file may have ${ENVELOPE_BYTES} bytes.`, {
      maxBytes: ENVELOPE_BYTES,
    });
  const why = found.startsWith('graphql-upload-minimal') ? 'it has neither operations nor a file' : found;
  return new DomainError(
    'validation_failed',
    `The body is no request by the GraphQL multipart request specification: ${why}`,
  );
}

function withLimit(value: unknown, maxBytes: number): unknown {
  if (value instanceof Upload) return limited(value, maxBytes);
  if (Array.isArray(value)) return value.map((item) => withLimit(item, maxBytes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withLimit(item, maxBytes)]));
}
