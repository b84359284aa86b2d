// The log of a job, followed while the job runs.
import { beforeAll, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let jobId: string;
const HELD = { attempt: 1, workerId: 'w-1' };

beforeAll(async () => {
  pdm = await startPdm();
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const { draftId } = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0];
  await pdm.editor.upload(draftId, 'source', 'ISO-10303-21;', { fileName: 'bracket.step' });
  jobId = (await pdm.worker.post('/jobs/claim', { workerId: 'w-1' })).body.id;
});

const beat = (...log: string[]) => pdm.worker.post(`/jobs/${jobId}/heartbeat`, { ...HELD, log });

/** Opens the stream, as a browser does; answers the next events one by one, comments left out. */
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
  return { response, next, leave: () => chunks.return?.() };
}

const line = (event: Record<string, string> | null) => JSON.parse(event?.data ?? '{}').line;

test('lines come as they are written, a client that comes again reads on, and the end is told', async () => {
  await beat('one', 'two');
  const first = await follow();
  expect(first.response.headers.get('content-type')).toBe('text/event-stream');
  expect(line(await first.next())).toBe('one');
  const two = await first.next();
  expect([line(two), two?.id]).toEqual(['two', '2']);
  await beat('three\nfour');
  expect(line(await first.next())).toBe('three');
  await first.leave();

  await beat('five');
  const again = await follow({ 'last-event-id': '3' });
  expect([line(await again.next()), line(await again.next())]).toEqual(['four', 'five']);
  await pdm.worker.post(`/jobs/${jobId}/complete`, { ...HELD, log: ['six'] });
  expect(line(await again.next())).toBe('six');
  expect(await again.next()).toMatchObject({ event: 'end', data: '{"status":"done"}' });
  expect(await again.next()).toBeNull();
});

test('the log of a job that has ended is told at once, with its end; a job that is not there is not found', async () => {
  const { next } = await follow({ 'last-event-id': '5' });
  expect(line(await next())).toBe('six');
  expect(await next()).toMatchObject({ event: 'end', id: '6' });
  expect((await pdm.viewer.get('/jobs/job_unknown/log/stream')).body).toMatchObject({ code: 'not_found' });
  expect((await pdm.viewer.get(`/jobs/${jobId}/log/stream`, { 'last-event-id': 'x' })).body).toMatchObject({
    code: 'validation_failed',
  });
});

test('lines that several beats bring at once are told in their places, none of them twice', async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const { draftId } = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0];
  await pdm.editor.upload(draftId, 'source', 'ISO-10303-21;', { fileName: 'bracket.step' });
  jobId = (await pdm.worker.post('/jobs/claim', { workerId: 'w-1' })).body.id;
  const { next } = await follow();
  const told = Array.from({ length: 20 }, (_, n) => [`${n} a`, `${n} b`]);
  await Promise.all(told.map((lines) => beat(...lines)));
  await pdm.worker.post(`/jobs/${jobId}/complete`, HELD);

  const heard: string[] = [];
  for (let event = await next(); event && event.event !== 'end'; event = await next()) {
    heard.push(line(event));
    expect(event.id).toBe(String(heard.length));
  }
  expect(heard.sort()).toEqual(told.flat().sort());
});

// The last one: it ends the service.
test('a service that stops ends its streams', async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const { draftId } = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0];
  await pdm.editor.upload(draftId, 'source', 'ISO-10303-21;', { fileName: 'bracket.step' });
  jobId = (await pdm.worker.post('/jobs/claim', { workerId: 'w-1' })).body.id;
  const { next } = await follow();
  const end = next();
  await pdm.close();
  expect(await end).toBeNull();
});
