// Clients that try to starve others: they open many connections and misbehave.
import { connect, type Socket } from 'node:net';

export type Attack = {
  /**
   * Opens `connections` that send `head`, then `piece` every 100 ms, and opens each again when it is closed. `isDeaf`:
   * they do not read.
   */
  open(connections: number, head: string, options?: { piece?: string; isDeaf?: boolean }): void;
  stop(): void;
};

/** Creates an attack on the service at this URL. */
export function createAttack(url: string): Attack {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isStopped = false;

  const openOne = (head: string, piece: string, isDeaf: boolean): void => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    sockets.add(socket);
    const dripping = piece ? setInterval(() => socket.writable && socket.write(piece), 100) : undefined;
    if (isDeaf) socket.pause();
    else socket.resume();
    socket
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(dripping);
        sockets.delete(socket);
        if (!isStopped) openOne(head, piece, isDeaf);
      });
  };

  return {
    open(connections, head, { piece = '', isDeaf = false } = {}) {
      for (let n = 0; n < connections; n++) openOne(head, piece, isDeaf);
    },
    stop() {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Returns the head of an HTTP request. */
export const requestHead = (method: string, path: string, headers: Record<string, string> = {}): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
