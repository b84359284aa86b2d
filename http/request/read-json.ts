// Reads the JSON body of a request.
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { parseJson } from '../../subgraphs/core/domain/text/parse-json.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_MS = 10_000;

/**
 * Reads and parses the JSON body of a request; undefined if it is empty. Throws `file_too_large` above 1 MiB,
 * `validation_failed` if parseJson fails, e.g. for nesting beyond `maxDepth`, and `request_timeout` if the body takes
 * longer than 10 s.
 */
export async function readJson(request: IncomingMessage, maxDepth?: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw bodyTooLarge();
  const bytes = await readBody(request);
  return bytes.length ? parseJson(bytes, 'The body', maxDepth) : undefined;
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', settle).off('error', settle).off('close', onClose).pause();
      if (error) reject(error);
      else resolve(Buffer.concat(chunks, size));
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > MAX_BYTES) settle(bodyTooLarge());
      else chunks.push(chunk);
    };
    const onClose = (): void => settle(new Error('The client disconnected before its body was complete'));
    const timer = setTimeout(() => settle(bodyTimeout()), MAX_MS);
    request.on('data', onData).on('end', settle).on('error', settle).on('close', onClose);
  });
}

function bodyTooLarge(): DomainError {
  return new DomainError('file_too_large', `The JSON body exceeds ${MAX_BYTES} bytes.`, {
    maxBytes: MAX_BYTES,
  });
}

function bodyTimeout(): DomainError {
  return new DomainError('request_timeout', `The request body did not arrive within ${MAX_MS / 1000} s.`);
}
