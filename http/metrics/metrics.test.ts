// The content of /metrics and who may read it.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSubgraphServer } from '../../gateway/sources/subgraph-server.ts';
import { publishCommand, publishOverload } from '../../subgraphs/core/platform/instrumentation.ts';
import { documentsSubgraph } from '../../subgraphs/documents/subgraph.ts';
import { type Pdm, startPdm } from '../../test/support/pdm.ts';
import { createAuthenticator } from '../authentication/authenticator.ts';
import { mountMetrics } from './metrics.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

async function readMetrics(token: string | null = pdm.tokens.viewer): Promise<{ status: number; text: string }> {
  const response = await fetch(`${pdm.url}/metrics`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  return { status: response.status, text: await response.text() };
}

/** Returns the value of the sample with this name and these labels, or undefined. */
async function sample(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const expected = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = (await readMetrics()).text
    .split('\n')
    .find((each) => new RegExp(`^${name}[{ ]`).test(each) && expected.every((part) => each.includes(part)));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

test('serves metrics to users, not to workers or without a token', async () => {
  expect((await readMetrics(null)).status).toBe(401);
  expect((await readMetrics('pdm_nobody00_00000000000000000000000000000000')).status).toBe(401);
  expect((await readMetrics(pdm.tokens.worker)).status).toBe(403);
  for (const role of ['viewer', 'editor', 'admin'] as const)
    expect((await readMetrics(pdm.tokens[role])).status).toBe(200);
});

test('counts requests and bytes by route and status', async () => {
  const route = '/api/v1/documents/:id';
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const [draft] = (await pdm.viewer.get(`/documents/${body.id}`)).body.drafts;
  await pdm.viewer.get('/documents/doc_00000000000000000000000000');
  await pdm.viewer.get('/no-such-route');
  // A request is counted shortly after its last byte was sent.
  const soon = (name: string, labels: Record<string, string> = {}) =>
    expect.poll(() => sample(name, labels), { timeout: 5_000 });
  await soon('pdm_http_requests_total', { method: 'GET', route, status: '200' }).toBe(1);
  await soon('pdm_http_requests_total', { method: 'GET', route, status: '404' }).toBe(1);
  await soon('pdm_http_requests_total', { route: 'none', status: '404' }).toBe(1);
  await soon('pdm_http_request_duration_seconds_count', { method: 'GET', route }).toBe(2);
  await soon('pdm_http_requests_in_flight').toBe(1);

  await pdm.editor.upload(draft.id, 'source', Buffer.alloc(300_000, 'x'), { fileName: 'bracket.step' });
  const received = { route: '/api/v1/versions/:id/artifacts' };
  await soon('pdm_http_received_bytes_total', received).toBeGreaterThanOrEqual(300_000);
  expect(await sample('pdm_http_received_bytes_total', received)).toBeLessThan(302_000);
});

test('reports requests rejected because of overload', async () => {
  publishOverload({ access: 'write' });
  expect(await sample('pdm_overloaded_requests_total', { access: 'write' })).toBe(1);
});

test('reports commands, audit records, the queue and the store', async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Plate', kind: 'model' });
  await pdm.editor.post('/documents', { name: 'Plate', kind: 'model', number: body.number });
  expect(
    await sample('pdm_commands_total', { command: 'createDocument', outcome: 'committed' }),
  ).toBeGreaterThanOrEqual(1);
  expect(await sample('pdm_commands_total', { command: 'createDocument', outcome: 'refused' })).toBe(1);
  expect(await sample('pdm_audit_records_total', { action: 'document.created' })).toBeGreaterThanOrEqual(1);
  expect(await sample('pdm_store_up', { part: 'database' })).toBe(1);
  expect(await sample('pdm_store_up', { part: 'fileStore' })).toBe(1);
  expect(await sample('pdm_jobs_queued_total', { type: 'convert' })).toBe(1);
  await expect.poll(() => sample('pdm_jobs_waiting', { type: 'convert' }), { timeout: 5_000, interval: 200 }).toBe(1);
  expect(await sample('pdm_jobs_oldest_waiting_age_seconds', { type: 'convert' })).toBeLessThan(60);
});

test('counts a retry of a failed job as a retry, not as a new job', async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Bolt', kind: 'model' });
  await pdm.editor.upload(body.workspaces[0].draftId, 'source', 'bolt');
  const { items } = (await pdm.viewer.get(`/jobs?documentId=${body.id}`)).body;
  const added = await sample('pdm_jobs_queued_total', { type: 'convert' });
  await expect.poll(claimedNext).toBe(items[0].id);
  await pdm.worker.post(`/jobs/${items[0].id}/fail`, { error: { message: 'broken' }, final: true });
  expect((await pdm.editor.post(`/jobs/${items[0].id}/retry`)).status).toBe(200);
  expect(await sample('pdm_job_retries_total', { type: 'convert' })).toBe(1);
  expect(await sample('pdm_jobs_queued_total', { type: 'convert' })).toBe(added);
});

const claimedNext = async (): Promise<string> =>
  (await pdm.worker.post('/jobs/claim', { workerId: 'w', types: ['convert'] })).body.id;

test('counts transaction retries', async () => {
  publishCommand({ command: 'updateDocument', runs: 3, outcome: 'committed', actions: [] });
  expect(await sample('pdm_transaction_retries_total', { command: 'updateDocument' })).toBe(2);
});

test('serves the metrics of a separate subgraph server', async () => {
  const server = createSubgraphServer({
    subgraph: documentsSubgraph(pdm.services),
    keys: [randomBytes(32)],
    log: pdm.services.log,
  });
  mountMetrics(server, { authenticate: createAuthenticator(pdm.services).authenticate });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const get = (path: string, token?: string) =>
    fetch(url + path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/graphql', pdm.tokens.admin)).status).toBe(401);
  await get('/health');
  const metrics = async () => (await get('/metrics', pdm.tokens.viewer)).text();
  await expect
    .poll(metrics, { timeout: 5_000 })
    .toContain('pdm_http_requests_total{method="GET",route="/health",status="200"} 1');
  expect(await metrics()).not.toContain('pdm_jobs_waiting');
  await server.close();
});

test('labels contain no ids, names or numbers', async () => {
  const { text } = await readMetrics();
  expect(text).not.toMatch(/(doc|job|ver|art|usr|tok|aud|wsp)_[0-9a-z]{26}/);
  expect(text).not.toMatch(/Bracket|Ed Editor|PRT-/);
});
