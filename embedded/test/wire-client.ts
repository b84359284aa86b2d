// A client of the wire protocol without a driver.
import { createConnection, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A connection that sends exactly the given commands or bytes, even those a driver would correct. */
export type WireClient = {
  command(body: Document, flags?: number, options?: BSON.DeserializeOptions): Promise<Document>;
  sendRaw(bytes: Buffer): Promise<Buffer>;
  close(): void;
};

export async function wireClient(uri: string): Promise<WireClient> {
  const address = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(uri)?.[1] ?? '');
  const [host = '', port] = address.split(':');
  const socket: Socket = address.startsWith('/') ? createConnection(address) : createConnection(Number(port), host);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  let received = Buffer.alloc(0);
  const pending: ((message: Buffer | Error) => void)[] = [];
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
      const length = received.readInt32LE(0);
      pending.shift()?.(received.subarray(0, length));
      received = received.subarray(length);
    }
  });
  socket.on('close', () => {
    for (const settle of pending.splice(0)) settle(new Error('the server closed the connection'));
  });
  socket.on('error', () => socket.destroy());
  const sendRaw = (bytes: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      pending.push((message) => (message instanceof Error ? reject(message) : resolve(message)));
      socket.write(bytes);
    });
  let lastId = 0;
  return {
    sendRaw,
    async command(body, flags = 0, options = {}) {
      const bytes = BSON.serialize(body);
      const head = Buffer.alloc(21);
      head.writeInt32LE(21 + bytes.length, 0);
      head.writeInt32LE(++lastId, 4);
      head.writeInt32LE(2013, 12);
      head.writeUInt32LE(flags, 16);
      const reply = await sendRaw(Buffer.concat([head, bytes]));
      return BSON.deserialize(reply.subarray(21), options);
    },
    close: () => socket.destroy(),
  };
}
