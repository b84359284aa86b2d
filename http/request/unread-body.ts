// A request that is refused before its body was read. Closing at once would break the connection under a client that is still sending:
// it would see a reset instead of the answer. So the answer goes out in full, then what still comes is taken and dropped, up to a bound.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { waited } from '../../subgraphs/core/platform/waited.ts';

// What a busy client has sent before it looks at the answer; the time is the bound that counts.
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_MS = 2_000;

/** Has the client announced a body that nobody has read to its end? */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return (encoding !== undefined || Number(length ?? 0) > 0) && !request.readableEnded;
}

/** The answer as a stream that ends once the rest of the request has come, or 16 MiB of it, or 2 s have passed; for a connection that closes then. */
export function answerThenDrain(answer: Buffer, request: IncomingMessage): Readable {
  async function* answered(): AsyncGenerator<Buffer> {
    yield answer;
    await drained(request);
  }
  return Readable.from(answered(), { objectMode: false });
}

async function drained(request: IncomingMessage): Promise<void> {
  const over = new AbortController();
  let size = 0;
  const end = (): void => over.abort();
  const drop = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > MOST_BYTES) end();
  };
  request.on('data', drop).once('end', end).once('close', end).on('error', end);
  request.resume();
  await waited(MOST_MS, over.signal);
  request.off('data', drop).off('end', end).off('close', end);
}
