import type { Api, Json } from './api.ts';
import { makeVersion, type Say, uploadAndWait } from './steps.ts';

/**
 * An assembly of a model, twice side by side: the engine puts them together; a version freezes what it uses. When the model is released after that,
 * the bill of material says what is outdated.
 */
export async function playAssembly(api: Api, model: Json, folderId: string, say: Say): Promise<void> {
  const link = (path: string) => `${api.address}${path}`;
  const assembly = await api.post('/documents', { name: `Two of ${model.name}`, kind: 'assembly', folderId });
  say(`Assembly ${assembly.number} "${assembly.name}"  ${link(`/documents/${assembly.number}`)}`);
  const asmJson = {
    templates: [{ ident: 'part', type: 'part', reference: { location: `pdm://documents/${model.number}@v1` } }],
    instances: [
      { ident: 'left', template: 'part' },
      { ident: 'right', template: 'part', transform: [250, 0, 0] },
    ],
  };
  const content = new TextEncoder().encode(JSON.stringify(asmJson, null, 2));
  await uploadAndWait(api, assembly.drafts[0].id, { fileName: 'asm.json', content }, say, 'asm-json');
  const version = await makeVersion(api, assembly.id, 'Two of the first', say);

  const [use] = (await api.get(`/documents/${model.number}/where-used`)).items;
  say(
    `  ${model.number} is used by ${use.number ?? use.document?.number}  ${link(`/documents/${model.number}/where-used`)}`,
  );
  await api.post(`/versions/${(await api.get(`/documents/${model.id}`)).versions[0].id}/release`, {
    comment: 'For the demo',
  });
  const [row] = (await api.get(`/versions/${version.id}/bom`)).items;
  if (row.totalQuantity !== 2 || !row.outdated)
    throw new Error('The bill of material does not count two parts with a newer release.');
  say(
    `Bill of material: ${row.totalQuantity} × ${row.number} v${row.resolution.n}, outdated: it has a release now  ${link(`/versions/${version.id}/bom`)}`,
  );
}
