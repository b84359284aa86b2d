// The API server: the gateway over the four subgraphs, with REST, GraphQL and the web app on one HTTP server.
import type { FastifyRequest } from 'fastify';
import { createGateway } from '../gateway/gateway.ts';
import { mountGraphql } from '../gateway/server.ts';
import { identityKey } from '../gateway/sources/identity.ts';
import { createAdmission } from '../http/admission/admission.ts';
import { createAuthenticator } from '../http/authentication/authenticator.ts';
import { createRateLimit, parseRate } from '../http/authentication/rate-limit.ts';
import { readCredentials } from '../http/authentication/session-cookie.ts';
import { mountSessions } from '../http/authentication/session-routes.ts';
import { createSessions } from '../http/authentication/sessions.ts';
import { mountDocumentation } from '../http/documentation/mount-documentation.ts';
import { createHttpServer } from '../http/http.ts';
import { mountAdministrationStatus } from '../http/metrics/administration-status.ts';
import { mountMetrics } from '../http/metrics/metrics.ts';
import { createQueueHistory, startSampling } from '../http/metrics/queue-history.ts';
import { mountSchedulerStatus } from '../http/metrics/scheduler-status.ts';
import { requestIdFromHeader } from '../http/request/request-id.ts';
import { mountStaticPage } from '../http/web-page/page.ts';
import { mountProblemPages } from '../http/web-page/problem-pages.ts';
import { mountWebPage } from '../http/web-page/web-page.ts';
import { mountRest } from '../rest-adapter/app.ts';
import { health } from '../subgraphs/core/health.ts';
import { type Config, describeSettings } from '../subgraphs/core/platform/config.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { readOrCreateSecret } from '../subgraphs/core/platform/secret.ts';
import { verifySignedPath } from '../subgraphs/core/platform/signed-link.ts';
import { version } from '../subgraphs/core/platform/version.ts';
import { openBlob } from '../subgraphs/core/store/files/blobs.ts';
import { findStoredWrite, storeResponse } from '../subgraphs/core/store/idempotency.ts';
import { countRunningJobs, countWaitingJobs } from '../subgraphs/core/store/jobs/job-counts.ts';
import { isCollectionName, readTag } from '../subgraphs/core/store/query/optimistic-lock.ts';
import { find } from '../subgraphs/core/store/query/records.ts';
import { STORE_FORMAT } from '../subgraphs/core/store/store-format.ts';
import type { Services } from '../subgraphs/core/work.ts';
import { invalidateCredentials } from '../subgraphs/documents/access/credential-cache.ts';
import { createIdentityProvider, type IdentityProvider } from '../subgraphs/documents/access/oidc.ts';
import { createEventTail } from '../subgraphs/documents/events/event-tail.ts';
import { listen } from './listen.ts';
import { subgraphsOf } from './subgraphs.ts';

export type ApiOptions = {
  /** Returns the status of the scheduler beside this process; null if there is none. */
  scheduler(): Promise<unknown>;
  /** Whether to sample the length of the queue periodically. */
  sampleQueue: boolean;
};

/**
 * Starts the API and returns its local address. `stop` ends long polls, lets requests in flight finish, then closes.
 */
