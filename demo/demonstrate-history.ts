// The main workflow, with one part: versions, releases, a branch, and taking over its result.
import type { Api, DemoFile, Json } from './api.ts';
import type { Folders } from './create-folders.ts';
import { TORQUE_ARM_STATES, torqueArm } from './machine/frame.ts';
import { createVersion, type Print, uploadAndConvert } from './steps.ts';
import { writeStep } from './write-step.ts';

/**
 * Creates the torque arm of the machine: released as A, improved on a branch, taken over into main and released as B.
 * Returns its document.
 */
export async function demonstrateHistory(api: Api, folders: Folders, print: Print): Promise<Json> {
  const link = (path: string) => `${api.address}${path}`;
  const { name, description, folder } = torqueArm;
  const document = await api.post('/documents', {
    name,
    description,
    kind: 'model',
    folderId: await folders.idOf(folder),
  });
  const [main] = document.workspaces;
  print(`Model ${document.number} "${name}" with an empty draft  ${link(`/documents/${document.number}`)}`);

  const version = async (workspace: Json, state: keyof typeof TORQUE_ARM_STATES, comment: string): Promise<Json> => {
    await uploadAndConvert(api, workspace.draftId, await fileOf(state), print);
    return printVersion(await createVersion(api, workspace.id, comment));
  };
  const printVersion = (created: Json): Json => {
    print(`Version ${created.name} "${created.comment}"  ${link(`/versions/${created.id}`)}`);
    return created;
  };
  const release = async ({ id, name: versionName }: Json, comment: string): Promise<void> => {
    const revision = await api.post(`/versions/${id}/release`, { comment });
    print(`Released ${versionName} as ${revision.label}: ${comment}  ${link(`/revisions/${revision.id}`)}`);
  };

  const first = await version(main, 'first', 'Plate 8 mm, laser-cut; holes match the leg and the lug of the gear unit');
  await release(first, 'For the prototype');

  const branch = await api.post(`/documents/${document.id}/workspaces`, {
    name: 'lighter',
    fromVersionId: first.id,
    description: 'Can the arm lose a third of its mass?',
  });
  print(`Branch "${branch.name}" from ${first.name}  ${link(`/workspaces/${branch.id}`)}`);
  await version(branch, 'thinner', '6 mm with a window: 0.4 mm deflection at 110 Nm, too soft for the buffers');
  const result = await version(branch, 'current', '8 mm with the window: 0.2 mm deflection, 44 g lighter than A');

  await api.post(`/workspaces/${main.id}/take-over`, { versionId: result.id });
  print(`Took ${result.name} of "${branch.name}" over into "${main.name}"`);
  const merged = printVersion(await createVersion(api, main.id, 'Window as tried on the branch lighter'));
  await release(merged, 'After the endurance run: no cracks at the window');
  return api.get(`/documents/${document.id}`);
}

async function fileOf(state: keyof typeof TORQUE_ARM_STATES): Promise<DemoFile> {
  const content = await writeStep(torqueArm, TORQUE_ARM_STATES[state]());
  return { fileName: 'torque-arm.step', contentType: 'model/step', content };
}
