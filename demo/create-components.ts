import type { Shape3D } from 'replicad';
import type { Api, DemoFile, Json } from './api.ts';
import type { Folders } from './create-folders.ts';
import { type Assembly, type Component, componentsOf, type Part } from './machine/component.ts';
import type { Placement } from './machine/placement.ts';
import { assertDone, createVersion, type Print, upload, waitForJob } from './steps.ts';
import { writeStep } from './write-step.ts';

/** A document of a component, and how many revisions it has. */
export type Created = { document: Json; revisions: number };
type Job = { id: string; name: string };

/**
 * Creates a document with a released version for each component of an assembly, parts first, and waits until all are
 * converted. Returns the documents by the names of their components; `known` ones are used as they are.
 */
export async function createComponents(
  api: Api,
  top: Assembly,
  folders: Folders,
  known: ReadonlyMap<string, Created>,
  print: Print,
): Promise<Map<string, Created>> {
  const created = new Map(known);
  const jobs: Job[] = [];
  const components = componentsOf(top).filter(({ name }) => !created.has(name));
  const progress = progressOf(components.length, 'documents', print);
  for (const component of components) {
    const document = await createDocument(api, component, folders);
    const draft = { id: document.workspaces[0].draftId, workspaceId: document.workspaces[0].id };
    for (const file of component.attachments?.() ?? [])
      await upload(api, draft.id, `attachment.${file.fileName.replace(/\.\w+$/, '')}`, file);
    const release = async (kind: string, file: DemoFile, comment: string): Promise<void> => {
      const { jobId } = await upload(api, draft.id, kind, file);
      jobs.push({ id: jobId, name: component.name });
      const version = await createVersion(api, draft.workspaceId, comment);
      await api.post(`/versions/${version.id}/release`, { comment: releaseComment(component) });
    };
    if (component.kind === 'assembly')
      await release('asm-json', asmJson(component, created), component.comment ?? 'First issue');
    else
      for (const { shape, comment } of statesOf(component))
        await release('source', await stepFile(component, shape), comment);
    created.set(component.name, { document, revisions: component.kind === 'model' ? statesOf(component).length : 1 });
    progress();
  }
  await waitForJobs(api, jobs, print);
  return created;
}

const releaseComment = ({ kind, folder }: Component): string =>
  kind === 'assembly' ? 'Checked for collisions' : folder === 'Fasteners' ? 'Standard part' : 'Approved for production';

async function createDocument(
  api: Api,
  { name, description, kind, folder }: Component,
  folders: Folders,
): Promise<Json> {
  return api.post('/documents', { name, description, kind, folderId: await folders.idOf(folder) });
}

/** The states of a part, oldest first, with the comments of their versions. */
function statesOf({ shape, former, comment }: Part): { shape: () => Shape3D; comment: string }[] {
  return former ? [former, { shape, comment: former.change }] : [{ shape, comment: comment ?? 'First issue' }];
}

async function stepFile(part: Part, shape: () => Shape3D): Promise<DemoFile> {
  const content = await writeStep(part, shape());
  return { fileName: `${fileName(part.name)}.step`, contentType: 'model/step', content };
}

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The asm.json of an assembly: a template for each component, and an instance for each placement. */
function asmJson({ uses }: Assembly, created: ReadonlyMap<string, Created>): DemoFile {
  const entries = [...Map.groupBy(uses, ({ component }) => component)].map(([component, itsUses], i) => {
    const placements = itsUses.flatMap((use) => use.placements);
    const pinned = itsUses.some((use) => use.pinned);
    const { number } = created.get(component.name)!.document;
    const ident = `${fileName(component.name)}-${i + 1}`;
    const location = `pdm://documents/${number}${pinned ? '@A' : ''}`;
    const type = component.kind === 'assembly' ? 'assembly' : 'part';
    return {
      template: { ident, type, reference: { location } },
      instances: placements.map((placement, n) => ({
        ident: placements.length === 1 ? component.name : `${component.name} (${n + 1})`,
        template: ident,
        transform: matrixOf(placement),
      })),
    };
  });
  const content = {
    templates: entries.map(({ template }) => template),
    instances: entries.flatMap(({ instances }) => instances),
  };
  return {
    fileName: 'asm.json',
    contentType: 'application/json',
    content: new TextEncoder().encode(JSON.stringify(content, null, 2)),
  };
}

const matrixOf = (placement: Placement): string => JSON.stringify([...placement, [0, 0, 0, 1]]);

async function waitForJobs(api: Api, jobs: readonly Job[], print: Print): Promise<void> {
  const progress = progressOf(jobs.length, 'conversions', print);
  for (const { id } of jobs) {
    assertDone(await waitForJob(api, id));
    progress();
  }
}

/** Returns a function that counts, and prints each tenth of the total. */
function progressOf(total: number, of: string, print: Print): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (Math.floor((10 * done) / total) > Math.floor((10 * (done - 1)) / total)) print(`  ${done} of ${total} ${of}`);
  };
}
