// Three small subgraphs with data in memory: documents, their versions with bills of materials, and their files.

import { createHash } from 'node:crypto';
import DataLoader from 'dataloader';
import { GraphQLError, parse } from 'graphql';
import { type FileUpload, GraphQLUpload } from 'graphql-upload-minimal';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { entityBy, type ResolverMap, type Subgraph } from '../../subgraphs/core/graphql.ts';
import type { RecordLoader } from '../../subgraphs/core/loaders.ts';
import type { RequestContext } from '../../subgraphs/core/work.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@inaccessible"])';

const SDL = {
  documents: `${LINK}
    scalar JSON
    enum Kind { MODEL ASSEMBLY SECRET @inaccessible }
    interface Named { name: String! }
    union Found = Document | Folder
    type Document implements Named @key(fields: "id") { id: ID! name: String! kind: Kind! parameters: JSON parent: Document folder: Folder }
    type Folder implements Named @key(fields: "id") { id: ID! name: String! depth: Int! }
    input NewDocument { name: String! kind: Kind! }
    type Query { document(id: ID!): Document documents(limit: Int): [Document!]! named: [Named!]! search(text: String!): [Found!]! slow: String who: String }
    type Mutation { createDocument(input: NewDocument!): Document! waitForWork(waitSeconds: Int): String }`,
  versioning: `${LINK}
    type Document @key(fields: "id") { id: ID! versions: [Version!]! }
    type Version @key(fields: "id") { id: ID! n: Int! document: Document! bom: [BomLine!]! }
    type BomLine { position: Int! version: Version }
    type Query { version(id: ID!): Version }
    type Mutation { takeOver(workspaceId: ID!, versionId: ID!, force: Boolean): Version! }`,
  artifacts: `${LINK}
    scalar Upload
    type Version @key(fields: "id") { id: ID! artifacts: [Artifact!]! }
    type Artifact @key(fields: "id") { id: ID! fileName: String! size: Float! version: Version! sha256: String }
    type Query { artifact(id: ID!): Artifact }
    type Mutation { uploadArtifact(versionId: ID!, file: Upload!): Artifact! }`,
};

export type Loaders = { document: RecordLoader<Document>; version: RecordLoader<Version> };
export type SampleContext = { request: RequestContext; loaders: Loaders };
type Reference = { id: string };

/** A user who may read. */
export const VIEWER: Actor = { id: 'usr_1', name: 'Vera', role: 'viewer', tokenId: null, via: 'token' };

/**
 * What the sample records: batches of loaders, created contexts, and the signals of the field `slow` with their abort
 * reasons.
 */
export type Recording = { batches: string[][]; contexts: string[]; signals: AbortSignal[]; aborted: unknown[] };
export const createRecording = (): Recording => ({ batches: [], contexts: [], signals: [], aborted: [] });

/** Creates the subgraphs of the sample. A version has a bill of materials of `bomLines` lines. */
export function sampleSubgraphs(recording: Recording = createRecording(), { bomLines = 5 } = {}): Subgraph[] {
  const resolvers = sampleResolvers(recording, bomLines);
  return Object.entries(SDL).map(([name, sdl]) => ({
    name,
    typeDefs: parse(sdl),
    resolvers: resolvers[name as keyof typeof SDL],
    context: (request) => {
      recording.contexts.push(name);
      return { request, loaders: createLoaders(recording) } satisfies SampleContext;
    },
  }));
}

// A JSON value with an own key __proto__, as clients can send.
const POLLUTING: unknown = JSON.parse('{"__proto__": {"polluted": 1}, "n": 1}');

type Document = { id: string; name: string; kind: string; parameters: unknown };
type Version = { id: string; n: number; documentId: string };
export const document = (id: string): Document | null =>
  /^d\d+$/.test(id) ? { id, name: `Bracket ${id}`, kind: 'MODEL', parameters: POLLUTING } : null;
export const version = (id: string): Version | null =>
  /^v\d+$/.test(id) ? { id, n: Number(id.slice(1)), documentId: `d${id.slice(1)}` } : null;

