// Every body that the description shows is sent to the service, where what it names has been put before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLE_IDS } from '../../rest-adapter/example-ids.ts';
import { operationOf } from '../../rest-adapter/operation.ts';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { assemblies } from '../support/assemblies.ts';
import { describedAnswers } from '../support/described-answer.ts';
import type { Described } from '../support/generated-request.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

type Operation = Described['operation'] & { requestBody?: { content: Record<string, { example?: object }> } };
type Description = { paths: Record<string, Record<string, Operation>> };
/** Ids for those of the path and of the examples. */
type Put = { id?: string } & Partial<Record<keyof typeof EXAMPLE_IDS, string>>;

const WITH_EXAMPLE = ROUTES.flatMap(({ routes }) => routes).flatMap(({ example, operation }) =>
  example ? [String(operationOf(operation).name?.value)] : [],
);

let pdm: Pdm;
let description: Description;
const operations = new Map<string, Described & { example: object | undefined }>();
beforeAll(async () => {
  pdm = await startPdm();
  description = (await pdm.admin.get('/openapi.json')).body;
  for (const [path, methods] of Object.entries(description.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const json = operation.requestBody?.content['application/json'];
      if (json) operations.set(String(operation.operationId), { method, path, operation, example: json.example });
    }
});
afterAll(() => pdm.close());

test('every body of the description has an example, and every example is one of these', () => {
  expect([...operations].filter(([, { example }]) => !example).map(([id]) => id)).toEqual([]);
  expect(WITH_EXAMPLE.filter((id) => !operations.has(id))).toEqual([]);
});

test.each(WITH_EXAMPLE)('the example of %s is answered as it is described', async (operationId) => {
  const { method, path, operation, example } = operations.get(operationId)!;
  const put = await (SCENES[operationId] ?? scene)(path);
  const named = Object.entries(EXAMPLE_IDS).reduce(
    (text, [name, id]) => text.replaceAll(id, put[name as keyof typeof EXAMPLE_IDS] ?? id),
    JSON.stringify(example),
  );
  const client = path.startsWith('/jobs') ? pdm.worker : pdm.admin;
  const answer = await client[method as 'post'](path.replace('{id}', put.id ?? ''), JSON.parse(named));
  expect([operationId, answer.status, answer.body?.detail]).toEqual([
    operationId,
    REFUSED[operationId] ?? expect.toSatisfy((status) => status < 300),
    answer.body?.detail,
  ]);
  const shown = {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    body: answer.bytes.toString(),
  };
  expect(describedAnswers(description)(operation, shown)).toBeNull();
});

// what cannot go further here than to the refusal of a state: no code was fetched
const REFUSED: Readonly<Record<string, number>> = { RequestRun: 409 };

/** What is put for an operation by the first word of its address. */
async function scene(path: string): Promise<Put> {
  const noun = path.split('/')[1] ?? '';
  if (noun === 'folders') return { id: await folder(), folder: await folder() };
  if (noun === 'users' || noun === 'tokens') return madeUser();
  if (noun === 'webhooks')
    return path.includes('{id}')
      ? { id: (await pdm.admin.post('/webhooks', { url: 'https://hooks.example/x' })).body.id }
      : {};
  if (noun === 'jobs') return path.includes('{id}') ? claimedJob() : {};
  const place = await madeModel();
  const id = { documents: place.document, workspaces: place.workspaceId, versions: place.draftId, revisions: '' }[noun];
  return { ...place, folder: await folder(), id: noun === 'revisions' ? await releasedAs(place.version) : id };
}

const SCENES: Readonly<Record<string, (path: string) => Promise<Put>>> = {
  async ReleaseVersion() {
    return { id: (await madeModel()).version };
  },
  async UndoDraftChange() {
    const { workspaceId, version } = await madeModel();
    return {
      id: workspaceId,
      audit: (await pdm.admin.post(`/workspaces/${workspaceId}/restore`, { versionId: version })).body.auditId,
    };
  },
  async HeartbeatCheckout() {
    const { workspaceId } = await madeModel();
    await pdm.admin.post(`/workspaces/${workspaceId}/checkout`, {});
    return { id: workspaceId };
  },
  async RequestCheckin() {
    const { workspaceId } = await madeModel();
    await pdm.editor.post(`/workspaces/${workspaceId}/checkout`, {});
    return { id: workspaceId };
  },
  async SetCode() {
    return { id: await codeDraft() };
  },
  async RequestRun() {
    const id = await codeDraft();
    await pdm.admin.put(`/versions/${id}/code`, { repoUrl: 'https://example.com/parts/gears.git', ref: 'main' });
    return { id };
  },
  async RequestExport() {
    const make = assemblies(pdm.admin);
    return { id: (await make.draft([[await make.part()]])).draftId };
  },
  async ReplaceInDrafts() {
    const make = assemblies(pdm.admin);
    return { id: (await make.part()).id, document: (await make.part()).id };
  },
  async UpdateReferences() {
    const make = assemblies(pdm.admin);
    const part = await make.part();
    return { id: (await make.draft([[part]])).draftId };
  },
};

async function madeModel() {
  const { id, workspaceId, draftId } = await assemblies(pdm.admin).model();
  const version: string = (await pdm.admin.post(`/workspaces/${workspaceId}/versions`, {})).body.id;
  return { document: id, workspaceId, draftId, version };
}

async function codeDraft(): Promise<string> {
  return (await pdm.admin.post('/documents', { name: 'Gears', kind: 'code' })).body.drafts[0].id;
}

async function releasedAs(version: string): Promise<string> {
  return (await pdm.admin.post(`/versions/${version}/release`, {})).body.id;
}

let folders = 0;
async function folder(): Promise<string> {
  folders += 1;
  return (await pdm.admin.post('/folders', { name: `Folder ${folders}` })).body.id;
}

async function madeUser(): Promise<Put> {
  const { id } = (await pdm.admin.post('/users', { name: 'Grace', role: 'editor' })).body;
  return { id, user: id };
}

async function claimedJob(): Promise<Put> {
  const { draftId } = await madeModel();
  await pdm.admin.upload(draftId, 'source', `ISO-10303-21;${draftId}`, { fileName: 'part.stp' });
  return {
    id: (
      await pdm.worker.post('/jobs/claim', { workerId: 'press-7', types: ['convert'], environment: { engine: 'occt' } })
    ).body.id,
  };
}
