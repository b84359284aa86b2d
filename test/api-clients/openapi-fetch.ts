// The main job with openapi-fetch and the types that openapi-typescript generates.
import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-fetch.ts';
import { asmJson, type MainJob } from './job.ts';

// openapi-typescript describes binary bodies as strings, and openapi-fetch encodes bodies as JSON unless a serializer is
// given.
const fileBody = (content: Uint8Array<ArrayBuffer> | string, type: string) => ({
  body: content as string,
  bodySerializer: (body: string) => body,
  headers: { 'Content-Type': type },
});

export const mainJob: MainJob = async ({ baseUrl, token }, step) => {
  const { GET, POST } = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

  const part = must(await POST('/documents', { body: { name: 'Bracket', kind: 'model' } }));
  const { id: workspace, draftId: draft } = part.workspaces[0]!;
  const target = { path: { id: draft }, query: { kind: 'source' }, header: { 'X-File-Name': 'bracket.step' } };
  must(await POST('/versions/{id}/artifacts', { params: target, ...fileBody(step, 'application/octet-stream') }));
  const createdFrom = { params: { path: { id: workspace } }, body: { comment: 'First' } };
  const version = must(await POST('/workspaces/{id}/versions', createdFrom));
  const revision = must(await POST('/versions/{id}/release', { params: { path: { id: version.id } } }));

  const assembly = must(await POST('/documents', { body: { name: 'Table', kind: 'assembly' } }));
  const { draftId } = assembly.workspaces[0]!;
  const structure = fileBody(asmJson(part.number), 'application/json');
  const asmTarget = { path: { id: draftId }, query: { kind: 'asm-json' } };
  must(await POST('/versions/{id}/artifacts', { params: asmTarget, ...structure }));
  const bom = must(await GET('/versions/{id}/bom', { params: { path: { id: draftId }, query: { mode: 'flat' } } }));

  if (typeof bom === 'string') throw new Error('received CSV');

  const file = { params: { path: { id: version.id, kind: 'source' } }, parseAs: 'arrayBuffer' } as const;
  const downloaded = new Uint8Array(must(await GET('/versions/{id}/artifacts/{kind}/file', file)));
  return { label: revision.label, rows: bom.items, partNumber: part.number, downloaded };
};

/** Uploads a file as openapi-fetch does without a serializer: as JSON. Returns the error code. */
export async function uploadAsJson({ baseUrl, token }: Parameters<MainJob>[0], draft: string): Promise<string> {
  const { POST } = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  const params = { path: { id: draft }, query: { kind: 'source' } };
  const { error } = await POST('/versions/{id}/artifacts', { params, body: 'ISO-10303-21;' });
  return error?.code ?? 'none';
}

function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`failed: ${JSON.stringify(error)}`);
  return data;
}