/** Creates the loaders of one operation. */
export function createLoaders(recording: Recording): Loaders {
  const loader = <R>(read: (id: string) => R | null): RecordLoader<R> => {
    const batch = async (ids: readonly string[]) => {
      recording.batches.push([...ids]);
      return ids.map(read);
    };
    return Object.assign(new DataLoader<string, R | null>(batch), { all: batch });
  };
  return { document: loader(document), version: loader(version) };
}

function sampleResolvers(recording: Recording, bomLines: number): Record<keyof typeof SDL, ResolverMap> {
  return {
    documents: {
      Named: { __resolveType: () => 'Document' },
      Found: { __resolveType: () => 'Document' },
      Document: { __resolveReference: entityBy((loaders: Loaders) => loaders.document) },
      Query: {
        document: (_: unknown, { id }: Reference, { loaders }: SampleContext) => loaders.document.load(id),
        documents: (_: unknown, { limit = 50 }: { limit?: number }) =>
          Array.from({ length: limit }, (_item, index) => document(`d${index}`)),
        named: () => [document('d1'), document('d2')],
        search: () => [document('d1')],
        who: (_: unknown, _arguments: unknown, { request: { actor, requestId } }: SampleContext) =>
          `${actor.name} (${actor.role}) ${requestId}`,
        slow: (_: unknown, _arguments: unknown, { request }: SampleContext) => untilAborted(request.signal, recording),
      },
      Mutation: {
        createDocument: (_: unknown, { input }: { input: { name: string; kind: string } }) => createDocument(input),
        waitForWork: (_: unknown, _arguments: unknown, { request }: SampleContext) =>
          untilAborted(request.signal, recording),
      },
    },
    versioning: {
      Document: { versions: ({ id }: Reference) => [version(`v${id.slice(1)}`)] },
      Version: {
        __resolveReference: entityBy((loaders: Loaders) => loaders.version),
        document: ({ documentId }: { documentId: string }) => ({ id: documentId }),
        bom: () => Array.from({ length: bomLines }, (_, index) => ({ position: index + 1 })),
      },
      BomLine: {
        version: ({ position }: { position: number }, _: unknown, { loaders }: SampleContext) =>
          loaders.version.load(`v${position}`),
      },
      Query: {
        version: (_: unknown, { id }: Reference, { loaders }: SampleContext) => loaders.version.load(id),
      },
      Mutation: {
        takeOver: () => {
          throw new GraphQLError('Files would be lost.', {
            extensions: { code: 'draft_would_lose', lost: ['part.stp'] },
          });
        },
      },
    },
    artifacts: {
      Upload: GraphQLUpload,
      Version: {
        artifacts: ({ id }: Reference) => [{ id: `a${id}`, fileName: `part-${id}.stp`, size: 12, version: { id } }],
      },
      Mutation: {
        uploadArtifact: (_: unknown, input: { versionId: string; file: Promise<FileUpload> }) => storeUpload(input),
      },
    },
  };
}

function createDocument(input: { name: string; kind: string }) {
  if (input.name === 'taken')
    throw new GraphQLError('The number is taken.', { extensions: { code: 'number_taken', holder: 'd1' } });
  if (input.name === 'bug') throw new Error('internal detail');
  return { id: 'd9', ...input };
}

function untilAborted(signal: AbortSignal, recording: Recording): Promise<string> {
  recording.signals.push(signal);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      recording.aborted.push(signal.reason);
      resolve('aborted');
    });
  });
}

async function storeUpload({ versionId, file }: { versionId: string; file: Promise<FileUpload> }) {
  const { filename, createReadStream } = await file;
  if (versionId === 'refused')
    throw new GraphQLError('This draft is reserved.', { extensions: { code: 'workspace_reserved' } });
  const digest = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream()) {
    digest.update(chunk);
    size += chunk.length;
  }
  return { id: 'a1', fileName: filename, size, sha256: digest.digest('hex'), version: { id: versionId } };
}
