import type { Api, Json } from './api.ts';
import { createCode } from './create-code.ts';
import { type Created, createComponents } from './create-components.ts';
import { createFolders, type Folders } from './create-folders.ts';
import { demonstrateHistory } from './demonstrate-history.ts';
import { type Assembly, componentsOf, levelsOf, quantityOf } from './machine/component.ts';
import type { Print } from './steps.ts';
import { startKernel } from './write-step.ts';

export type Demo = {
  folders: Folders;
  /** The document of the machine. */
  machine: Json;
  documents: ReadonlyMap<string, Created>;
  history: Json;
  code: Json;
};

/**
 * Creates a machine with all its parts in a new folder, two releases, a branch that is taken over, and a code document
 * with a repository below `repositories`. Prints each step; throws when a check fails.
 */
export async function runDemo(
  api: Api,
  machine: Assembly,
  { repositories }: { repositories: string },
  print: Print,
): Promise<Demo> {
  await startKernel();
  const folders = await createFolders(api, print);
  const history = await demonstrateHistory(api, folders, print);
  const known = new Map([[history.name as string, { document: history, revisions: 2 }]]);
  const documents = await createComponents(api, machine, folders, known, print);
  const top = documents.get(machine.name)!.document;
  await checkBillOfMaterials(api, machine, top, print);
  const code = await createCode(api, folders, repositories, print);
  await printAudit(api, history, print);
  return { folders, machine: top, documents, history, code };
}

async function checkBillOfMaterials(api: Api, machine: Assembly, top: Json, print: Print): Promise<void> {
  const { versions } = await api.get(`/documents/${top.id}`);
  const path = `/versions/${versions[0].id}/bom?mode=flat`;
  const { items } = await api.get(path);
  const parts = items.filter(({ kind }: Json) => kind !== 'assembly');
  const quantity = parts.reduce((sum: number, row: Json) => sum + row.totalQuantity, 0);
  if (quantity !== quantityOf(machine))
    throw new Error(`The bill of materials has ${quantity} parts instead of ${quantityOf(machine)}.`);
  const distinct = componentsOf(machine).filter(({ kind }) => kind === 'model').length;
  const levels = `${levelsOf(machine)} levels of assemblies`;
  print(`Bill of materials: ${quantity} parts, ${distinct} different ones, ${levels}  ${api.address}${path}`);
}

async function printAudit(api: Api, { id, number }: Json, print: Print): Promise<void> {
  const { items } = await api.get(`/documents/${id}/audit?limit=200`);
  print(`Audit log of ${number}  ${api.address}/documents/${number}/audit`);
  for (const { at, by, summary } of [...items].reverse())
    print(`  ${at.slice(11, 19)}  ${by.name.padEnd(15)}  ${summary}`);
}
