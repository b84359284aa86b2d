import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message as a webhook receiver got it. */
export type Got = {
  id: string;
  timestamp: string;
  signature: string;
  type: string;
  body: string;
  event: { id: string; type: string; subject: string | null; data: { seq: number } };
};
export type Receiver = {
  url: string;
  got: Got[];
  answer(with_: (got: Got, response: ServerResponse) => unknown): void;
  close(): Promise<void>;
};

/** Starts a receiver on a free local port; it responds 204 by default. With a certificate it uses https. */
export async function receiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const got: Got[] = [];
  let answer = (_got: Got, response: ServerResponse): unknown => response.writeHead(204).end();
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const header = (name: string) => String(request.headers[name] ?? '');
    const body = await text(request);
    const message = {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
      type: header('content-type'),
      body,
    };
    const whole = { ...message, event: JSON.parse(body) };
    got.push(whole);
    await answer(whole, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    answer: (next) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Signs a message with a secret (`whsec_…`), as a receiver does to verify it. */
export function signatureOf(secret: string, { id, timestamp, body }: Got): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
