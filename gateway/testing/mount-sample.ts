// Mounts /graphql over the sample gateway, for tests.
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach } from 'vitest';
import { createAdmission } from '../../http/admission/admission.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { GatewayOptions } from '../gateway.ts';
import { type GraphqlOptions, mountGraphql } from '../server.ts';
import { VIEWER } from './sample.ts';
import { createSampleGateway } from './sample-gateway.ts';

/** The headers of an authorized JSON request. */
export const AUTHORIZED = { authorization: 'Bearer valid', 'content-type': 'application/json' };
const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

const authenticateToken: GraphqlOptions['authenticate'] = async ({ headers }) => {
  if (headers.authorization !== 'Bearer valid') throw new DomainError('unauthenticated', 'The token is unknown.');
  return VIEWER;
};

/** Mounts /graphql; `recording` and `lines` contain what the subgraphs received and what was logged. */
export async function mountSample({
  introspection = true,
  maxUploadBytes = 1 << 20,
  executor,
  authenticate = authenticateToken,
  admission = createAdmission({ slots: 32, maxWaitMs: 500, maxInProgress: { request: 256, upload: 4, stream: 8 } }),
}: Partial<
  Pick<GraphqlOptions, 'introspection' | 'maxUploadBytes' | 'authenticate' | 'admission'> &
    Pick<GatewayOptions, 'executor'>
> = {}) {
  const { gateway, log, recording, lines } = await createSampleGateway({ executor });
  const app = Fastify();
  apps.push(app);
  await mountGraphql(app, {
    gateway,
    log,
    authenticate,
    rateLimit: () => ({}),
    admission,
    requestId: () => 'req-9',
    introspection,
    maxUploadBytes,
  });
  const ask = async (query: string, variables: object = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: AUTHORIZED,
      payload: { query, variables },
    });
    return { status: response.statusCode, ...response.json() };
  };
  return { app, recording, lines, ask };
}
