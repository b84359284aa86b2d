// Runs the REST adapter on its own Fastify server, over an `execute` that the test implements.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import type { Operation, RequestContext } from '../../gateway/execute.ts';
import { createAdmission } from '../../http/admission/admission.ts';
import { sendUnroutable } from '../../http/response/unroutable.ts';
import type { Role } from '../../subgraphs/core/domain/access/permissions.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { mountRest, type RestPorts } from '../app.ts';

export const SCHEMA = buildSchema(
  readFileSync(new URL('../../gateway/generated/api.graphql', import.meta.url), 'utf8'),
);

type OperationError = { message: string; extensions?: Record<string, unknown> };
type OperationResult = { data?: Record<string, unknown> | null; errors?: OperationError[] };
/** The responses of a test, by operation name. */
export type Operations = Record<
  string,
  (variables: Record<string, unknown>, context: RequestContext) => OperationResult | Promise<OperationResult>
>;

export type ExecutedOperation = { operation: string; variables: Record<string, unknown> };
export type RestApp = { app: FastifyInstance; executed: ExecutedOperation[]; logged: Record<string, unknown>[] };

/**
 * Starts the adapter. `executed` lists the operations that it ran, `logged` its log lines. The token is the name of a
 * role.
 */
export async function restApp(operations: Operations = {}, overrides: Partial<RestPorts> = {}): Promise<RestApp> {
  const app = Fastify({ frameworkErrors: sendUnroutable });
  const executed: ExecutedOperation[] = [];
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  await mountRest(app, {
    schema: SCHEMA,
    prepare: (document): Operation => ({
      name: nameOf(document),
      document,
      prepared: { compile: () => undefined, run: neverRun },
    }),
    execute: async ({ name }, variables, context) => {
      executed.push({ operation: name, variables });
      const operation = operations[name];
      if (!operation) throw new Error(`The test defines no operation ${name}`);
      return (await operation(variables, context)) as never;
    },
    authenticate: async ({ headers: { authorization } }) => {
      const role = /^Bearer (\w+)$/.exec(authorization ?? '')?.[1];
      if (!role) throw new DomainError('unauthenticated', 'Send a token.');
      return { id: 'usr_1', name: 'Ed', role: role as Role, tokenId: null, via: 'token' };
    },
    rateLimit: () => ({}),
    admission: createAdmission({
      slots: 32,
      maxWaitMs: 500,
      maxInProgress: { request: 256, upload: 4, stream: 8 },
    }),
    findCurrent: async () => null,
    idempotency: { find: async () => null, store: async () => null },
    events: { newest: async () => 0, follow: async function* () {} },
    health: async () => ({ parts: { database: { status: 'ok' }, fileStore: { status: 'ok' } } }),
    checkLink: (_path, { signature }) => (signature === 'good' ? 'valid' : 'invalid'),
    blobSize: async (sha256) => Buffer.from(sha256).length,
    openBlob: async (sha256, { start, end } = { start: 0, end: Number.POSITIVE_INFINITY }) =>
      Readable.from([Buffer.from(sha256).subarray(start, end)]),
    limits: { maxUploadBytes: 10 * 1024 * 1024 },
    log,
    version: '1.2.3',
    ...overrides,
  });
  return { app, executed, logged };
}

/** The headers of a request by an editor. */
export const EDITOR = { authorization: 'Bearer editor' };

function nameOf({ definitions }: Parameters<RestPorts['prepare']>[0]): string {
  const [operation] = definitions;
  return operation && 'name' in operation && operation.name ? operation.name.value : '';
}

async function neverRun(): Promise<never> {
  throw new Error('The test adapter executes operations by name and does not run prepared ones');
}
