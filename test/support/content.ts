import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FileUpload } from 'graphql-upload-minimal';
import { type UploadInput, uploadArtifact } from '../../subgraphs/artifacts/upload-artifact.ts';
import type { Context } from '../../subgraphs/core/graphql.ts';
import type {
  ArtifactRecord,
  DocumentKind,
  JobRecord,
  VersionRecord,
  WorkspaceRecord,
} from '../../subgraphs/core/store/schema/collections.ts';
import { mainWorkspace } from '../../subgraphs/core/store/workspaces.ts';
import { type Command, inTransaction, type RequestContext, type Services } from '../../subgraphs/core/work.ts';
import { createDocument } from '../../subgraphs/documents/create-document.ts';
import { createClaimDispatcher } from '../../subgraphs/jobs/worker/claim-dispatcher.ts';
import { claimJob } from '../../subgraphs/jobs/worker/claim-job.ts';
import { createVersion } from '../../subgraphs/versioning/create-version.ts';
import { resultFile } from './result-files.ts';
import { requestAs } from './store.ts';

type Role = Parameters<typeof requestAs>[0];
export type Place = { documentId: string; workspaceId: string; draftId: string };

/** Returns the SHA-256 (hex) of a text. */
export const sha256Of = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** Operations of tests on a store without the gateway: commands, uploads, versions, claims. */
export function content(services: Services) {
  const scope = { db: services.mongo.db };
  const context = (role: Role, user?: string): Context => ({
    services,
    request: requestAs(role, user),
    scope,
    loaders: null,
  });
  const as = <I, R>(request: RequestContext, command: Command<I, R>, input: I): Promise<R> =>
    inTransaction(services, request, command, input);
  const dispatcher = createClaimDispatcher(scope, services.clock);
  return {
    scope,
    context,
    as,
    /** Runs a command as an editor. */
    run: <I, R>(command: Command<I, R>, input: I): Promise<R> => as(requestAs('editor'), command, input),
    /** A document with its main workspace and empty draft. */
    async document(kind: DocumentKind = 'model'): Promise<Place> {
      const { _id } = await as(requestAs('editor'), createDocument, { input: { name: 'Bracket', kind } });
      const main: WorkspaceRecord = await mainWorkspace(scope, _id);
      return { documentId: _id, workspaceId: main._id, draftId: main.draftId };
    },
    /** Uploads a text as a file of a user. */
    upload: (
      versionId: string,
      kind: string,
      text: string,
      fileName = 'part.stp',
      role: Role = 'editor',
      user?: string,
    ): Promise<ArtifactRecord> =>
      uploadArtifact(null, { versionId, kind, file: fileOf(text, fileName) }, context(role, user)),
    /** Uploads a result of a worker, derived from an input with this text. */
    result: (
      versionId: string,
      kind: string,
      input: string,
      more: Partial<UploadInput> = {},
      role: Role = 'worker',
    ): Promise<ArtifactRecord> =>
      uploadArtifact(
        null,
        {
          versionId,
          kind,
          file: fileOf(resultFile(kind, `${kind} of ${input}`), `part.${kind}`),
          generator: 'test/1',
          inputSha256: sha256Of(input),
          ...more,
        },
        context(role),
      ),
    version: (workspaceId: string): Promise<VersionRecord> => as(requestAs('editor'), createVersion, { workspaceId }),
    /** Claims queued jobs as a worker, the oldest first, until one belongs to this draft. */
    async claim(draftId: string, role: Role = 'worker'): Promise<JobRecord> {
      for (;;) {
        const claimed = await claimJob(context(role), dispatcher, {
          workerId: `${role}-1`,
          environment: { engine: 'occt' },
        });
        if (!claimed) throw new Error(`no job waits for ${draftId}`);
        if (claimed.job.versionId === draftId) return claimed.job;
      }
    },
  };
}

/** An uploaded file as a resolver receives it. */
export function fileOf(
  text: string | Buffer | Readable,
  filename: string,
  mimetype = 'model/step',
): Promise<FileUpload> {
  const createReadStream = () =>
    (text instanceof Readable ? text : Readable.from([Buffer.from(text)])) as ReturnType<
      FileUpload['createReadStream']
    >;
  return Promise.resolve({ filename, mimetype, encoding: 'binary', fieldName: 'file', createReadStream });
}
