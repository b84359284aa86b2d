// A table of real shapes: four feet, each with a leg and four screws.
import { box, pin, stepOf } from '../../scheduler/engines/occt/test-models.ts';
import type { assemblies, Item } from './assemblies.ts';
import type { Pdm } from './pdm.ts';

/** The volumes of a leg and a screw, in mm³. */
export const VOLUME = { leg: 20 * 30 * 10, screw: Math.PI * 25 * 40 };

/** The reference of a template to the document that replaces it. */
export const reference = (item: Item, more = {}) => ({
  reference: { location: `pdm://documents/${item.number}`, ...more },
});

/** Stores the asm.json of a draft. */
export async function storeAsmJson({ editor }: Pdm, { draftId }: Item, asm: object) {
  const { status, body } = await editor.upload(draftId, 'asm-json', JSON.stringify(asm), {
    fileName: 'table.asm.json',
  });
  if (status !== 201) throw new Error(`the asm.json was rejected: ${JSON.stringify(body)}`);
  return body;
}

/** Creates the table with a version of each document, and returns the STEP files of its parts. */
export async function createTableAssembly(pdm: Pdm, make: ReturnType<typeof assemblies>) {
  const files = { leg: await stepOf(box()), screw: await stepOf(pin()) };
  const [leg, screw] = [await make.model({ name: 'Leg' }), await make.model({ name: 'Screw' })];
  for (const [item, bytes] of [
    [leg, files.leg],
    [screw, files.screw],
  ] as const) {
    await pdm.editor.upload(item.draftId, 'source', bytes, { fileName: `${item.number}.step` });
    await make.version(item);
  }
  const foot = await make.draft([], { name: 'Foot' });
  const screws = [5, 15].flatMap((x) =>
    [5, 25].map((y) => ({ ident: `screw ${x}/${y}`, template: 'screw', transform: at(x, y, -20) })),
  );
  await storeAsmJson(pdm, foot, {
    templates: [
      { ident: 'leg', ...reference(leg) },
      { ident: 'screw', ...reference(screw) },
    ],
    instances: [{ ident: 'leg', template: 'leg' }, ...screws],
  });
  await make.version(foot);
  const table = await make.draft([], { name: 'Table – Tisch' });
  const feet = [0, 500].flatMap((x) =>
    [0, 300].map((y) => ({ ident: `foot ${x}/${y}`, template: 'foot', transform: at(x, y, 0) })),
  );
  await storeAsmJson(pdm, table, {
    templates: [{ ident: 'foot', type: 'assembly', ...reference(foot, { note: 'kept' }) }],
    instances: feet,
    author: 'test',
  });
  return { leg, screw, foot, table, tableVersion: (await make.version(table)).id, files };
}

const at = (x: number, y: number, z: number) => `[${x},${y},${z}]`;
