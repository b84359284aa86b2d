import type { Api, Json } from './api.ts';
import { createVersion, type Print, uploadAndWait } from './steps.ts';

/**
 * Creates an assembly that places a model twice, and a version of it. Then releases the model and checks that the bill
 * of materials marks the used version as outdated.
 */
export async function demonstrateAssembly(api: Api, model: Json, folderId: string, print: Print): Promise<void> {
  const link = (path: string) => `${api.address}${path}`;
  const assembly = await api.post('/documents', { name: `Two of ${model.name}`, kind: 'assembly', folderId });
  print(`Assembly ${assembly.number} "${assembly.name}"  ${link(`/documents/${assembly.number}`)}`);
  const asmJson = {
    templates: [{ ident: 'part', type: 'part', reference: { location: `pdm://documents/${model.number}@v1` } }],
    instances: [
      { ident: 'left', template: 'part' },
      { ident: 'right', template: 'part', transform: [250, 0, 0] },
    ],
  };
  const content = new TextEncoder().encode(JSON.stringify(asmJson, null, 2));
  await uploadAndWait(api, assembly.drafts[0].id, { fileName: 'asm.json', content }, print, 'asm-json');
  const version = await createVersion(api, assembly.id, 'Two of the first', print);

  const [use] = (await api.get(`/documents/${model.number}/where-used`)).items;
  const whereUsed = link(`/documents/${model.number}/where-used`);
  print(`  ${model.number} is used by ${use.number ?? use.document?.number}  ${whereUsed}`);
  const { versions } = await api.get(`/documents/${model.id}`);
  await api.post(`/versions/${versions[0].id}/release`, { comment: 'For the demo' });
  const [row] = (await api.get(`/versions/${version.id}/bom`)).items;
  if (row.totalQuantity !== 2 || !row.outdated)
    throw new Error('The bill of materials does not list two parts with a newer release.');
  const part = `${row.totalQuantity} × ${row.number} v${row.resolution.n}`;
  print(`Bill of materials: ${part}, outdated: a newer release exists  ${link(`/versions/${version.id}/bom`)}`);
}
