import type { Socket } from 'node:net';
import { StoreError } from './errors.ts';
import { failure } from './reply.ts';
import { frameReply, messageReader, parseMessage, type Reply, type Request } from './wire.ts';

/** One client. `appName` is what it called itself in its handshake. */
export type Connection = { id: number; appName?: string };

/** Answers a request; null closes the connection instead. */
export type Handler = (request: Request, connection: Connection) => Promise<Reply | null>;

const MOST_WAITING = 64;
let connections = 0;

/** Serves one socket: requests are answered in their order, and reading pauses while too many wait. */
export function serveConnection(
  socket: Socket,
  handle: Handler,
  log: (line: string) => void,
  onClose: (connection: Connection) => void,
): void {
  const connection: Connection = { id: ++connections };
  const read = messageReader();
  const waiting: Buffer[] = [];
  let working = false;
  let closed = false;

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    for (let message = waiting.shift(); message && !closed; message = waiting.shift()) {
      if (socket.isPaused() && waiting.length < MOST_WAITING / 2) socket.resume();
      await answer(message);
    }
    working = false;
  }

  async function answer(message: Buffer): Promise<void> {
    let request: Request | undefined;
    try {
      request = parseMessage(message);
      const reply = await handle(request, connection);
      if (closed) return;
      if (reply === null) socket.destroy();
      else if (!request.silent && !socket.write(frameReply(request, reply))) await drained(socket);
    } catch (error) {
      // A whole message with a document that cannot be read: the next one may be in order.
      if (!request && error instanceof StoreError)
        socket.write(frameReply({ id: message.readInt32LE(4), legacy: false }, failure(error)));
      else closeOver(error);
    }
  }

  function closeOver(error: unknown): void {
    log(`connection ${connection.id} closed: ${error instanceof Error ? error.message : error}`);
    socket.destroy();
  }

  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    try {
      waiting.push(...read(chunk));
    } catch (error) {
      return closeOver(error);
    }
    if (waiting.length > MOST_WAITING) socket.pause();
    void work();
  });
  // A client that goes away is not news; the close that follows is where its things are put away.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    closed = true;
    onClose(connection);
  });
}

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
