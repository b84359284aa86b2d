import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { type Context, defineSubgraph } from './graphql.ts';
import type { Services } from './work.ts';

/** Returns what is logged when a resolver fails with an error. */
async function logged(failure: Error, { isAborted }: { isAborted: boolean }): Promise<unknown[]> {
  const lines: unknown[] = [];
  const log = {
    error: (_: object, message: string) => lines.push(['error', message]),
    info: (_: object, message: string) => lines.push(['info', message]),
  };
  const services: Services = Object.assign(Object.create(null), { log, mongo: { db: null } });
  const resolvers = { Query: { me: () => Promise.reject(failure) } };
  const schema = new URL('../documents/schema.graphql', import.meta.url);
  const subgraph = defineSubgraph({ name: 'sample', schema, services, resolvers, loaders: () => ({}) });
  const context: Context = Object.assign(Object.create(null), {
    services,
    request: {
      actor: { role: 'viewer' },
      requestId: 'req-1',
      isAborted: () => isAborted,
      signal: new AbortController().signal,
    },
  });
  const { me } = subgraph.resolvers.Query as Record<string, (...args: unknown[]) => Promise<unknown>>;
  await expect(me?.(null, {}, context, null)).rejects.toBeInstanceOf(GraphQLError);
  return lines;
}

const abortError = Object.assign(new Error('The operation was aborted'), { name: 'AbortError' });

test('logs an aborted resolver as information if the client has disconnected', async () => {
  expect(await logged(abortError, { isAborted: true })).toEqual([
    ['info', 'the client disconnected before the response was sent'],
  ]);
});

test('logs other failures as errors, and aborts while the client waits', async () => {
  expect(await logged(abortError, { isAborted: false })).toEqual([['error', 'resolver failed']]);
  expect(await logged(new Error('a bug'), { isAborted: true })).toEqual([['error', 'resolver failed']]);
});
