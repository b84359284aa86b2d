// The API: four subgraphs behind the gateway, and its faces on one HTTP server: REST, GraphQL and the start page.
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { mountRest } from '../rest-adapter/app.ts';
import { requestIdOf } from '../rest-adapter/request-id.ts';
import { mountSchedulerStatus } from '../rest-adapter/scheduler-status.ts';
import { mountSessions } from '../rest-adapter/session-routes.ts';
import type { Config } from '../subgraphs/core/config.ts';
import { health } from '../subgraphs/core/health.ts';
import type { Log } from '../subgraphs/core/log.ts';
import { checkSigned } from '../subgraphs/core/signed-link.ts';
import { openBlob } from '../subgraphs/core/store/blobs.ts';
import { keepAnswer, keptUnder } from '../subgraphs/core/store/idempotency.ts';
import { find } from '../subgraphs/core/store/records.ts';
import { isCollection, seenRecord } from '../subgraphs/core/store/seen-record.ts';
import { runningJobs, waitingJobs } from '../subgraphs/core/store/waiting-jobs.ts';
import { version } from '../subgraphs/core/version.ts';
import type { Services } from '../subgraphs/core/work.ts';
import { eventTail } from '../subgraphs/documents/event-tail.ts';
import { type IdentityProvider, identityProvider } from '../subgraphs/documents/oidc.ts';
import { forgetSignIns } from '../subgraphs/documents/sign-ins.ts';
import { doorOf } from './context.ts';
import { createGateway } from './gateway.ts';
import { createHttp } from './http.ts';
import { identityKey } from './identity.ts';
import { inFlight } from './in-flight.ts';
import { mountMetrics } from './metrics.ts';
import { mountPage } from './page.ts';
import { queueHistory, startSampling } from './queue-history.ts';
import { rateLimit, rateOf } from './rate-limit.ts';
import { secretOf } from './secret.ts';
import { mountGraphql } from './server.ts';
import { credentialsOf } from './session-cookie.ts';
import { sessionsOf } from './sessions.ts';
import { subgraphsOf } from './subgraphs.ts';
import { mountWebPage } from './web-page.ts';

export type ApiOptions = {
  /** What the scheduler that runs beside it says of itself; null when there is none. */
  scheduler(): Promise<unknown>;
  /** Asks the store by itself now and then, how long the queue is. */
  samples: boolean;
};

/** Starts the API; `url` is where it answers on this machine. `stop` ends long polls, lets requests in flight finish, then closes. */
export async function startApi(
  config: Config,
  services: Services,
  { scheduler, samples }: ApiOptions,
): Promise<{ url: string; warm(): void; stop(): Promise<void> }> {
  const { log } = services;
  const subgraphs = await subgraphsOf(config, services);
  const gateway = await createGateway({
    subgraphs,
    key: identityKey(secretOf(config.PDM_DATA_DIR)),
    log,
    executor: config.GATEWAY_EXECUTOR,
    // what was changed there may be a token or a user
    wroteTo: (name) => name === 'documents' && forgetSignIns(services),
  });
  const door = doorOf(services, providerOf(config, log));

  const authenticate = (request: FastifyRequest) => door.authenticate(credentialsOf(request, config));
  const admit = rateLimit(rateOf(config.PDM_RATE_LIMIT));
  const atOnce = inFlight({
    requests: config.PDM_MOST_REQUESTS,
    uploads: config.PDM_MOST_UPLOADS,
    streams: config.PDM_MOST_STREAMS,
  });
  const app = createHttp(config, log);
  mountMetrics(app, {
    authenticate: door.authenticate,
    store: { health: () => health(services, version), waiting: () => waitingJobs({ db: services.mongo.db }) },
  });
  await mountRest(app, {
    execute: gateway.execute,
    prepare: gateway.prepare,
    schema: gateway.schema,
    authenticate,
    admit,
    inFlight: atOnce,
    health: () => health(services, version),
    events: eventTail(services),
    look: async (word, id) => (isCollection(word) ? seenRecord({ db: services.mongo.db }, word, id) : null),
    once: {
      kept: (id) => keptUnder({ db: services.mongo.db }, id, services.clock()),
      keep: (once, answer) => keepAnswer({ db: services.mongo.db }, once, answer),
    },
    checkLink: (path, query) => checkSigned(services.links.key, path, query, services.clock()),
    blobSize: async (sha256) => (await find({ db: services.mongo.db }, 'blobs', sha256))?.size ?? null,
    openBlob: (sha256, range) => openBlob({ db: services.mongo.db }, sha256, range),
    limits: services.limits,
    log,
    version,
  });
  await mountSessions(app, { sessions: sessionsOf(services, door, admit), settings: config, log });
  const queue = async () => {
    const [waiting, running] = await Promise.all([
      waitingJobs({ db: services.mongo.db }),
      runningJobs({ db: services.mongo.db }),
    ]);
    return { waiting, running };
  };
  const history = queueHistory();
  await mountSchedulerStatus(app, { authenticate, admit, scheduler, queue, history, log });
  if (config.PDM_GRAPHQL)
    await mountGraphql(app, {
      gateway,
      log,
      requestId: ({ headers }) => requestIdOf(headers['x-request-id']),
      authenticate: (request) => door.authenticate(credentialsOf(request, config, { isQuery: true })),
      admit,
      inFlight: atOnce,
      introspection: config.PDM_GRAPHQL_INTROSPECTION,
      maxUploadBytes: services.limits.maxUploadBytes,
    });
  const page = mountWebPage(app, { log, reload: config.PDM_PAGE_RELOAD });
  mountPage(app, '/api/v1/docs', 'docs.html');

  await app.listen({ host: config.PDM_HOST, port: config.PDM_PORT }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`port ${config.PDM_PORT} is in use. Stop what uses it, or set PDM_PORT to another.`)
      : error;
  });
  const sampling = samples ? startSampling(history, queue, log) : null;
  void gateway.warm();
  return {
    url: addressOf(app.server.address(), config.PDM_HOST),
    warm: page.warm,
    stop: async () => {
      services.dispatch.close();
      sampling?.stop();
      // a connection whose long poll was just answered is kept alive otherwise
      const idle = setInterval(() => app.server.closeIdleConnections(), 50);
      await app.close();
      clearInterval(idle);
      await gateway.close();
    },
  };
}

function providerOf(
  { OIDC_ISSUER, OIDC_AUDIENCE, OIDC_ROLE_CLAIM, OIDC_AUTOCREATE }: Config,
  log: Log,
): IdentityProvider | null {
  if (!OIDC_ISSUER || !OIDC_AUDIENCE) return null;
  return identityProvider(
    { issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE, roleClaim: OIDC_ROLE_CLAIM, autocreate: OIDC_AUTOCREATE },
    log,
  );
}

function addressOf(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
}
