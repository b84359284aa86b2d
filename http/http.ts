import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../subgraphs/core/platform/config.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { mountCors } from './cors.ts';
import { answerStranger, answerUnroutable } from './response/unroutable.ts';

const HEALTH = '/api/v1/health';
/** The names of this machine to itself. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * The HTTP server of the service, not yet listening. Slow clients are cut off: headers within 5 s, 16 KiB of them; bodies have the
 * limits of their routes. A Host that is neither loopback nor PDM_PUBLIC_URL's is refused (DNS rebinding), but for the health,
 * which whoever watches over the service asks for by its address, and which tells nothing of what is stored.
 */
export function createHttp(config: Config, log: Log): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 300 },
    trustProxy: config.PDM_TRUSTED_PROXIES ?? false, // X-Forwarded-* counts from nobody else
    forceCloseConnections: 'idle',
    return503OnClosing: false, // while draining, a request on a connection that is open still gets its answer
    frameworkErrors: answerUnroutable,
    keepAliveTimeout: 10_000,
    requestTimeout: 0,
    // who names no host is refused below, with a problem
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 5_000,
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
  });
  // what else is expected than 100-continue, which Node answers, is passed over as RFC 9110 allows
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const named = config.PDM_PUBLIC_URL ? new URL(config.PDM_PUBLIC_URL).hostname : null;
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === HEALTH) return;
    const host = request.hostname;
    if ((config.PDM_ALLOW_PLAIN_HTTP && host) || LOOPBACK.has(host) || host === named) return;
    return answerStranger(request, reply);
  });
  mountCors(app, config.PDM_CORS_ORIGINS);
  return app;
}
