// Who may do what: every route of the table, asked by every role.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

type Identity = 'anonymous' | 'viewer' | 'editor' | 'admin' | 'worker';
const IDENTITIES: readonly Identity[] = ['anonymous', 'viewer', 'editor', 'admin', 'worker'];

// bodies that pass the checks of form, so that the answer is about permission
const BODIES: Record<string, object> = {
  'POST /documents': { name: 'X', kind: 'model' },
  'POST /documents/move': { ids: ['doc_nothing'], folderId: null },
  'POST /folders': { name: 'X' },
  'POST /documents/:id/workspaces': { name: 'X', fromVersionId: 'ver_nothing' },
  'POST /workspaces/:id/take-over': { versionId: 'ver_nothing' },
  'POST /workspaces/:id/restore': { versionId: 'ver_nothing' },
  'POST /workspaces/:id/undo': { auditId: 'aud_nothing' },
  'POST /jobs/claim': { workerId: 'w' },
  'POST /jobs/:id/fail': { error: 'X' },
};
const QUERIES: Record<string, string> = {
  'POST /versions/:id/artifacts': '?kind=source',
  'GET /versions/:id/compare': '?with=ver_nothing',
};
const WORKER_ROUTES = /^(POST|GET) \/jobs\/(claim|:id\/(context|heartbeat|complete|fail|give-back))$/;
// a holder of a job may read its files and store its results, whatever else its role may not
const FOR_HOLDERS = /\/artifacts(\/:kind|\/:id)?(\/file)?$/;

const FOR_ADMINISTRATORS = /^(GET \/audit|\w+ \/users|POST \/tokens$|DELETE \/revisions\/:id$)/;

function mayAsk(identity: Identity, route: string): boolean {
  if (identity === 'anonymous') return false;
  if (route === 'GET /me') return true;
  if (WORKER_ROUTES.test(route)) return identity === 'worker' || identity === 'admin';
  if (identity === 'worker') return false;
  if (FOR_ADMINISTRATORS.test(route)) return identity === 'admin';
  if (route === 'DELETE /tokens/:id') return true;
  return route.startsWith('GET') || identity !== 'viewer';
}

const routes = ROUTES.flatMap(({ routes }) => routes).map(({ method, path }) => `${method} ${path}`);

test.each(routes)('%s answers whom it should, and nobody else', async (route) => {
  const [method = '', path = ''] = route.split(' ');
  const address = `${pdm.url}/api/v1${path.replace(':kind', 'source').replace(/:id/, 'doc_nothing')}${QUERIES[route] ?? ''}`;
  for (const identity of IDENTITIES) {
    const body = BODIES[route] && JSON.stringify({ ...BODIES[route], ...(route === 'POST /folders' ? { name: `For ${identity}` } : {}) });
    const authorization = identity === 'anonymous' ? undefined : `Bearer ${pdm.tokens[identity]}`;
    const result: Record<string, string> =
      route === 'POST /versions/:id/artifacts' ? { 'x-generator': 'test/1', 'x-input-sha256': '0'.repeat(64) } : {};
    const headers: Record<string, string> = {
      ...result,
      ...(authorization ? { authorization } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const { status } = await fetch(address, { method, headers, body });
    const refused = identity === 'anonymous' ? [401] : identity === 'worker' && FOR_HOLDERS.test(path) ? [403, 404] : [403];
    if (mayAsk(identity, route)) expect([identity, status < 500 && ![401, 403].includes(status)]).toEqual([identity, true]);
    else expect([identity, refused.includes(status) ? 'refused' : status]).toEqual([identity, 'refused']);
  }
});

test('a token that is unknown, malformed or of another scheme is no token', async () => {
  const bad = [
    'Bearer',
    'Bearer x',
    `Bearer ${pdm.tokens.viewer}x`,
    `Bearer ${pdm.tokens.viewer.slice(0, -1)}`,
    `Basic ${pdm.tokens.viewer}`,
    pdm.tokens.viewer,
  ];
  for (const authorization of bad) expect((await pdm.anonymous.get('/me', { authorization })).status).toBe(401);
  expect((await pdm.anonymous.get(`/me?token=${pdm.tokens.viewer}`)).status).toBe(401);
});
