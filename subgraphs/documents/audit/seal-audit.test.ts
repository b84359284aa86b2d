// Sealing of audit records: order, concurrency, checkpoints and tampering.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { parseNotes } from '../../core/domain/audit/checkpoint.ts';
import { createVerifier, signNote } from '../../core/domain/audit/signed-note.ts';
import { verifyLog } from '../../core/domain/audit/verify-log.ts';
import { health } from '../../core/health.ts';

import { storedLog } from '../../core/store/audit/audit-log.ts';
import { ensureAuditTree, pendingLinks, sealPending } from '../../core/store/audit/audit-seals.ts';
import { collection } from '../../core/store/query/scope.ts';
import type { PendingRecord } from '../../core/store/schema/collections.ts';
import { type Command, inTransaction, type Services } from '../../core/work.ts';
import { createDocument } from '../create-document.ts';
import { moveDocuments } from '../move-documents.ts';
import { startSealing } from './seal-audit.ts';

let store: TestStore;
let services: Services;
const folder = mkdtempSync(join(tmpdir(), 'pdm-checkpoints-'));
const checkpointFile = join(folder, 'checkpoints');
beforeAll(async () => {
  store = await testStore();
  services = { ...store.services, sealing: { ...store.services.sealing, checkpointFile } };
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const editor = requestAs('editor');
const create = () =>
  inTransaction(services, editor, createDocument, { input: { name: 'Part', kind: 'model' as const } });
const scope = () => ({ db: services.mongo.db });
const sealed = () => collection(scope(), 'auditSeals').find().sort({ _id: 1 }).toArray();
const pendingCount = async () =>
  (await collection(scope(), 'auditPending').find().toArray()).flatMap(pendingLinks).length;
const records = () => collection(scope(), 'audit').countDocuments();
const trust = (externalCheckpoints: string[] = []) => ({
  verifiers: (origin: string) => [createVerifier(origin, services.sealing.publicKey()!)],
  externalCheckpoints,
});
const verify = (checkpoints?: string[]) => verifyLog(storedLog(scope()), trust(checkpoints));
const intact = { verdict: 'intact', errors: [], warnings: [] };

/** Resolves when all records are sealed. */
async function allSealed(): Promise<void> {
  while (await pendingCount()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('numbers all records without gaps, and those of each chain in their order', async () => {
  const documents = await Promise.all(Array.from({ length: 12 }, create));
  const folderId = null;
  await inTransaction(services, editor, moveDocuments, { ids: documents.map(({ _id }) => _id), folderId }).catch(
    () => undefined,
  );
  expect(await pendingCount()).toBe(await records());
  const sealing = startSealing(services, { everyMs: 60_000 });
  await allSealed();
  await sealing.stop();
  const seals = await sealed();
  expect(seals.map(({ _id }) => _id)).toEqual(seals.map((_, i) => i + 1));
  expect(seals).toHaveLength(await records());
  expect(await verify()).toMatchObject({ ...intact, sealed: seals.length, pending: 0 });
});

test('seals after a commit and sends a checkpoint of all records to the file and the URL', async () => {
  const posted: string[] = [];
  const failure = { since: new Date(0), reason: 'the response status was 500' };
  const checkpointSender = {
    send: (_size: number, note: string) => void posted.push(note),
    failure: () => failure,
    close: async () => void posted.push('closed'),
  };
  const posting = { ...services, sealing: { ...services.sealing, checkpointSender } };
  const sealing = startSealing(posting, { everyMs: 60_000, gapMs: 1, checkpointMs: 0 });
  await create();
  await allSealed();
  await create();
  await allSealed();
  await sealing.stop();
  const { notes, torn } = parseNotes(readFileSync(checkpointFile, 'utf8'));
  expect(torn).toBe(0);
  expect(notes.at(-1)).toContain(`\n${await records()}\n`);
  expect(await verify(notes)).toMatchObject({ ...intact, externalCheckpoints: notes.length });
  expect(posted.slice(-2)).toEqual([notes.at(-1), 'closed']);
  const detail = 'no checkpoint sent since 1970-01-01T00:00:00.000Z';
  expect(await health(posting)).toMatchObject({
    parts: { database: { status: 'ok' }, checkpoints: { status: 'late', detail } },
  });
});

test('pauses between sealings while writes continue', async () => {
  await create();
  let looks = 0;
  const clock = () => {
    looks++;
    return new Date();
  };
  const sealing = startSealing({ ...services, clock }, { everyMs: 60_000, gapMs: 60_000 });
  await Promise.all(Array.from({ length: 40 }, create));
  // one for the lease, one for the checkpoint
  expect(looks).toBeLessThanOrEqual(2);
  await sealing.stop();
  expect(await pendingCount()).toBe(0);
});

/** Starts to seal and returns the intervals that the sealer waits, and what to run when the nth wait begins. */
function watchIntervals(onWait: (n: number) => Promise<unknown>) {
  const intervals: number[] = [];
  const { dispatch } = services;
  const waitFor = async (...args: Parameters<typeof dispatch.waitFor>) => {
    const n = intervals.push(args[1]);
    await onWait(n);
    return n > 3 && dispatch.waitFor(...args); // the first waits end at once
  };
  const times = { everyMs: 50, idleMs: 40_000, gapMs: 1, checkpointMs: 0, leaseMs: 0, othersMs: 300 };
  const sealing = startSealing({ ...services, dispatch: { ...dispatch, waitFor } }, times);
  return { intervals, sealing };
}

test('does not take a record of this process for one of another if it is announced between two waits', async () => {
  const { intervals, sealing } = watchIntervals(async (n) => {
    if (n === 2) await create();
  });
  await expect.poll(() => intervals.length).toBeGreaterThan(3);
  await sealing.stop();
  expect(intervals.slice(1)).not.toContain(50);
  expect(await pendingCount()).toBe(0);
});

test('looks for records of another process more often, until it has written none for some time', async () => {
  const { notify } = services.dispatch;
  services.dispatch.notify = () => {};
  await create();
  services.dispatch.notify = notify;
  const unannounced = await collection(scope(), 'auditPending').find().toArray();
  await collection(scope(), 'auditPending').deleteMany({});
  const { intervals, sealing } = watchIntervals(async (n) => {
    if (n === 2) await collection(scope(), 'auditPending').insertMany(unannounced);
  });
  await expect.poll(() => intervals).toContain(50);
  await expect.poll(() => intervals.at(-1)).toBe(40_000);
  await sealing.stop();
});

test('seals each record once with several sealers', async () => {
  const sealers = [1, 2].map(() => startSealing(services, { leaseMs: 0 }));
  await Promise.all(Array.from({ length: 10 }, create));
  await allSealed();
  await Promise.all(sealers.map((sealer) => sealer.stop()));
  expect(await sealed()).toHaveLength(await records());
  expect(await verify(parseNotes(readFileSync(checkpointFile, 'utf8')).notes)).toMatchObject(intact);
});

test('lets another sealer take over only after the lease expired', async () => {
  const now = new Date();
  const sealer = (id: string, at: Date) =>
    sealPending(services.mongo, { id, now: at, leaseMs: 5_000, sign: (text, name) => `${text}\n${name}` }).then(
      ({ count }) => count,
    );
  const before = await ensureAuditTree(scope());
  await create();
  expect(await sealer('one', now)).toBe(1);
  await create();
  expect(await sealer('two', new Date(now.getTime() + 4_999))).toBe(0);
  expect(await sealer('two', new Date(now.getTime() + 5_001))).toBe(1);
  expect(await sealer('one', new Date(now.getTime() + 5_002))).toBe(0);
  // these two signed with a fake signature: the next sealing signs again
  await collection(scope(), 'auditTree').updateOne({ _id: 'tree' }, { $set: { sealer: null } });
  await create();
  const sealing = startSealing(services);
  await allSealed();
  await sealing.stop();
  expect((await ensureAuditTree(scope())).size).toBe(before.size + 3);
  expect(await verify()).toMatchObject(intact);
});

const sealerOfThree = () => ({
  id: 'one',
  now: new Date(),
  leaseMs: 0,
  batch: 3,
  sign: (text: string, name: string) => signNote(text, name, services.sealing.signingKey()),
});

test('seals each chain in its order, regardless of timestamps and of the format of pending records', async () => {
  const recorded: Command<{ chains: string[] }, void> = async (work, { chains }) => {
    for (const documentId of chains) work.audit({ action: 'document.updated', documentId, summary: 'Updated.' });
  };
  const record = (chains: string[]) => inTransaction(services, editor, recorded, { chains });
  for (let n = 0; n < 12; n++)
    await record(['doc_one', ...(n % 3 ? ['doc_two'] : []), ...(n % 4 ? [] : ['doc_one', 'doc_three'])]);
  // two records in the format of an earlier version, and all in reverse order
  const pending = collection(scope(), 'auditPending');
  const left = await pending.find().sort({ _id: -1 }).toArray();
  await pending.deleteMany({});
  await pending.insertMany(
    left.flatMap((record, n): PendingRecord[] =>
      n % 6 ? [{ _id: `aud_${n}`, links: pendingLinks(record) }] : pendingLinks(record),
    ),
  );
  expect(await verify()).toMatchObject({ ...intact, pending: await pendingCount() });
  while (await pendingCount()) expect((await sealPending(services.mongo, sealerOfThree())).count).toBeGreaterThan(0);
  expect(await verify()).toMatchObject({ ...intact, pending: 0, sealed: await records() });
});

test('seals the records of large transactions in batches', async () => {
  const recorded: Command<{ chain: string }, void> = async (work, { chain }) => {
    for (let n = 0; n < 5; n++) work.audit({ action: 'document.updated', documentId: chain, summary: 'Updated.' });
  };
  for (const chain of ['doc_four', 'doc_four', 'doc_five']) await inTransaction(services, editor, recorded, { chain });
  const sizes: number[] = [];
  while (await pendingCount()) sizes.push((await sealPending(services.mongo, sealerOfThree())).count);
  expect(sizes).toEqual([5, 5, 5]);
  expect(await verify()).toMatchObject({ ...intact, pending: 0, sealed: await records() });
});

test('continues a checkpoint file with a torn last line', async () => {
  const whole = readFileSync(checkpointFile, 'utf8');
  writeFileSync(checkpointFile, whole.slice(0, -30));
  await create();
  const sealing = startSealing(services);
  await allSealed();
  await sealing.stop();
  const { notes, torn } = parseNotes(readFileSync(checkpointFile, 'utf8'));
  expect(torn).toBeGreaterThan(0);
  expect(notes.at(-1)).toContain(`\n${await records()}\n`);
  expect(await verify(notes)).toMatchObject(intact);
});

test('detects records that were edited, deleted, inserted or all removed in the store', async () => {
  const checkpoints = parseNotes(readFileSync(checkpointFile, 'utf8')).notes;
  const audit = collection(scope(), 'audit');
  const record = await audit.findOne({}, { sort: { chain: 1 } });
  if (!record) throw new Error('no audit record found');
  const tamperings: Record<string, [() => Promise<unknown>, () => Promise<unknown>]> = {
    edit: [
      () => audit.updateOne({ _id: record._id }, { $set: { 'by.id': 'usr_other' } }),
      () => audit.updateOne({ _id: record._id }, { $set: { 'by.id': record.by.id } }),
    ],
    delete: [() => audit.deleteOne({ _id: record._id }), () => audit.insertOne(record)],
    insert: [
      () => audit.insertOne({ ...record, _id: 'aud_x', chain: 'doc_x' }),
      () => audit.deleteOne({ _id: 'aud_x' }),
    ],
  };
  for (const [name, [tamper, undo]] of Object.entries(tamperings)) {
    await tamper();
    const { verdict, errors } = await verify();
    expect([name, verdict]).toEqual([name, 'tampered']);
    expect(errors.map(({ id }) => id)).toContain(name === 'insert' ? 'aud_x' : record._id);
    await undo();
  }
  const heads = await collection(scope(), 'chains').find().toArray();
  const seals = await sealed();
  await collection(scope(), 'auditTree').deleteMany({});
  for (const name of ['audit', 'auditSeals', 'chains', 'auditCheckpoints'] as const)
    await collection(scope(), name).deleteMany({});
  expect((await verify(checkpoints)).verdict).toBe('tampered');
  expect(heads.length + seals.length).toBeGreaterThan(0);
});
