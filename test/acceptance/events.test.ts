// The event feed: records in the order of the log, page by page and as a stream.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { follow } from '../support/event-stream.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

type Event = {
  id: string;
  type: string;
  sequence: string;
  subject: string | null;
  data: { seq: number; chain: string; ip: string | null; by: { tokenId: string | null } };
};

let pdm: Pdm;
let stream: string;
beforeAll(async () => {
  pdm = await startPdm();
  stream = `${pdm.url}/api/v1/events/stream`;
  for (const name of ['One', 'Two']) await pdm.editor.post('/documents', { name, kind: 'model' });
  await pdm.admin.post('/tokens', { name: 'visible to administrators' });
  await pdm.editor.post('/folders', { name: 'Parts' });
  await waitForSealed();
});
let closing: Promise<void> | null = null;
afterAll(() => closing ?? pdm.close());

/** Waits until all records are sealed, and therefore in the feed. */
async function waitForSealed(): Promise<void> {
  for (;;) {
    const { items } = (await pdm.admin.get('/audit?limit=1')).body;
    if (items[0].seq !== null) return;
  }
}

async function readFeed(reader: Pdm['viewer'], query = ''): Promise<Event[]> {
  const { status, body } = await reader.get(`/events?limit=200${query}`);
  expect(status).toBe(200);
  return body.items;
}

test('returns every record to administrators once, in log order without gaps, as CloudEvents', async () => {
  const events = await readFeed(pdm.admin);
  expect(events.map(({ data }) => data.seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map(({ sequence }) => sequence).toSorted());
  const created = events.find(({ type }) => type === 'document.created');
  const { items } = (await pdm.admin.get(`/documents/${created?.subject}/audit`)).body;
  expect(created).toMatchObject({
    specversion: '1.0',
    source: expect.stringMatching(/^urn:uuid:/),
    datacontenttype: 'application/json',
    id: items[0].id,
  });
  expect(created?.data).toEqual(items[0]);
});

test('hides access and system records, IP addresses and token ids from viewers, and advances the cursor past them', async () => {
  const [all, shown] = [await readFeed(pdm.admin), await readFeed(pdm.viewer)];
  expect(shown.map(({ id }) => id)).toEqual(
    all.filter(({ data }) => !['access', 'system'].includes(data.chain)).map(({ id }) => id),
  );
  expect(shown.length).toBeLessThan(all.length);
  expect(shown.every(({ data }) => data.ip === null && data.by.tokenId === null)).toBe(true);
  const { next, nextCursor } = (await pdm.viewer.get('/events?limit=200')).body;
  expect([next, nextCursor]).toEqual([all.length, null]);
  const token = all.find(({ type }) => type === 'token.created')!.data.seq;
  expect((await pdm.viewer.get(`/events?after=${token - 1}&limit=1&types=token.*`)).body).toMatchObject({
    items: [],
    next: all.length,
  });
});

test('pages by position or by cursor and filters by type', async () => {
  const all = await readFeed(pdm.admin);
  const bySequence: Event[] = [];
  for (let after = 0; after < all.length; ) {
    const { items, next } = (await pdm.admin.get(`/events?after=${after}&limit=2`)).body;
    bySequence.push(...items);
    after = next;
  }
  const { nextCursor } = (await pdm.admin.get('/events?limit=2')).body;
  expect(bySequence).toEqual(all);
  expect((await pdm.admin.get(`/events?limit=1&cursor=${nextCursor}`)).body.items).toEqual([all[2]]);
  const types = (await readFeed(pdm.viewer, '&types=folder.created,document.*')).map(({ type }) => type);
  expect(types).toEqual(['document.created', 'document.created', 'folder.created']);
  expect(await readFeed(pdm.viewer, '&types=document.deleted')).toEqual([]);
});

test('rejects an invalid position, type or cursor, and a position beyond the end of the log', async () => {
  const codes = async (query: string) => (await pdm.viewer.get(`/events?${query}`)).body.code;
  expect(await codes('after=-1')).toBe('validation_failed');
  expect(await codes('after=x')).toBe('validation_failed');
  expect(await codes('types=*')).toBe('validation_failed');
  expect(await codes('after=999999')).toBe('bad_cursor');
  const refused = await pdm.viewer.get('/events/stream', { 'last-event-id': '999999' });
  expect([refused.status, refused.body.code, refused.body.newest > 0]).toEqual([400, 'bad_cursor', true]);
  expect((await pdm.viewer.get('/events/stream?afer=1')).body.errors).toHaveLength(1);
  expect((await pdm.worker.get('/events/stream')).status).toBe(403);
});

test('streams the records of the feed, then new ones, and resumes after the last id', async () => {
  const before = await readFeed(pdm.viewer);
  const reader = await follow(`${stream}?after=0`, pdm.tokens.viewer);
  for (const event of before) expect(JSON.parse((await reader.next())!.data)).toEqual(event);
  await pdm.editor.post('/documents', { name: 'Three', kind: 'model' });
  const live = await reader.next();
  expect(JSON.parse(live!.data)).toMatchObject({ type: 'document.created', data: { seq: Number(live!.id) } });
  await reader.close();
  await pdm.editor.post('/documents', { name: 'Four', kind: 'model' });
  const again = await follow(stream, pdm.tokens.viewer, { 'last-event-id': live!.id });
  const next = JSON.parse((await again.next())!.data);
  expect([next.type, next.data.seq]).toEqual(['document.created', Number(live!.id) + 1]);
  await again.close();
});

test('streams access records to administrators and skips them for viewers', async () => {
  const [admin, viewer] = [await follow(stream, pdm.tokens.admin), await follow(stream, pdm.tokens.viewer)];
  await pdm.admin.post('/tokens', { name: 'another' });
  const event = JSON.parse((await admin.next())!.data) as Event;
  expect([event.type, event.data.ip]).toEqual(['token.created', '127.0.0.1']);
  await pdm.editor.post('/folders', { name: 'More parts' });
  expect(JSON.parse((await viewer.next())!.data).type).toBe('folder.created');
  await Promise.all([admin.close(), viewer.close()]);
});

test('ends a stream within seconds after its token is revoked', async () => {
  const { id, token } = (await pdm.admin.post('/tokens', { name: 'short', role: 'viewer' })).body;
  const reader = await follow(stream, token);
  await pdm.admin.delete(`/tokens/${id}`);
  expect(await reader.next()).toBeNull();
  await expect(follow(stream, token)).rejects.toThrow('401');
});

test('ends streams when the service stops', async () => {
  const readers = await Promise.all([
    follow(stream, pdm.tokens.viewer),
    follow(`${stream}?after=0&types=document.deleted`, pdm.tokens.admin),
  ]);
  closing = pdm.close();
  for (const reader of readers) expect(await reader.next()).toBeNull();
  await closing;
});
