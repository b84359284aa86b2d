import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach } from 'vitest';
import { inFlight } from '../../http/in-flight.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { mountGraphql } from '../server.ts';
import { NOBODY } from './sample.ts';
import { sampleGateway } from './sample-gateway.ts';

/** The headers of a request in JSON by somebody who may ask. */
export const AUTHORIZED = { authorization: 'Bearer good', 'content-type': 'application/json' };
const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

/** /graphql over a sample of a graph, for a test; `seen` and `lines` tell what came to it and what it logged. */
export async function mounted({ introspection = true, maxUploadBytes = 1 << 20 } = {}) {
  const { gateway, log, seen, lines } = await sampleGateway();
  const app = Fastify();
  apps.push(app);
  const authenticate = async ({ headers }: { headers: { authorization?: string } }) => {
    if (headers.authorization !== 'Bearer good') throw new DomainError('unauthenticated', 'This token is not known.');
    return NOBODY;
  };
  await mountGraphql(app, {
    gateway,
    log,
    authenticate,
    admit: () => ({}),
    inFlight: inFlight({ requests: 256, uploads: 4, streams: 8 }),
    requestId: () => 'req-9',
    introspection,
    maxUploadBytes,
  });
  const ask = async (query: string, variables: object = {}) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: AUTHORIZED,
      payload: { query, variables },
    });
    return { status: answer.statusCode, ...answer.json() };
  };
  return { app, seen, lines, ask };
}
