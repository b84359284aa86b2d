import type { IncomingMessage } from 'node:http';

const EVERY_MS = 5_000;
const LEAST_BYTES = 5 * 1024;

/** Ends the connection of a body that brings less than 1 KiB/s over 5 s while the service is waiting for it. */
export function cutOffWhenSlow(request: IncomingMessage, everyMs = EVERY_MS): void {
  const { socket } = request;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const brought = socket.bytesRead - seen;
    seen = socket.bytesRead;
    const waiting = request.readableFlowing === true && !request.complete;
    if (waiting && brought < LEAST_BYTES) request.destroy(new Error('The body came too slowly'));
  }, everyMs);
  timer.unref();
  request.once('close', () => clearInterval(timer));
}
