// Audit records that version 0.1.0 stored under former action names appear under the current names.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditAction, currentAction, storedActions } from '../../subgraphs/core/domain/audit/audit-action.ts';
import { change } from '../../subgraphs/core/store/query/records.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { inTransaction, type Work } from '../../subgraphs/core/work.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { type Receiver, receiver } from '../support/receiver.ts';
import { requestAs } from '../support/store.ts';

const FORMER = 'document.changed';
const CURRENT = 'document.updated';

let pdm: Pdm;
let hook: Receiver;
let documentId: string;
let webhookId: string;
beforeAll(async () => {
  hook = await receiver();
  pdm = await startPdm({ settings: { PDM_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1' } });
  documentId = (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' })).body.id;
  webhookId = (await pdm.admin.post('/webhooks', { url: hook.url, types: [CURRENT] })).body.id;
  await inTransaction(pdm.services, requestAs('editor'), recordFormerAction, documentId);
  await pdm.editor.patch(`/documents/${documentId}`, { name: 'Angle bracket' });
});
afterAll(async () => {
  await pdm.close();
  await hook.close();
});

async function recordFormerAction(work: Work, documentId: string): Promise<void> {
  work.audit({ action: FORMER as AuditAction, documentId, summary: 'Document PRT-1 was changed.', changes: {} });
  await change(work, 'webhooks', webhookId, { types: [FORMER] });
  work.audit({ action: 'webhook.updated', summary: 'The webhook was updated.' });
}

async function pollUntil<T>(read: () => Promise<T[]> | T[], count: number): Promise<T[]> {
  for (;;) {
    const found = await read();
    if (found.length >= count) return found;
    await sleep(20);
  }
}

const actionsOf = (items: { action: string }[]) => items.map(({ action }) => action);

test('stores the former name', async () => {
  const audit = collection({ db: pdm.services.mongo.db }, 'audit');
  const stored = await audit.find({ chain: documentId }).sort({ chainSeq: 1 }).toArray();
  expect(actionsOf(stored)).toEqual(['document.created', FORMER, CURRENT]);
});

test('lists records of the document and of the installation under the current name', async () => {
  const { items } = (await pdm.viewer.get(`/documents/${documentId}/audit`)).body;
  expect(actionsOf(items)).toEqual([CURRENT, CURRENT, 'document.created']);
  expect(actionsOf((await pdm.admin.get('/audit?limit=200')).body.items)).not.toContain(FORMER);
});

test('finds and counts records of both names by the current name', async () => {
  const first = (await pdm.admin.get(`/audit?action=${CURRENT}&limit=1&total=true`)).body;
  const second = (await pdm.admin.get(`/audit?action=${CURRENT}&limit=1&cursor=${first.nextCursor}`)).body;
  expect(first.total).toBe(2);
  expect([...first.items, ...second.items].map(({ summary }: { summary: string }) => summary)).toEqual([
    expect.not.stringContaining('PRT-1 was changed'),
    'Document PRT-1 was changed.',
  ]);
  expect(second.nextCursor).toBeNull();
});

test('publishes events under the current name and selects them by both names', async () => {
  type Event = { type: string; data: { action: string } };
  const events = async (types: string): Promise<Event[]> =>
    (await pdm.viewer.get(`/events?limit=200&types=${types}`)).body.items;
  const found = await pollUntil(() => events(CURRENT), 2);
  expect(found.map(({ type, data }) => [type, data.action])).toEqual([
    [CURRENT, CURRENT],
    [CURRENT, CURRENT],
  ]);
  expect(await events(FORMER)).toEqual(found);
});

test('delivers to a webhook whose types were stored under former names', async () => {
  await pollUntil(() => hook.got, 2);
  expect(hook.got.map(({ event }) => event)).toMatchObject([
    { type: CURRENT, data: { action: CURRENT } },
    { type: CURRENT, data: { action: CURRENT } },
  ]);
  expect((await pdm.admin.get(`/webhooks/${webhookId}`)).body.types).toEqual([CURRENT]);
  const { items } = (await pdm.admin.get(`/webhooks/${webhookId}/deliveries`)).body;
  expect(items.map(({ type }: { type: string }) => type)).toEqual([CURRENT, CURRENT]);
});

test('verifies the log, whose hashes cover the stored names', async () => {
  const { verdict, errors } = (await pdm.admin.get('/audit/verify?waitSeconds=50')).body;
  expect({ verdict, errors }).toEqual({ verdict: 'intact', errors: [] });
});

test('maps every former name to one current name and leaves current names unchanged', () => {
  expect(storedActions('job.requeued')).toEqual(['job.requeued', 'job.lost']);
  expect(storedActions('document.created')).toEqual(['document.created']);
  expect(
    ['job.lost', 'code.located', 'workspace.asked_for', 'document.created', 'toString'].map(currentAction),
  ).toEqual(['job.requeued', 'code.set', 'workspace.checkin_requested', 'document.created', 'toString']);
});