export async function startApi(
  config: Config,
  services: Services,
  { scheduler, sampleQueue }: ApiOptions,
): Promise<{ url: string; warm(): void; stop(): Promise<void> }> {
  const { log, mongo } = services;
  const { storeWatch } = mongo;
  const subgraphs = await subgraphsOf(config, services);
  const gateway = await createGateway({
    subgraphs,
    key: identityKey(readOrCreateSecret(config.PDM_DATA_DIR)),
    log,
    executor: config.GATEWAY_EXECUTOR,
    watchStore: storeWatch.watch,
    // The write may have changed a token or a user.
    onRemoteWrite: (name) => name === 'documents' && invalidateCredentials(services),
  });
  const authenticator = createAuthenticator(services, identityProviderFor(config, log));

  const authenticate = (request: FastifyRequest) => authenticator.authenticate(readCredentials(request, config));
  const rateLimiter = createRateLimit(parseRate(config.PDM_RATE_LIMIT));
  const admission = createAdmission({
    slots: config.PDM_REQUEST_SLOTS,
    maxWaitMs: config.PDM_MAX_QUEUE_MS,
    maxInProgress: {
      request: config.PDM_MAX_CONCURRENT_REQUESTS,
      upload: config.PDM_MAX_CONCURRENT_UPLOADS,
      stream: config.PDM_MAX_CONCURRENT_STREAMS,
    },
  });
  const history = createQueueHistory();
  const readHealth = async () => {
    const { parts } = await health(services);
    return { parts: { ...parts, jobs: history.health() } };
  };
  const app = createHttpServer(config, log);
  mountMetrics(app, {
    authenticate: authenticator.authenticate,
    store: {
      health: () => health(services),
      waiting: () => countWaitingJobs({ db: services.mongo.db }),
      backups: services.backups,
    },
  });
  await mountRest(app, {
    execute: gateway.execute,
    prepare: gateway.prepare,
    schema: gateway.schema,
    authenticate,
    rateLimit: rateLimiter,
    admission,
    health: readHealth,
    events: createEventTail(services),
    findCurrent: async (segment, id) =>
      isCollectionName(segment) ? storeWatch.guard(readTag({ db: mongo.db }, segment, id)) : null,
    idempotency: {
      find: (id) => storeWatch.guard(findStoredWrite({ db: mongo.db }, id, services.clock())),
      store: (key, response) => storeResponse({ db: services.mongo.db }, key, response),
    },
    checkLink: (path, query) => verifySignedPath(services.links.key, path, query, services.clock()),
    blobSize: async (sha256) => (await storeWatch.guard(find({ db: mongo.db }, 'blobs', sha256)))?.size ?? null,
    openBlob: (sha256, range) => storeWatch.guard(openBlob({ db: mongo.db }, sha256, range)),
    limits: services.limits,
    log,
    version,
  });
  await mountSessions(app, { sessions: createSessions(services, authenticator, rateLimiter), settings: config, log });
  const queue = async () => {
    const [waiting, running] = await Promise.all([
      countWaitingJobs({ db: services.mongo.db }),
      countRunningJobs({ db: services.mongo.db }),
    ]);
    return { waiting, running };
  };
  await mountSchedulerStatus(app, { authenticate, admit: rateLimiter, scheduler, queue, history, log });
  await mountAdministrationStatus(app, {
    authenticate,
    admit: rateLimiter,
    version,
    storeFormat: STORE_FORMAT,
    settings: describeSettings(config),
    refusedSignIns: authenticator.refusedSignIns,
    log,
  });
  if (config.PDM_GRAPHQL)
    await mountGraphql(app, {
      gateway,
      log,
      requestId: ({ headers }) => requestIdFromHeader(headers['x-request-id']),
      authenticate: (request) => authenticator.authenticate(readCredentials(request, config, { isQuery: true })),
      rateLimit: rateLimiter,
      admission,
      introspection: config.PDM_GRAPHQL_INTROSPECTION,
      maxUploadBytes: services.limits.maxUploadBytes,
    });
  const webApp = mountWebPage(app, { log, reload: config.PDM_WEB_RELOAD });
  mountStaticPage(app, '/api/v1/docs', 'docs.html');
  mountProblemPages(app);
  mountDocumentation(app);

  const url = await listen(app, { host: config.PDM_HOST, port: config.PDM_PORT, setting: 'PDM_PORT' });
  const sampling = sampleQueue ? startSampling(history, queue, log) : null;
  void gateway.warmUp();
  return {
    url,
    warm: webApp.warm,
    stop: async () => {
      services.dispatch.close();
      sampling?.stop();
      // A client may be about to reuse an idle connection, so the server does not close it at once. While it closes,
      // every response ends its connection; connections without a request are closed every 100 ms.
      const closeIdle = app.server.closeIdleConnections.bind(app.server);
      app.server.closeIdleConnections = () => {};
      const idle = setInterval(closeIdle, IDLE_CLOSE_MS);
      await app.close();
      clearInterval(idle);
      await gateway.close();
    },
  };
}

const IDLE_CLOSE_MS = 100;

function identityProviderFor(
  { OIDC_ISSUER, OIDC_AUDIENCE, OIDC_ROLE_CLAIM, OIDC_AUTOCREATE }: Config,
  log: Log,
): IdentityProvider | null {
  if (!OIDC_ISSUER || !OIDC_AUDIENCE) return null;
  return createIdentityProvider(
    { issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE, roleClaim: OIDC_ROLE_CLAIM, autocreate: OIDC_AUTOCREATE },
    log,
  );
}
