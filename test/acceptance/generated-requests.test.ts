// Random requests generated from the OpenAPI description: no response is a 5xx, and each one matches the description.
// PDM_TEST_REQUESTS sets the number of requests.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Described, generatedRequest, type Ids } from '../support/generated-request.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { responseChecker } from '../support/response-checker.ts';

const REQUESTS = Number(process.env.PDM_TEST_REQUESTS ?? 300);

let pdm: Pdm;
let description: { paths: Record<string, Record<string, Described['operation']>>; components: Described['operation'] };
const ids: Ids = new Map();
beforeAll(async () => {
  // Fetches no repository.
  pdm = await startPdm({ settings: { PDM_GIT_ALLOWED_HOSTS: 'git.invalid' } });
  description = (await pdm.admin.get('/openapi.json')).body;
  await populate();
});
afterAll(() => pdm.close());

test(`responds as described to ${REQUESTS} random requests, and never with 5xx`, {
  timeout: 30_000 + REQUESTS * 100,
}, async () => {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Described => ({ method, path, operation })),
  );
  const problemOf = responseChecker(description);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations),
      fc.constantFrom(...CALLERS),
      fc.gen(),
      async (described, caller, gen) => {
        const request = generatedRequest((make) => gen(make), described, ids, description.components);
        const token: Record<string, string> =
          caller === 'anonymous' ? {} : { authorization: `Bearer ${pdm.tokens[caller]}` };
        const { method, body: sent } = request;
        const response = await fetchWithRetry(`${pdm.url}/api/v1${request.url}`, {
          method,
          headers: { ...request.headers, ...token },
          ...(sent === undefined ? {} : { body: sent }),
        });
        const type = response.headers.get('content-type') ?? '';
        const streams = type === 'text/event-stream';
        const body = streams ? '' : await response.text();
        if (streams) await response.body?.cancel();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        rememberCreated(response, body);
        const problem =
          response.status >= 500 ? 'broke' : problemOf(described.operation, { status: response.status, type, body });
        expect(problem && { problem, caller, request, status: response.status, body: body.slice(0, 500) }).toBeNull();
      },
    ),
    { numRuns: REQUESTS, endOnFailure: true },
  );
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  // The requests pass validation and reach the domain rules.
  const reached = process.env.PDM_TEST_REQUESTS ? [200, 201, 400, 404] : [200, 400, 404];
  for (const status of reached) expect([...statuses.keys()]).toContain(status);
  if (process.env.PDM_TEST_REQUESTS) console.log(Object.fromEntries([...statuses].sort()));
});

/** Sends a request; repeats it if the service closed the idle connection at the same moment, as on a busy machine. */
async function fetchWithRetry(url: string, request: RequestInit): Promise<Response> {
  return fetch(url, request).catch((error: Error) => {
    if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET') return fetch(url, request);
    throw error;
  });
}

const CALLERS = ['admin', 'admin', 'admin', 'admin', 'editor', 'viewer', 'worker', 'anonymous'] as const;

/** Creates at least one resource of each kind that has an address. */
async function populate(): Promise<void> {
  for (const kind of ['model', 'assembly', 'code', 'model']) {
    const document = (await pdm.admin.post('/documents', { name: `A ${kind}`, kind })).body;
    const [draft, workspace] = [document.drafts[0].id, document.workspaces[0].id];
    if (kind === 'model')
      addIds('artifacts', (await pdm.admin.upload(draft, 'source', 'ISO-10303-21;', { fileName: 'part.stp' })).body.id);
    const version = (await pdm.admin.post(`/workspaces/${workspace}/versions`, {})).body.id;
    const revision =
      kind === 'assembly' ? undefined : (await pdm.admin.post(`/versions/${version}/release`, {})).body.id;
    addIds('documents', document.id, document.number);
    addIds('workspaces', workspace);
    addIds('versions', draft, version);
    if (revision) addIds('revisions', revision);
  }
  for (const job of (await pdm.admin.get('/jobs')).body.items) addIds('jobs', job.id);
  addIds('folders', (await pdm.admin.post('/folders', { name: 'Top' })).body.id);
  const user = (await pdm.admin.post('/users', { name: 'Victim', role: 'editor' })).body.id;
  addIds('users', user);
  addIds('tokens', (await pdm.admin.post('/tokens', { name: 'victim', userId: user })).body.id);
}

function addIds(noun: string, ...added: string[]): void {
  ids.set(noun, [...(ids.get(noun) ?? []), ...added].slice(-20));
}

/** Adds the id of a created resource to those that later requests use. */
function rememberCreated(response: Response, body: string): void {
  const [, noun, id] = /^\/api\/v1\/(\w+)\/(\w+)$/.exec(response.headers.get('location') ?? '') ?? [];
  if (response.status === 201 && noun && id && body) addIds(noun, id);
}
