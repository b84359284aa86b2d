// Requests by chance, made of the description: none may break the service, and every answer is as the description says.
// PDM_TEST_REQUESTS sets how many.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describedAnswers } from '../support/described-answer.ts';
import { type Described, generatedRequest, type Ids } from '../support/generated-request.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const REQUESTS = Number(process.env.PDM_TEST_REQUESTS ?? 300);

let pdm: Pdm;
let description: { paths: Record<string, Record<string, Described['operation']>>; components: Described['operation'] };
const ids: Ids = new Map();
beforeAll(async () => {
  // no repository is fetched from anywhere
  pdm = await startPdm({ settings: { PDM_GIT_ALLOWED_HOSTS: 'git.invalid' } });
  description = (await pdm.admin.get('/openapi.json')).body;
  await populate();
});
afterAll(() => pdm.close());

test(`${REQUESTS} requests by chance: no answer is 5xx, and none is off the description`, {
  timeout: 30_000 + REQUESTS * 100,
}, async () => {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Described => ({ method, path, operation })),
  );
  const faultOf = describedAnswers(description);
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
        const answer = await ask(`${pdm.url}/api/v1${request.url}`, {
          method,
          headers: { ...request.headers, ...token },
          ...(sent === undefined ? {} : { body: sent }),
        });
        const type = answer.headers.get('content-type') ?? '';
        const streams = type === 'text/event-stream';
        const body = streams ? '' : await answer.text();
        if (streams) await answer.body?.cancel();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        remember(answer, body);
        const fault =
          answer.status >= 500 ? 'broke' : faultOf(described.operation, { status: answer.status, type, body });
        expect(fault && { fault, caller, request, status: answer.status, body: body.slice(0, 500) }).toBeNull();
      },
    ),
    { numRuns: REQUESTS, endOnFailure: true },
  );
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  // it reached the rules, not only the checks of form
  const reached = process.env.PDM_TEST_REQUESTS ? [200, 201, 400, 404] : [200, 400, 404];
  for (const status of reached) expect([...statuses.keys()]).toContain(status);
  if (process.env.PDM_TEST_REQUESTS) console.log(Object.fromEntries([...statuses].sort()));
});

/** On a busy machine a connection may lie idle until the service closes it, just when the next request is on its way. */
async function ask(url: string, request: RequestInit): Promise<Response> {
  return fetch(url, request).catch((error: Error) => {
    if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET') return fetch(url, request);
    throw error;
  });
}

const CALLERS = ['admin', 'admin', 'admin', 'admin', 'editor', 'viewer', 'worker', 'anonymous'] as const;

/** Something of everything that has an address. */
async function populate(): Promise<void> {
  for (const kind of ['model', 'assembly', 'code', 'model']) {
    const document = (await pdm.admin.post('/documents', { name: `A ${kind}`, kind })).body;
    const [draft, workspace] = [document.drafts[0].id, document.workspaces[0].id];
    if (kind === 'model')
      add('artifacts', (await pdm.admin.upload(draft, 'source', 'ISO-10303-21;', { fileName: 'part.stp' })).body.id);
    const version = (await pdm.admin.post(`/workspaces/${workspace}/versions`, {})).body.id;
    const revision =
      kind === 'assembly' ? undefined : (await pdm.admin.post(`/versions/${version}/release`, {})).body.id;
    add('documents', document.id, document.number);
    add('workspaces', workspace);
    add('versions', draft, version);
    if (revision) add('revisions', revision);
  }
  for (const job of (await pdm.admin.get('/jobs')).body.items) add('jobs', job.id);
  add('folders', (await pdm.admin.post('/folders', { name: 'Top' })).body.id);
  const user = (await pdm.admin.post('/users', { name: 'Victim', role: 'editor' })).body.id;
  add('users', user);
  add('tokens', (await pdm.admin.post('/tokens', { name: 'victim', userId: user })).body.id);
}

function add(noun: string, ...some: string[]): void {
  ids.set(noun, [...(ids.get(noun) ?? []), ...some].slice(-20));
}

/** What was made is asked for in what follows. */
function remember(answer: Response, body: string): void {
  const [, noun, id] = /^\/api\/v1\/(\w+)\/(\w+)$/.exec(answer.headers.get('location') ?? '') ?? [];
  if (answer.status === 201 && noun && id && body) add(noun, id);
}
