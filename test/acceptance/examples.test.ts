// Sends every example body of the OpenAPI description to the service, after creating the resources it refers to.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLE_IDS } from '../../rest-adapter/example-ids.ts';
import { operationOf } from '../../rest-adapter/operation.ts';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { assemblies } from '../support/assemblies.ts';
import type { Described } from '../support/generated-request.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { responseChecker } from '../support/response-checker.ts';

type Operation = Described['operation'] & { requestBody?: { content: Record<string, { example?: object }> } };
type Description = { paths: Record<string, Record<string, Operation>> };
/** Ids of the resources for the path (`id`) and for the ids in the example. */
type Ids = { id?: string } & Partial<Record<keyof typeof EXAMPLE_IDS, string>>;

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

test('has one example for each request body', () => {
  expect([...operations].filter(([, { example }]) => !example).map(([id]) => id)).toEqual([]);
  expect(WITH_EXAMPLE.filter((id) => !operations.has(id))).toEqual([]);
});

test.each(WITH_EXAMPLE)(
  'responds to the example of %s, and to values outside its limits, as described',
  async (operationId) => {
    const { method, path, operation, example } = operations.get(operationId)!;
    const ids = await (SETUPS[operationId] ?? defaultSetup)(path);
    const body = Object.entries(EXAMPLE_IDS).reduce(
      (text, [name, id]) => text.replaceAll(id, ids[name as keyof typeof EXAMPLE_IDS] ?? id),
      JSON.stringify(example),
    );
    const client = path.startsWith('/jobs') ? pdm.worker : pdm.admin;
    const send = (content: object) => client[method as 'post'](path.replace('{id}', ids.id ?? ''), content);
    const variants =
      EXPECTED_STATUS[operationId] === 403 ? [] : invalidVariants(JSON.parse(body), bodySchema(operation));
    for (const invalid of variants) {
      const { status, body: problem } = await send(invalid.body);
      expect([invalid.path, status, problem?.errors?.map((error: { path: string }) => error.path)]).toEqual([
        invalid.path,
        400,
        expect.arrayContaining([expect.stringContaining(invalid.path)]),
      ]);
    }
    const response = await send(JSON.parse(body));
    expect([operationId, response.status, response.body?.detail]).toEqual([
      operationId,
      EXPECTED_STATUS[operationId] ?? expect.toSatisfy((status) => status < 300),
      response.body?.detail,
    ]);
    const actual = {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      body: response.bytes.toString(),
    };
    expect(responseChecker(description)(operation, actual)).toBeNull();
  },
);

type Schema = { [keyword: string]: unknown; properties?: Record<string, Schema>; type?: unknown };

const bodySchema = (operation: Operation): Schema =>
  (operation.requestBody?.content['application/json'] as { schema?: Schema } | undefined)?.schema ?? {};

/** Returns copies of a body with one value outside the limits of its schema each. */
function invalidVariants(body: object, { properties = {} }: Schema, path = ''): { path: string; body: object }[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const at = `${path}/${name}`;
    const inner = schema.properties && name in body ? invalidVariants(valueAt(body, name), schema, at) : [];
    return [...invalidValues(schema).map((value) => ({ path: at, body: value })), ...inner].map((variant) => ({
      path: variant.path,
      body: { ...body, [name]: variant.body },
    }));
  });
}

const valueAt = (body: object, name: string): object => (body as Record<string, object>)[name] ?? {};

function invalidValues({ maxLength, minLength, pattern, minItems, maxItems, minimum, maximum, enum: choices }: Schema) {
  return [
    ...(typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : []),
    ...(typeof minLength === 'number' ? [''] : []),
    ...(pattern ? ['\u2022'] : []),
    ...(typeof minItems === 'number' ? [[]] : []),
    ...(typeof maxItems === 'number' ? [Array.from({ length: maxItems + 1 }, (_, n) => `type.n${letters(n)}`)] : []),
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum + 1] : []),
    ...(choices ? ['no_such_value'] : []),
  ];
}

const letters = (n: number): string => n.toString(2).replaceAll('0', 'a').replaceAll('1', 'b');

// Rejected because the token is not that of the first start, and because the code was not fetched.
const EXPECTED_STATUS: Readonly<Record<string, number>> = { CompleteSetup: 403, RequestRun: 409 };

/** Creates the resources for an operation, chosen by the first segment of its path. */
async function defaultSetup(path: string): Promise<Ids> {
  const noun = path.split('/')[1] ?? '';
  if (noun === 'folders') return { id: await createFolder(), folder: await createFolder() };
  if (noun === 'users' || noun === 'tokens') return createUser();
  if (noun === 'webhooks')
    return path.includes('{id}')
      ? { id: (await pdm.admin.post('/webhooks', { url: 'https://hooks.example/x' })).body.id }
      : {};
  if (noun === 'views') {
    const scene = { camera: { position: [9, 9, 9], target: [0, 0, 0] } };
    return {
      id: (await pdm.editor.post(`/versions/${(await createModel()).draftId}/views`, { name: 'Top', scene })).body.id,
    };
  }
  if (noun === 'jobs') return path.includes('{id}') ? claimJob() : {};
  const model = await createModel();
  const id = { documents: model.document, workspaces: model.workspaceId, versions: model.draftId, revisions: '' }[noun];
  return {
    ...model,
    folder: await createFolder(),
    id: noun === 'revisions' ? await releaseVersion(model.version) : id,
  };
}

const SETUPS: Readonly<Record<string, (path: string) => Promise<Ids>>> = {
  async ReleaseVersion() {
    return { id: (await createModel()).version };
  },
  async UndoDraftChange() {
    const { workspaceId, version } = await createModel();
    return {
      id: workspaceId,
      audit: (await pdm.admin.post(`/workspaces/${workspaceId}/restore`, { versionId: version })).body.auditId,
    };
  },
  async HeartbeatCheckout() {
    const { workspaceId } = await createModel();
    await pdm.admin.post(`/workspaces/${workspaceId}/checkout`, {});
    return { id: workspaceId };
  },
  async RequestCheckin() {
    const { workspaceId } = await createModel();
    await pdm.editor.post(`/workspaces/${workspaceId}/checkout`, {});
    return { id: workspaceId };
  },
  async SetCode() {
    return { id: await createCodeDraft() };
  },
  async RequestRun() {
    const id = await createCodeDraft();
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

async function createModel() {
  const { id, workspaceId, draftId } = await assemblies(pdm.admin).model();
  const version: string = (await pdm.admin.post(`/workspaces/${workspaceId}/versions`, {})).body.id;
  return { document: id, workspaceId, draftId, version };
}

async function createCodeDraft(): Promise<string> {
  return (await pdm.admin.post('/documents', { name: 'Gears', kind: 'code' })).body.drafts[0].id;
}

async function releaseVersion(version: string): Promise<string> {
  return (await pdm.admin.post(`/versions/${version}/release`, {})).body.id;
}

let folders = 0;
async function createFolder(): Promise<string> {
  folders += 1;
  return (await pdm.admin.post('/folders', { name: `Folder ${folders}` })).body.id;
}

async function createUser(): Promise<Ids> {
  const { id } = (await pdm.admin.post('/users', { name: 'Grace', role: 'editor' })).body;
  return { id, user: id };
}

async function claimJob(): Promise<Ids> {
  const { draftId } = await createModel();
  await pdm.admin.upload(draftId, 'source', `ISO-10303-21;${draftId}`, { fileName: 'part.stp' });
  return {
    id: (
      await pdm.worker.post('/jobs/claim', { workerId: 'press-7', types: ['convert'], environment: { engine: 'occt' } })
    ).body.id,
  };
}
