import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { parseJson } from '../../subgraphs/core/domain/text/parse-json.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_MS = 10_000;

/**
 * Reads the JSON body of a request; undefined when it is empty. Refuses one over 1 MiB (`file_too_large`) and
 * what parseJson refuses (`validation_failed`), and breaks off a client that takes more than 10 s to send it (`request_timeout`).
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const bytes = await allOf(request);
  return bytes.length ? parseJson(bytes) : undefined;
}

function allOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', settle).off('error', settle).off('close', broken).pause();
      if (error) reject(error);
      else resolve(Buffer.concat(chunks, size));
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > MOST_BYTES) settle(tooLarge());
      else chunks.push(chunk);
    };
    const broken = (): void => settle(new Error('The client left before it had sent its body'));
    const timer = setTimeout(() => settle(tooSlow()), MOST_MS);
    request.on('data', take).on('end', settle).on('error', settle).on('close', broken);
  });
}

function tooLarge(): DomainError {
  return new DomainError('file_too_large', `A JSON body may have at most ${MOST_BYTES} bytes.`, {
    maxBytes: MOST_BYTES,
  });
}

function tooSlow(): DomainError {
  return new DomainError('request_timeout', `The body did not arrive within ${MOST_MS / 1000} s.`);
}
