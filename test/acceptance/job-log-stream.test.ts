// Streaming the log of a running job.
import { beforeAll, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let jobId: string;
const HELD_JOB = { attempt: 1, workerId: 'w-1' };

beforeAll(async () => {
  pdm = await startPdm();
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const { draftId } = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0];
  await pdm.editor.upload(draftId, 'source', 'ISO-10303-21;', { fileName: 'bracket.step' });
  jobId = (await pdm.worker.post('/jobs/claim', { workerId: 'w-1' })).body.id;
});

const heartbeat = (...log: string[]) => pdm.worker.post(`/jobs/${jobId}/heartbeat`, { ...HELD_JOB, log });

/** Opens the stream like a browser; `next` returns the next event, without comments, and null at the end. */
async function follow(headers: Record<string, string> = {}) {
  const response = await fetch(`${pdm.url}/api/v1/jobs/${jobId}/log/stream`, {
    headers: { authorization: `Bearer ${pdm.tokens.viewer}`, ...headers },
  });
  const chunks = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  const next = async (): Promise<Record<string, string> | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const fields = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const event = Object.fromEntries(
          fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 2)]),
        );
        if (event.data) return event;
        continue;
      }
      const { value, done } = await chunks.next();
      if (done) return null;
      text += value;
    }
  };
  return { response, next, close: () => chunks.return?.() };
}

const lineOf = (event: Record<string, string> | null) => JSON.parse(event?.data ?? '{}').line;

test('streams lines as they are written, resumes after the last id, and sends an end event', async () => {
  await heartbeat('one', 'two');
  const first = await follow();
  expect(first.response.headers.get('content-type')).toBe('text/event-stream');
  expect(lineOf(await first.next())).toBe('one');
  const two = await first.next();
  expect([lineOf(two), two?.id]).toEqual(['two', '2']);
  await heartbeat('three\nfour');
  expect(lineOf(await first.next())).toBe('three');
  await first.close();

  await heartbeat('five');
  const again = await follow({ 'last-event-id': '3' });
  expect([lineOf(await again.next()), lineOf(await again.next())]).toEqual(['four', 'five']);
  await pdm.worker.post(`/jobs/${jobId}/complete`, { ...HELD_JOB, log: ['six'] });
  expect(lineOf(await again.next())).toBe('six');
  expect(await again.next()).toMatchObject({ event: 'end', data: '{"status":"done"}' });
  expect(await again.next()).toBeNull();
});

test('streams the whole log of an ended job, and returns 404 for an unknown job', async () => {
  const { next } = await follow({ 'last-event-id': '5' });
  expect(lineOf(await next())).toBe('six');
  expect(await next()).toMatchObject({ event: 'end', id: '6' });
  expect((await pdm.viewer.get('/jobs/job_unknown/log/stream')).body).toMatchObject({ code: 'not_found' });
  expect((await pdm.viewer.get(`/jobs/${jobId}/log/stream`, { 'last-event-id': 'x' })).body).toMatchObject({
    code: 'validation_failed',
  });
});

test('streams the lines of concurrent heartbeats in order and without duplicates', async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const { draftId } = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0];
  await pdm.editor.upload(draftId, 'source', 'ISO-10303-21;', { fileName: 'bracket.step' });
  jobId = (await pdm.worker.post('/jobs/claim', { workerId: 'w-1' })).body.id;
  const { next } = await follow();
  const batches = Array.from({ length: 20 }, (_, n) => [`${n} a`, `${n} b`]);
  await Promise.all(batches.map((lines) => heartbeat(...lines)));
  await pdm.worker.post(`/jobs/${jobId}/complete`, HELD_JOB);

  const received: string[] = [];
  for (let event = await next(); event && event.event !== 'end'; event = await next()) {
    received.push(lineOf(event));
    expect(event.id).toBe(String(received.length));
  }
  expect(received.sort()).toEqual(batches.flat().sort());
});

// Runs last, because it stops the service.
test('ends its streams when the service stops', async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const { draftId } = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0];
  await pdm.editor.upload(draftId, 'source', 'ISO-10303-21;', { fileName: 'bracket.step' });
  jobId = (await pdm.worker.post('/jobs/claim', { workerId: 'w-1' })).body.id;
  const { next } = await follow();
  const end = next();
  await pdm.close();
  expect(await end).toBeNull();
});
