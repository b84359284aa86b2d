// The feed of events: what was recorded, in the order of the log, page by page and as a stream.
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
  await pdm.admin.post('/tokens', { name: 'told to administrators' });
  await pdm.editor.post('/folders', { name: 'Parts' });
  await newest();
});
let closing: Promise<void> | null = null;
afterAll(() => closing ?? pdm.close());

/** The place of the newest record, once all that was recorded is sealed. */
async function newest(): Promise<number> {
  for (;;) {
    const { items } = (await pdm.admin.get('/audit?limit=1')).body;
    if (items[0].seq !== null) return (await pdm.admin.get('/events?limit=200')).body.next;
  }
}

async function feed(who: Pdm['viewer'], query = ''): Promise<Event[]> {
  const { status, body } = await who.get(`/events?limit=200${query}`);
  expect(status).toBe(200);
  return body.items;
}

test('administrators get every record once, in the order of the log and without a gap, as CloudEvents', async () => {
  const events = await feed(pdm.admin);
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

test('readers get neither records about access and the system nor addresses and tokens, and the place goes on all the same', async () => {
  const [all, shown] = [await feed(pdm.admin), await feed(pdm.viewer)];
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

test('pages follow each other by place or by cursor, and types leave the others out', async () => {
  const all = await feed(pdm.admin);
  const byPlace: Event[] = [];
  for (let after = 0; after < all.length; ) {
    const { items, next } = (await pdm.admin.get(`/events?after=${after}&limit=2`)).body;
    byPlace.push(...items);
    after = next;
  }
  const { nextCursor } = (await pdm.admin.get('/events?limit=2')).body;
  expect(byPlace).toEqual(all);
  expect((await pdm.admin.get(`/events?limit=1&cursor=${nextCursor}`)).body.items).toEqual([all[2]]);
  const types = (await feed(pdm.viewer, '&types=folder.created,document.*')).map(({ type }) => type);
  expect(types).toEqual(['document.created', 'document.created', 'folder.created']);
  expect(await feed(pdm.viewer, '&types=document.deleted')).toEqual([]);
});

test('what is no place, no type or no cursor is refused, and so is a place that the log does not have', async () => {
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

test('a stream tells the same as the feed, goes on with what is recorded next, and again from the last id', async () => {
  const before = await feed(pdm.viewer);
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

test('an administrator is told of access as it happens; a reader goes past it', async () => {
  const [admin, viewer] = [await follow(stream, pdm.tokens.admin), await follow(stream, pdm.tokens.viewer)];
  await pdm.admin.post('/tokens', { name: 'another' });
  const told = JSON.parse((await admin.next())!.data) as Event;
  expect([told.type, told.data.ip]).toEqual(['token.created', '127.0.0.1']);
  await pdm.editor.post('/folders', { name: 'More parts' });
  expect(JSON.parse((await viewer.next())!.data).type).toBe('folder.created');
  await Promise.all([admin.close(), viewer.close()]);
});

test('a stream ends within seconds after its token was revoked', async () => {
  const { id, token } = (await pdm.admin.post('/tokens', { name: 'short', role: 'viewer' })).body;
  const reader = await follow(stream, token);
  await pdm.admin.delete(`/tokens/${id}`);
  expect(await reader.next()).toBeNull();
  await expect(follow(stream, token)).rejects.toThrow('401');
});

test('a stream ends when the service stops, and holds nothing up', async () => {
  const readers = await Promise.all([
    follow(stream, pdm.tokens.viewer),
    follow(`${stream}?after=0&types=document.deleted`, pdm.tokens.admin),
  ]);
  closing = pdm.close();
  for (const reader of readers) expect(await reader.next()).toBeNull();
  await closing;
});
