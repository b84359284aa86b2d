// A subgraph that is asked directly: no seal, no answer; and with a seal no more than the one it names may do.

import type { FastifyInstance } from 'fastify';
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IDENTITY_HEADER, identityKey, seal } from '../../gateway/sources/identity.ts';
import { schemaOf } from '../../gateway/sources/local-source.ts';
import { createSubgraphServer } from '../../gateway/sources/subgraph-server.ts';
import { artifactsSubgraph } from '../../subgraphs/artifacts/subgraph.ts';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import type { Role } from '../../subgraphs/core/domain/access/permissions.ts';
import type { Subgraph } from '../../subgraphs/core/graphql.ts';
import { documentsSubgraph } from '../../subgraphs/documents/subgraph.ts';
import { jobsSubgraph } from '../../subgraphs/jobs/subgraph.ts';
import { versioningSubgraph } from '../../subgraphs/versioning/subgraph.ts';
import { content } from '../support/content.ts';
import { type TestStore, testStore } from '../support/store.ts';

const KEY = identityKey(Buffer.alloc(32, 1));
const STRANGE_KEY = identityKey(Buffer.alloc(32, 2));
const NAMES = ['documents', 'versioning', 'artifacts', 'jobs'] as const;
type Name = (typeof NAMES)[number];
type Served = { server: FastifyInstance; schema: GraphQLSchema; contexts: number };

let store: TestStore;
let documentId: string;
const served = {} as Record<Name, Served>;
beforeAll(async () => {
  store = await testStore();
  ({ documentId } = await content(store.services).document());
  for (const subgraph of [documentsSubgraph, versioningSubgraph, artifactsSubgraph, jobsSubgraph].map((make) =>
    make(store.services),
  ))
    served[subgraph.name as Name] = serve(subgraph);
});
afterAll(async () => {
  for (const name of NAMES) await served[name].server.close();
  await store.close();
});

function serve(subgraph: Subgraph): Served {
  const counted: Subgraph = {
    ...subgraph,
    context(request) {
      state.contexts += 1;
      return subgraph.context(request);
    },
  };
  const state: Served = {
    server: createSubgraphServer({ subgraph: counted, keys: [KEY], log: store.services.log }),
    schema: schemaOf(subgraph),
    contexts: 0,
  };
  return state;
}

const actor = (role: Role): Actor => ({ id: `usr_${role}`, name: role, role, tokenId: `tok_${role}`, via: 'token' });

async function send(name: Name, body: string, sealed?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(sealed === undefined ? {} : { [IDENTITY_HEADER]: sealed }),
  };
  return served[name].server.inject({ method: 'POST', url: '/graphql', headers, payload: body });
}

/** The answer to somebody with this role, whom the gateway has sealed in. */
async function ask(name: Name, role: Role, query: string, variables: object = {}) {
  const body = JSON.stringify({ query, variables });
  const answer = await send(name, body, seal(KEY, { actor: actor(role), requestId: 'r' }, name, body));
  expect(answer.statusCode).toBe(200);
  return answer.json() as { data?: Record<string, unknown> | null; errors?: { extensions: { code: string } }[] };
}

// a type of which a subgraph knows the id alone has nothing to see there
const entitiesOf = (name: Name): string[] => {
  const union = served[name].schema.getType('_Entity');
  const types = isUnionType(union) ? union.getTypes() : [];
  return types.filter((type) => Object.keys(type.getFields()).length > 1).map((type) => type.name);
};
const ENTITIES = 'query Q($of: [_Any!]!) { _entities(representations: $of) { __typename } }';

