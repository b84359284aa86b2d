import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';
import type { SchedulerStatus } from './status.ts';
import type { Admission, Asking } from './status-access.ts';
import { statusPage } from './status-page.ts';

type Answer = { contentType: string; text: string };

/**
 * Serves `/scheduler/status` (JSON, or a page for a browser) and `/metrics` to whom `admit` lets in; nothing else, and nothing that names a
 * document.
 */
export async function serveStatus(
  { host, port }: { host: string; port: number },
  {
    status,
    metrics,
    admit,
  }: { status: () => SchedulerStatus; metrics: Metrics; admit: (request: Asking) => Promise<Admission> },
): Promise<{ url: string; close(): Promise<void> }> {
  const answers: Record<string, (request: IncomingMessage) => Promise<Answer> | Answer> = {
    '/scheduler/status': ({ headers }) =>
      wantsPage(headers.accept)
        ? { contentType: 'text/html; charset=utf-8', text: statusPage(status()) }
        : { contentType: 'application/json', text: `${JSON.stringify(status(), null, 2)}\n` },
    '/metrics': async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
  };
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const answer = answers[new URL(request.url ?? '/', 'http://scheduler').pathname];
    if (!answer)
      return send(response, 404, { contentType: 'text/plain', text: 'There is /scheduler/status and /metrics.\n' });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, 405, { contentType: 'text/plain', text: 'GET only.\n' });
    const { headers, socket } = request;
    admit({ headers, remoteAddress: socket.remoteAddress })
      .then(async (admission) =>
        admission === 200 ? send(response, 200, await answer(request)) : refuse(response, admission),
      )
      .catch((error: Error) => send(response, 500, { contentType: 'text/plain', text: `${error.message}\n` }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} is in use. Stop what uses it, or set PDM_SCHEDULER_PORT to another.`)
          : error,
      ),
    );
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

const REFUSALS: Record<Exclude<Admission, 200>, string> = {
  401: 'From another machine this needs a token that may read: Authorization: Bearer pdm_…',
  403: 'A token of the role worker does not see this.',
  429: 'Too many wrong tokens. Try again in a minute.',
  503: 'The API cannot be asked whose token this is. Try again in a moment.',
};

function refuse(response: ServerResponse, status: Exclude<Admission, 200>): void {
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (status === 429) response.setHeader('retry-after', '60');
  send(response, status, { contentType: 'text/plain', text: `${REFUSALS[status]}\n` });
}

function send(response: ServerResponse, status: number, { contentType, text }: Answer): void {
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
