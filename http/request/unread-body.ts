// Responds to a request before its body was read. Closing at once would reset the connection of a client that is still
// sending, before it sees the response; so the response is sent in full, then the rest of the body is discarded, up to
// a limit.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { sleep } from '../../subgraphs/core/platform/sleep.ts';

// About what a busy client sends before it reads the response. Usually the time limit applies first.
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MS = 2_000;

/** Whether the request announced a body that has not been read to its end. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return (encoding !== undefined || Number(length ?? 0) > 0) && !request.readableEnded;
}

/**
 * Returns the response as a stream that ends after the rest of the request, 16 MiB of it, or 2 s. The connection closes
 * then.
 */
export function respondThenDrain(response: Buffer, request: IncomingMessage): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield response;
    await drainRest(request);
  }
  return Readable.from(chunks(), { objectMode: false });
}

async function drainRest(request: IncomingMessage): Promise<void> {
  const done = new AbortController();
  let size = 0;
  const end = (): void => done.abort();
  const discard = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > MAX_BYTES) end();
  };
  request.on('data', discard).once('end', end).once('close', end).on('error', end);
  request.resume();
  await sleep(MAX_MS, done.signal);
  request.off('data', discard).off('end', end).off('close', end);
}
