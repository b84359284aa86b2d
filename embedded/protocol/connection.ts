// Serves one client connection.
import type { Socket } from 'node:net';
import { StoreError } from './errors.ts';
import { errorReply } from './reply.ts';
import { createMessageReader, frameReply, parseMessage, type Reply, type Request } from './wire.ts';

export type Connection = { id: number };

/** Returns the reply to a request; null closes the connection. */
type Handler = (request: Request, connection: Connection) => Promise<Reply | null>;

const MAX_QUEUED = 64;
let connections = 0;

/** Serves one socket: replies in the order of the requests, and stops reading while too many are queued. */
export function serveConnection(
  socket: Socket,
  handle: Handler,
  log: (line: string) => void,
  onClose: (connection: Connection) => void,
): void {
  const connection: Connection = { id: ++connections };
  const read = createMessageReader();
  const queue: Buffer[] = [];
  let processing = false;
  let closed = false;

  async function processQueue(): Promise<void> {
    if (processing) return;
    processing = true;
    for (let message = queue.shift(); message && !closed; message = queue.shift()) {
      if (socket.isPaused() && queue.length < MAX_QUEUED / 2) socket.resume();
      await processMessage(message);
    }
    processing = false;
  }

  async function processMessage(message: Buffer): Promise<void> {
    let request: Request | undefined;
    try {
      request = parseMessage(message);
      const reply = await handle(request, connection);
      if (closed) return;
      if (reply === null) socket.destroy();
      else if (!request.noReply && !socket.write(frameReply(request, reply))) await waitForDrain(socket);
    } catch (error) {
      // The message was complete but its document is invalid: the connection can continue.
      if (!request && error instanceof StoreError)
        socket.write(frameReply({ id: message.readInt32LE(4), legacy: false }, errorReply(error)));
      else closeAfter(error);
    }
  }

  function closeAfter(error: unknown): void {
    log(`connection ${connection.id} closed: ${error instanceof Error ? error.message : error}`);
    socket.destroy();
  }

  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    try {
      queue.push(...read(chunk));
    } catch (error) {
      return closeAfter(error);
    }
    if (queue.length > MAX_QUEUED) socket.pause();
    void processQueue();
  });
  // A client that disconnects is not an error; the close event cleans up.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    closed = true;
    onClose(connection);
  });
}

const waitForDrain = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
