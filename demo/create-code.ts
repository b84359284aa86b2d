// The code document: a generator of gears from examples/, in a git repository on this machine.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, ApiError, type Json } from './api.ts';
import type { Folders } from './create-folders.ts';
import { type Print, waitForJob } from './steps.ts';

const REPOSITORY = 'demo-generators';
const PATH = 'gear';

/**
 * Creates a code document and runs it if this service can: it must be allowed to read the repository, which is created
 * in the folder `repositories`, and its scheduler needs a sandbox. Prints the reason otherwise. Returns the document.
 */
export async function createCode(api: Api, folders: Folders, repositories: string, print: Print): Promise<Json> {
  const document = await api.post('/documents', {
    name: 'Spur gear generator',
    description: 'Involute gears by module, number of teeth, bore and keyway',
    kind: 'code',
    folderId: await folders.idOf('Generators'),
  });
  const [{ id: workspaceId, draftId }] = document.workspaces;
  print(`Code ${document.number} "${document.name}"  ${api.address}/documents/${document.number}`);
  const repository = join(repositories, REPOSITORY);
  try {
    await api.put(`/versions/${draftId}/code`, { repoUrl: repository, ref: 'main', path: PATH });
    if (!createRepository(repository, print)) return document;
    const { code } = await api.post(`/versions/${draftId}/code/sync`);
    print(`  synchronized ${repository} at commit ${code.commit.slice(0, 12)}`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    print(`  Not runnable: ${error.message}`);
    print('  Run the demo in the folder of the service, with its PDM_DATA_DIR or PDM_GIT_ALLOWED_FOLDERS.');
    return document;
  }
  await run(api, draftId, { module: 2, teeth: 36, bore: 20, keyway: { width: 6, height: 12.8 } }, print);
  await api.post(`/workspaces/${workspaceId}/versions`, { comment: 'Generator of examples/generators/gear' });
  return api.get(`/documents/${document.id}`);
}

async function run(api: Api, draftId: string, params: object, print: Print): Promise<void> {
  const { id, job } = await api.post(`/versions/${draftId}/runs`, { params });
  const { status, error } = await waitForJob(api, job.id);
  if (status === 'done') {
    const { documents } = await api.get(`/runs/${id}`);
    for (const { number, name } of documents) print(`  the run created ${number} "${name}"  ${api.address}/runs/${id}`);
  } else if (error?.code === 'no_sandbox') print(`  Not run: ${error.message}`);
  else throw new Error(`The run ${id} is ${status}: ${error?.message ?? 'no reason given'}`);
}

/** Creates the repository, unless an earlier run did. Returns whether it exists: not without git. */
function createRepository(folder: string, print: Print): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dirname, '../examples/generators', PATH), join(folder, PATH), { recursive: true });
  const identity = ['-c', 'user.name=PDM demo', '-c', 'user.email=demo@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...identity, ...args], { stdio: 'pipe' });
  try {
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Add the generator of spur gears');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    print('  Not runnable: git is not installed.');
    return false;
  }
  return true;
}
