// The main job with the client that hey-api generates.
import { createClient, createConfig } from './generated/hey-api/client/index.ts';
import {
  createDocument,
  createVersion,
  downloadVersionArtifact,
  readBom,
  releaseVersion,
  uploadArtifact,
} from './generated/hey-api/index.ts';
import { asmJson, type MainJob } from './job.ts';

export const mainJob: MainJob = async ({ baseUrl, token }, step) => {
  const client = createClient(createConfig({ baseUrl, auth: token, throwOnError: true }));
  const options = { client, throwOnError: true } as const;

  const { data: part } = await createDocument({ ...options, body: { name: 'Bracket', kind: 'model' } });
  const { id: workspace, draftId: draft } = part.workspaces[0]!;
  const source = new Blob([step], { type: 'model/step' });
  const headers = { 'X-File-Name': 'bracket.step' };
  await uploadArtifact({ ...options, path: { id: draft }, query: { kind: 'source' }, headers, body: source });
  const { data: version } = await createVersion({ ...options, path: { id: workspace }, body: { comment: 'First' } });
  const { data: revision } = await releaseVersion({ ...options, path: { id: version.id } });

  const { data: assembly } = await createDocument({ ...options, body: { name: 'Table', kind: 'assembly' } });
  const { draftId: assemblyDraft } = assembly.workspaces[0]!;
  const structure = new Blob([asmJson(part.number)], { type: 'application/json' });
  await uploadArtifact({ ...options, path: { id: assemblyDraft }, query: { kind: 'asm-json' }, body: structure });
  const { data: bom } = await readBom({ ...options, path: { id: assemblyDraft }, query: { mode: 'flat' } });

  const file = { path: { id: version.id, kind: 'source' }, parseAs: 'blob' } as const;
  const { data: content } = await downloadVersionArtifact({ ...options, ...file });
  const downloaded = new Uint8Array(await content.arrayBuffer());
  return { label: revision.label, rows: bom.items, partNumber: part.number, downloaded };
};
