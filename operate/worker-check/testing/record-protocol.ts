// For tests: everything that a worker may say, right and wrong, and the form of the answers; asked of the service and of the one that is played.
import type { Answer, Client } from '../../../test/support/client.ts';
import { sha256Of } from '../../../test/support/content.ts';

/** A service: how a worker and a stranger reach it, and how a job is queued. */
export type Side = { worker: Client; stranger: Client; queue(): Promise<void> };

const CLAIM = { workerId: 'w-1', types: ['convert'], environment: { engine: 'occt' }, waitSeconds: 5 };

/** What a worker may say in the life of some jobs, step by step, right and wrong. */
export async function recordProtocol({ worker, stranger, queue }: Side): Promise<Record<string, unknown>> {
  const heard: Record<string, unknown> = {};
  const note = (step: string, answer: Answer) => {
    heard[step] = {
      status: answer.status,
      code: answer.body?.code,
      type: answer.headers.get('content-type'),
      shape: shapeOf(answer.body),
    };
    return answer.body;
  };
  const result = (job: { versionId: string }, headers: Record<string, string>, kind = 'properties') =>
    worker.upload(job.versionId, kind, '{}', { fileName: 'Träger.json', headers });
  const made = (job: { inputSha256: string; attempt: number }) => ({
    'x-generator': 'test/1',
    'x-input-sha256': job.inputSha256,
    'x-job-attempt': String(job.attempt),
  });
  note('claim without a token', await stranger.post('/jobs/claim', CLAIM));
  note('claim without a workerId', await worker.post('/jobs/claim', { types: ['convert'] }));
  note('claim with an unknown field', await worker.post('/jobs/claim', { ...CLAIM, hostname: 'here' }));
  note('claim of an unknown type', await worker.post('/jobs/claim', { ...CLAIM, types: ['paint'] }));
  note('claim that waits too long', await worker.post('/jobs/claim', { ...CLAIM, waitSeconds: 51 }));
  note('claim of nothing', await worker.post('/jobs/claim', { ...CLAIM, waitSeconds: 0 }));

  await queue();
  const job = note('claim', await worker.post('/jobs/claim', CLAIM));
  const at = `/jobs/${job.id}`;
  const { attempt } = job;
  const wrong = attempt + 1;
  const { files } = note('context', await worker.get(`${at}/context`));
  const download = await worker.get(files[0].url.replace('/api/v1', ''));
  heard.download = {
    status: download.status,
    type: download.headers.get('content-type'),
    sha256: sha256Of(download.bytes),
    etag: download.headers.get('etag'),
  };
  note('heartbeat', await worker.post(`${at}/heartbeat`, { attempt, percent: 10, step: 'reading', log: ['one'] }));
  note('heartbeat without anything', await worker.post(`${at}/heartbeat`, {}));
  note('heartbeat of another attempt', await worker.post(`${at}/heartbeat`, { attempt: wrong }));
  note('heartbeat of another worker', await worker.post(`${at}/heartbeat`, { workerId: 'w-2' }));
  note('heartbeat with a wrong type', await worker.post(`${at}/heartbeat`, { attempt: 'one' }));
  note('result without what made it', await result(job, {}));
  note('result of an unknown kind', await result(job, made(job), 'paint'));
  note('result of another attempt', await result(job, made({ ...job, attempt: wrong })));
  note('result of another input', await result(job, { ...made(job), 'x-input-sha256': sha256Of('another') }));
  note('result', await result(job, made(job)));
  note('complete of another attempt', await worker.post(`${at}/complete`, { attempt: wrong }));
  note('complete', await worker.post(`${at}/complete`, { attempt, log: ['done'] }));
  note('complete again', await worker.post(`${at}/complete`, { attempt }));
  note('fail after complete', await worker.post(`${at}/fail`, { attempt, error: 'late' }));
  note('heartbeat after complete', await worker.post(`${at}/heartbeat`, { attempt }));
  note('context after complete', await worker.get(`${at}/context`));
  note('a job that is not there', await worker.post('/jobs/job_00000000000000000000000000/heartbeat', {}));
  note('an address that is not there', await worker.post(`${at}/dance`, {}));

  await queue();
  const second = note('claim of a second', await worker.post('/jobs/claim', CLAIM));
  note('give back', await worker.post(`/jobs/${second.id}/give-back`, { attempt: second.attempt }));
  note('give back again', await worker.post(`/jobs/${second.id}/give-back`, { attempt: second.attempt }));
  note('heartbeat after give-back', await worker.post(`/jobs/${second.id}/heartbeat`, { attempt: second.attempt }));

  await queue();
  const third = await (async () => {
    for (;;) {
      const claimed = (await worker.post('/jobs/claim', CLAIM)).body;
      if (claimed.id !== second.id) return claimed;
    }
  })();
  note('fail without an error', await worker.post(`/jobs/${third.id}/fail`, { attempt: third.attempt }));
  note(
    'fail without a message',
    await worker.post(`/jobs/${third.id}/fail`, { attempt: third.attempt, error: { code: 'x' } }),
  );
  const failure = {
    attempt: third.attempt,
    error: { code: 'not_step', message: 'This is no STEP file.' },
    final: true,
    log: ['no'],
  };
  note('fail', await worker.post(`/jobs/${third.id}/fail`, failure));
  note('fail again', await worker.post(`/jobs/${third.id}/fail`, failure));
  return heard;
}

/** The names and types of a body, without its values; of a problem only what every problem has. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length ? [shapeOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).map(([name, member]) => [name, shapeOf(member)]);
  if ('requestId' in value) return members.map(([name]) => name).filter((name) => PROBLEM.includes(String(name)));
  return Object.fromEntries(members.sort());
}

const PROBLEM = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'];