describe.each(NAMES)('the subgraph %s', (name) => {
  test('answers nobody who brings no seal of the gateway for it, whatever he asks, before anything is executed', async () => {
    const queries = [
      '{ _service { sdl } }',
      `{ _entities(representations: [{ __typename: "Document", id: "${documentId}" }]) { __typename } }`,
      '{ __schema { types { name } } }',
      'mutation { __typename }',
      'no GraphQL',
    ];
    const admin = { actor: actor('admin'), requestId: 'r' };
    const another = NAMES.find((candidate) => candidate !== name) ?? '';
    for (const query of queries) {
      const body = JSON.stringify({ query });
      const seals = {
        none: undefined,
        empty: '',
        invented: 'e30.e30',
        'by another key': seal(STRANGE_KEY, admin, name, body),
        expired: seal(KEY, admin, name, body, Date.now() - 31_000),
        'for another subgraph': seal(KEY, admin, another, body),
        'for another question': seal(KEY, admin, name, `${body} `),
        'without its signature': seal(KEY, admin, name, body).split('.')[0],
        'with other claims': [
          seal(KEY, { ...admin, requestId: 'x' }, name, body).split('.')[0],
          seal(KEY, admin, name, body).split('.')[1],
        ].join('.'),
      };
      for (const [what, sealed] of Object.entries(seals)) {
        const answer = await send(name, body, sealed);
        expect([what, answer.statusCode, answer.json().errors[0].extensions.code, answer.json().data]).toEqual([
          what,
          401,
          'unauthenticated',
          undefined,
        ]);
      }
    }
    expect(served[name].contexts).toBe(0);
  });

  test('lets a viewer change nothing but his own tokens', async () => {
    for (const field of fieldsOf(served[name].schema, 'Mutation')) {
      const { errors, data } = await ask(name, 'viewer', ...askedOf('mutation', field));
      const wanted = field.name === 'revokeToken' ? 'not_found' : expect.stringMatching(/^(forbidden|admin_only)$/);
      expect([field.name, errors?.map(({ extensions }) => extensions.code), data?.[field.name] ?? null]).toEqual([
        field.name,
        [wanted],
        null,
      ]);
    }
  });

  test('lets a worker follow no link into it', async () => {
    for (const type of entitiesOf(name)) {
      const { data, errors } = await ask(name, 'worker', ENTITIES, { of: [{ __typename: type, id: documentId }] });
      expect([type, errors?.map(({ extensions }) => extensions.code), data?._entities ?? [null]]).toEqual([
        type,
        ['forbidden'],
        [null],
      ]);
    }
  });

  test('answers a worker only what its work is', async () => {
    const forWorkers = new Set([
      'me',
      'download',
      'resolvedAsmJson',
      'jobContext',
      'claimJob',
      'heartbeatJob',
      'completeJob',
      'failJob',
      'giveBackJob',
      'uploadArtifact',
    ]);
    for (const kind of ['query', 'mutation'] as const)
      for (const field of fieldsOf(served[name].schema, kind === 'query' ? 'Query' : 'Mutation')) {
        if (forWorkers.has(field.name)) continue;
        const { errors } = await ask(name, 'worker', ...askedOf(kind, field));
        expect([field.name, errors?.map(({ extensions }) => extensions.code)]).toEqual([
          field.name,
          [expect.stringMatching(/^(forbidden|admin_only)$/)],
        ]);
      }
  });
});

test('a link of a reader is followed, so that the refusals above mean something', async () => {
  expect(NAMES.map((name) => [name, entitiesOf(name).length > 0])).toEqual(NAMES.map((name) => [name, true]));
  const { data, errors } = await ask('documents', 'viewer', ENTITIES, {
    of: [{ __typename: 'Document', id: documentId }],
  });
  expect([data?._entities, errors]).toEqual([[{ __typename: 'Document' }], undefined]);
});

function fieldsOf(schema: GraphQLSchema, root: 'Query' | 'Mutation'): GraphQLField<unknown, unknown>[] {
  const type = root === 'Query' ? schema.getQueryType() : schema.getMutationType();
  // a file cannot be asked for in JSON: access.test.ts sends some
  const takesFile = ({ args }: GraphQLField<unknown, unknown>) =>
    args.some((argument) => getNamedType(argument.type).name === 'Upload');
  return Object.values(type?.getFields() ?? {}).filter((field) => !field.name.startsWith('_') && !takesFile(field));
}

/** A question for one root field, with something for each argument that is required, and its variables. */
function askedOf(
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
): [query: string, variables: object] {
  const required = field.args.filter(isRequiredArgument);
  const declared = required.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = required.map(({ name }) => `${name}: $${name}`).join(', ');
  const below = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
  const variables = Object.fromEntries(
    required.map(({ name, type }) => [name, SAMPLES[String(type).replace(/!/g, '')] ?? 'x_nothing']),
  );
  return [`${kind} Q${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${below} }`, variables];
}

const SAMPLES: Record<string, unknown> = {
  '[ID]': ['doc_nothing'],
  CreateDocumentInput: { name: 'X', kind: 'model' },
  JobErrorInput: { message: 'X' },
  Role: 'viewer',
  ExportFormat: 'STP',
};
