import type { Api, Json } from './api.ts';
import { demonstrateAssembly } from './assembly.ts';
import type { DemoFile } from './files.ts';
import { createVersion, type Print, sha256Of, uploadAndWait } from './steps.ts';

/**
 * Creates a folder, a model with a converted file, two versions, a branch, and an assembly with its bill of materials,
 * then prints the audit log. Prints each step with a link; throws when a check fails.
 */
export async function runDemo(
  api: Api,
  [first, second]: readonly [DemoFile, DemoFile],
  print: Print,
): Promise<{ document: Json; versions: Json[]; branch: Json; audit: Json[] }> {
  const link = (path: string) => `${api.address}${path}`;

  const folder = await api.post('/folders', {
    name: `Demo ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`,
  });
  print(`Folder "${folder.name}"  ${link(`/folders/${folder.id}`)}`);
  const model = await api.post('/documents', {
    name: first.fileName.replace(/\.\w+$/, ''),
    kind: 'model',
    folderId: folder.id,
    description: 'Created by npm run demo',
  });
  const { id: draftId } = (await api.get(`/documents/${model.id}`)).drafts[0];
  print(`Model ${model.number} "${model.name}" with an empty draft  ${link(`/documents/${model.number}`)}`);

  await uploadAndWait(api, draftId, first, print);
  const v1 = await createVersion(api, model.id, 'As received', print);

  await uploadAndWait(api, draftId, second, print);
  const v2 = await createVersion(api, model.id, 'Changed', print);
  await printDifference(api, v1, v2, print);

  const branch = await api.post(`/documents/${model.id}/workspaces`, {
    name: 'what-if',
    fromVersionId: v1.id,
    description: 'Back to the first state',
  });
  const source = await findSource(api, branch.draftId);
  if (source?.sha256 !== sha256Of(first))
    throw new Error('The branch does not contain the source file of its version.');
  const contents = `its draft references ${source.fileName} without copying it`;
  print(`Branch "${branch.name}" from ${v1.name}; ${contents}  ${link(`/workspaces/${branch.id}`)}`);

  await demonstrateAssembly(api, model, folder.id, print);

  const { items: audit } = await api.get(`/documents/${model.id}/audit?limit=200`);
  print(`Audit log  ${link(`/documents/${model.number}/audit`)}`);
  for (const { at, by, summary } of [...audit].reverse())
    print(`  ${at.slice(11, 19)}  ${by.name.padEnd(15)}  ${summary}`);
  return { document: await api.get(`/documents/${model.id}`), versions: [v1, v2], branch, audit };
}

async function printDifference(api: Api, before: Json, after: Json, print: Print): Promise<void> {
  const [oldSource, newSource] = [await findSource(api, before.id), await findSource(api, after.id)];
  if (oldSource.sha256 === newSource.sha256) throw new Error('Both versions contain the same file.');
  print(`  ${before.name} still contains ${oldSource.fileName}, ${after.name} contains ${newSource.fileName}`);
}

async function findSource(api: Api, versionId: string): Promise<Json> {
  return (await api.get(`/versions/${versionId}/artifacts`)).items.find(({ kind }: Json) => kind === 'source');
}
