import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { type Context, defineSubgraph } from './graphql.ts';
import type { Services } from './work.ts';

/** What is logged when a field of a reader fails so. */
async function logged(failure: Error, { hasLeft }: { hasLeft: boolean }): Promise<unknown[]> {
  const lines: unknown[] = [];
  const log = {
    error: (_: object, says: string) => lines.push(['error', says]),
    info: (_: object, says: string) => lines.push(['info', says]),
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
      hasLeft: () => hasLeft,
      signal: new AbortController().signal,
    },
  });
  const { me } = subgraph.resolvers.Query as Record<string, (...given: unknown[]) => Promise<unknown>>;
  await expect(me?.(null, {}, context, null)).rejects.toBeInstanceOf(GraphQLError);
  return lines;
}

const givenUp = Object.assign(new Error('The operation was aborted'), { name: 'AbortError' });

test('what breaks off because its client left is no error of the service in the log', async () => {
  expect(await logged(givenUp, { hasLeft: true })).toEqual([['info', 'the client left before it was answered']]);
});

test('what breaks off while its client waits is one, and so is any other failure', async () => {
  expect(await logged(givenUp, { hasLeft: false })).toEqual([['error', 'a resolver failed']]);
  expect(await logged(new Error('a bug'), { hasLeft: true })).toEqual([['error', 'a resolver failed']]);
});
