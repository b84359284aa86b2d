import type { Api, Json } from './api.ts';
import { playAssembly } from './assembly.ts';
import type { DemoFile } from './files.ts';
import { hashOf, makeVersion, type Say, uploadAndWait } from './steps.ts';

/**
 * The main job from end to end: a folder, a model, a file and what the engine made of it, a version, a change and a second version,
 * a branch, an assembly of it with its bill of material, the history. Says each step with a link; throws when a step does not hold.
 */
export async function playStory(
  api: Api,
  [first, second]: readonly [DemoFile, DemoFile],
  say: Say,
): Promise<{ document: Json; versions: Json[]; branch: Json; audit: Json[] }> {
  const link = (path: string) => `${api.address}${path}`;

  const folder = await api.post('/folders', {
    name: `Demo ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`,
  });
  say(`Folder "${folder.name}"  ${link(`/folders/${folder.id}`)}`);
  const model = await api.post('/documents', {
    name: first.fileName.replace(/\.\w+$/, ''),
    kind: 'model',
    folderId: folder.id,
    description: 'Made by npm run demo',
  });
  const { id: draftId } = (await api.get(`/documents/${model.id}`)).drafts[0];
  say(`Model ${model.number} "${model.name}" with an empty draft  ${link(`/documents/${model.number}`)}`);

  await uploadAndWait(api, draftId, first, say);
  const v1 = await makeVersion(api, model.id, 'As received', say);

  await uploadAndWait(api, draftId, second, say);
  const v2 = await makeVersion(api, model.id, 'Changed', say);
  await showDifference(api, v1, v2, say);

  const branch = await api.post(`/documents/${model.id}/workspaces`, {
    name: 'what-if',
    fromVersionId: v1.id,
    description: 'Back to the first state',
  });
  const [source] = (await api.get(`/versions/${branch.draftId}/artifacts`)).items.filter(
    ({ kind }: Json) => kind === 'source',
  );
  if (source?.sha256 !== hashOf(first))
    throw new Error('The branch does not hold the file of the version it was made from.');
  say(
    `Branch "${branch.name}" from ${v1.name}; its draft holds ${source.fileName} again, without a copied byte  ${link(`/workspaces/${branch.id}`)}`,
  );

  await playAssembly(api, model, folder.id, say);

  const { items: audit } = await api.get(`/documents/${model.id}/audit?limit=200`);
  say(`History  ${link(`/documents/${model.number}/audit`)}`);
  for (const { at, by, summary } of [...audit].reverse())
    say(`  ${at.slice(11, 19)}  ${by.name.padEnd(15)}  ${summary}`);
  return { document: await api.get(`/documents/${model.id}`), versions: [v1, v2], branch, audit };
}

async function showDifference(api: Api, before: Json, after: Json, say: Say): Promise<void> {
  const source = async (version: Json) =>
    (await api.get(`/versions/${version.id}/artifacts`)).items.find(({ kind }: Json) => kind === 'source');
  const [old, fresh] = [await source(before), await source(after)];
  if (old.sha256 === fresh.sha256) throw new Error('The two versions hold the same file.');
  say(`  ${before.name} still holds ${old.fileName}, ${after.name} holds ${fresh.fileName}`);
}
