// Listens with an HTTP server of this process.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { listenError } from '../subgraphs/core/platform/listen-error.ts';

/** Listens and returns the local URL; port 0 chooses a free port. If it is in use, the error names its setting. */
export async function listen(
  server: Pick<FastifyInstance, 'listen' | 'server'>,
  { host, port, setting }: { host: string; port: number; setting: string },
): Promise<string> {
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, port, setting);
  });
  const { port: actualPort } = server.server.address() as AddressInfo;
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${actualPort}`;
}
