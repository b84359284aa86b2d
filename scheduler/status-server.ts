import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError } from '../subgraphs/core/platform/listen-error.ts';
import type { SchedulerMetrics } from './metrics.ts';
import type { SchedulerStatus } from './status.ts';
import type { AccessRequest, AccessStatus } from './status-access.ts';
import { renderStatusPage } from './status-page.ts';

type Content = { contentType: string; text: string };

/** Serves `/scheduler/status` (JSON, or HTML for a browser) and `/metrics` if `checkAccess` returns 200. */
export async function serveStatus(
  { host, port }: { host: string; port: number },
  {
    status,
    metrics,
    checkAccess,
  }: {
    status: () => SchedulerStatus;
    metrics: SchedulerMetrics;
    checkAccess: (request: AccessRequest) => Promise<AccessStatus>;
  },
): Promise<{ url: string; close(): Promise<void> }> {
  const routes: Record<string, (request: IncomingMessage) => Promise<Content> | Content> = {
    '/scheduler/status': ({ headers }) =>
      wantsPage(headers.accept)
        ? { contentType: 'text/html; charset=utf-8', text: renderStatusPage(status()) }
        : { contentType: 'application/json', text: `${JSON.stringify(status(), null, 2)}\n` },
    '/metrics': async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
  };
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const route = routes[new URL(request.url ?? '/', 'http://scheduler').pathname];
    if (!route)
      return send(response, 404, {
        contentType: 'text/plain',
        text: 'Not found. Available: /scheduler/status and /metrics.\n',
      });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, 405, { contentType: 'text/plain', text: 'Method not allowed. Use GET.\n' });
    const { headers, socket } = request;
    checkAccess({ headers, remoteAddress: socket.remoteAddress })
      .then(async (status) =>
        status === 200 ? send(response, 200, await route(request)) : sendAccessError(response, status),
      )
      .catch((error: Error) => send(response, 500, { contentType: 'text/plain', text: `${error.message}\n` }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port, 'PDM_SCHEDULER_PORT')));
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const MESSAGES: Record<Exclude<AccessStatus, 200>, string> = {
  401: 'Requests from another machine need a token with a read role: Authorization: Bearer pdm_…',
  403: 'A token with the role worker has no access.',
  429: 'Too many invalid tokens. Try again in a minute.',
  503: 'The API is unavailable, so the token cannot be checked. Try again later.',
};

function sendAccessError(response: ServerResponse, status: Exclude<AccessStatus, 200>): void {
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (status === 429) response.setHeader('retry-after', '60');
  send(response, status, { contentType: 'text/plain', text: `${MESSAGES[status]}\n` });
}

function send(response: ServerResponse, status: number, { contentType, text }: Content): void {
  response
    .writeHead(status, {
      'content-type': contentType,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .end(text);
}

function wantsPage(accept = ''): boolean {
  return accept.split(',').some((type) => type.trim().startsWith('text/html'));
}
