// Access control of a subgraph that is called directly.
// It requires an identity sealed by the gateway and enforces the permissions of that identity.

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
import { IDENTITY_HEADER, identityKey, sealIdentity } from '../../gateway/sources/identity.ts';
import { buildSchema } from '../../gateway/sources/local-source.ts';
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
const OTHER_KEY = identityKey(Buffer.alloc(32, 2));
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
    schema: buildSchema(subgraph),
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

/** Executes a query as an actor with this role, whose identity the gateway sealed; returns the parsed response. */
async function execute(name: Name, role: Role, query: string, variables: object = {}) {
  const body = JSON.stringify({ query, variables });
  const response = await send(name, body, sealIdentity(KEY, { actor: actor(role), requestId: 'r' }, name, body));
  expect(response.statusCode).toBe(200);
  return response.json() as { data?: Record<string, unknown> | null; errors?: { extensions: { code: string } }[] };
}

// Types of which a subgraph resolves only the id have nothing to protect there.
const entitiesOf = (name: Name): string[] => {
  const union = served[name].schema.getType('_Entity');
  const types = isUnionType(union) ? union.getTypes() : [];
  return types.filter((type) => Object.keys(type.getFields()).length > 1).map((type) => type.name);
};
const ENTITIES = 'query Q($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }';

describe.each(NAMES)('the subgraph %s', (name) => {
  test('rejects every request without a valid seal from the gateway before it executes anything', async () => {
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
        'by another key': sealIdentity(OTHER_KEY, admin, name, body),
        expired: sealIdentity(KEY, admin, name, body, Date.now() - 31_000),
        'for another subgraph': sealIdentity(KEY, admin, another, body),
        'for another request body': sealIdentity(KEY, admin, name, `${body} `),
        'without its signature': sealIdentity(KEY, admin, name, body).split('.')[0],
        'with other claims': [
          sealIdentity(KEY, { ...admin, requestId: 'x' }, name, body).split('.')[0],
          sealIdentity(KEY, admin, name, body).split('.')[1],
        ].join('.'),
      };
      for (const [label, sealed] of Object.entries(seals)) {
        const response = await send(name, body, sealed);
        expect([label, response.statusCode, response.json().errors[0].extensions.code, response.json().data]).toEqual([
          label,
          401,
          'unauthenticated',
          undefined,
        ]);
      }
    }
    expect(served[name].contexts).toBe(0);
  });

  test("rejects every mutation by a viewer except on the viewer's own tokens", async () => {
    for (const field of fieldsOf(served[name].schema, 'Mutation')) {
      const { errors, data } = await execute(name, 'viewer', ...operationFor('mutation', field));
      const expectedCode =
        field.name === 'revokeToken' ? 'not_found' : expect.stringMatching(/^(forbidden|admin_only)$/);
      expect([field.name, errors?.map(({ extensions }) => extensions.code), data?.[field.name] ?? null]).toEqual([
        field.name,
        [expectedCode],
        null,
      ]);
    }
  });

  test('rejects entity references from a worker', async () => {
    for (const type of entitiesOf(name)) {
      const { data, errors } = await execute(name, 'worker', ENTITIES, {
        representations: [{ __typename: type, id: documentId }],
      });
      expect([type, errors?.map(({ extensions }) => extensions.code), data?._entities ?? [null]]).toEqual([
        type,
        ['forbidden'],
        [null],
      ]);
    }
  });

  test('rejects a worker for every field that is not part of processing jobs', async () => {
    const workerFields = new Set([
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
        if (workerFields.has(field.name)) continue;
        const { errors } = await execute(name, 'worker', ...operationFor(kind, field));
        expect([field.name, errors?.map(({ extensions }) => extensions.code)]).toEqual([
          field.name,
          [expect.stringMatching(/^(forbidden|admin_only)$/)],
        ]);
      }
  });
});

test('resolves an entity reference from a viewer', async () => {
  expect(NAMES.map((name) => [name, entitiesOf(name).length > 0])).toEqual(NAMES.map((name) => [name, true]));
  const { data, errors } = await execute('documents', 'viewer', ENTITIES, {
    representations: [{ __typename: 'Document', id: documentId }],
  });
  expect([data?._entities, errors]).toEqual([[{ __typename: 'Document' }], undefined]);
});

function fieldsOf(schema: GraphQLSchema, root: 'Query' | 'Mutation'): GraphQLField<unknown, unknown>[] {
  const type = root === 'Query' ? schema.getQueryType() : schema.getMutationType();
  // JSON requests cannot carry files; access.test.ts covers uploads.
  const takesUpload = ({ args }: GraphQLField<unknown, unknown>) =>
    args.some((argument) => getNamedType(argument.type).name === 'Upload');
  return Object.values(type?.getFields() ?? {}).filter((field) => !field.name.startsWith('_') && !takesUpload(field));
}

/** Returns an operation on one root field with a sample value for each required argument, and its variables. */
function operationFor(
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
  SceneInput: { camera: { position: [9, 9, 9], target: [0, 0, 0] } },
};
