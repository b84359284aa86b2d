// Creates the HTTP server and checks the Host header.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Config } from '../subgraphs/core/platform/config.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { mountCors } from './cors.ts';
import { sendUnknownHost, sendUnroutable } from './response/unroutable.ts';

const HEALTH_PATH = '/api/v1/health';
/** The host names of this machine to itself. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Creates the HTTP server without listening. Headers must arrive within 5 s and fit into 16 KiB; routes limit their
 * bodies. A Host other than loopback and that of PDM_PUBLIC_URL is rejected, against DNS rebinding. The health route
 * accepts any Host: monitors address it by IP, and it returns no stored data. A request that names an authority in its
 * target (absolute form) must name that of Host.
 */
export function createHttpServer(config: Config, log: Log): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 300 },
    trustProxy: config.PDM_TRUSTED_PROXIES ?? false, // others may not set X-Forwarded-*
    forceCloseConnections: 'idle',
    return503OnClosing: false, // requests on open connections are still served while the server closes
    frameworkErrors: sendUnroutable,
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/') ? url : withoutAuthority(url)),
    keepAliveTimeout: 10_000,
    requestTimeout: 0,
    // A request without Host is rejected below, with a problem response.
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 5_000,
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
  });
  // Node responds to 100-continue itself; other expectations are ignored, as RFC 9110 allows.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const publicHost = config.PDM_PUBLIC_URL ? new URL(config.PDM_PUBLIC_URL).hostname : null;
  const warnOfProxy = createProxyWarning(log);
  app.addHook('onRequest', async (request, reply) => {
    warnOfProxy(request);
    const target = ABSOLUTE_FORM.exec(request.originalUrl)?.groups?.authority;
    if (target !== undefined && target.toLowerCase() !== request.headers.host?.toLowerCase())
      return sendUnknownHost(request, reply, target);
    if (request.routeOptions.url === HEALTH_PATH) return;
    const host = request.hostname;
    if ((config.PDM_ALLOW_PLAIN_HTTP && host) || LOOPBACK_HOSTS.has(host) || host === publicHost) return;
    return sendUnknownHost(request, reply);
  });
  mountCors(app, config.PDM_CORS_ORIGINS);
  return app;
}

const ABSOLUTE_FORM = /^[a-z][a-z\d+.-]*:\/\/(?<authority>[^/?#]*)(?<path>.*)$/i;

function withoutAuthority(url: string): string {
  const { path } = ABSOLUTE_FORM.exec(url)?.groups ?? {};
  return path === undefined ? url : path.replace(/^(?!\/)/, '/');
}

// Behind a proxy that is not trusted, all clients have its address: in the audit log, and for limits of anonymous clients.
function createProxyWarning(log: Log): (request: FastifyRequest) => void {
  let warned = false;
  return ({ headers, ip, socket }) => {
    if (warned || ip !== socket.remoteAddress || !(headers['x-forwarded-for'] ?? headers.forwarded)) return;
    warned = true;
    log.warn(
      { address: ip },
      `A request from ${ip} has a forwarding header that is not trusted. If this is your proxy, set PDM_TRUSTED_PROXIES=${ip}: otherwise all its clients count as one address.`,
    );
  };
}
