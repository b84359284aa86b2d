// Sends valid and invalid worker requests and records the responses, to compare the mock service with the real one.
import type { Answer, Client } from '../../../test/support/client.ts';
import { sha256Of } from '../../../test/support/content.ts';

/** A service under test. The token of `stranger` is invalid. */
export type ServiceUnderTest = { worker: Client; stranger: Client; queue(): Promise<void> };

const CLAIM = { workerId: 'w-1', types: ['convert'], environment: { engine: 'occt' }, waitSeconds: 5 };

/** Returns status, error code, content type and shape of each response, by step. */
export async function recordProtocol({ worker, stranger, queue }: ServiceUnderTest): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  const record = (step: string, response: Answer) => {
    responses[step] = {
      status: response.status,
      code: response.body?.code,
      type: response.headers.get('content-type'),
      shape: shapeOf(response.body),
    };
    return response.body;
  };
  const upload = (job: { versionId: string }, headers: Record<string, string>, kind = 'properties') =>
    worker.upload(job.versionId, kind, '{}', { fileName: 'Träger.json', headers });
  const headersFor = (job: { inputSha256: string; attempt: number }) => ({
    'x-generator': 'test/1',
    'x-input-sha256': job.inputSha256,
    'x-job-attempt': String(job.attempt),
  });
  record('claim without a token', await stranger.post('/jobs/claim', CLAIM));
  record('claim without a workerId', await worker.post('/jobs/claim', { types: ['convert'] }));
  record('claim with an unknown field', await worker.post('/jobs/claim', { ...CLAIM, hostname: 'here' }));
  record('claim of an unknown type', await worker.post('/jobs/claim', { ...CLAIM, types: ['paint'] }));
  record('claim with waitSeconds over the limit', await worker.post('/jobs/claim', { ...CLAIM, waitSeconds: 51 }));
  record('claim without a queued job', await worker.post('/jobs/claim', { ...CLAIM, waitSeconds: 0 }));

  await queue();
  const job = record('claim', await worker.post('/jobs/claim', CLAIM));
  const path = `/jobs/${job.id}`;
  const { attempt } = job;
  const otherAttempt = attempt + 1;
  const { files } = record('context', await worker.get(`${path}/context`));
  const download = await worker.get(files[0].url.replace('/api/v1', ''));
  responses.download = {
    status: download.status,
    type: download.headers.get('content-type'),
    sha256: sha256Of(download.bytes),
    etag: download.headers.get('etag'),
  };
  record('heartbeat', await worker.post(`${path}/heartbeat`, { attempt, percent: 10, step: 'reading', log: ['one'] }));
  record('heartbeat with an empty body', await worker.post(`${path}/heartbeat`, {}));
  record('heartbeat with another attempt', await worker.post(`${path}/heartbeat`, { attempt: otherAttempt }));
  record('heartbeat of another worker', await worker.post(`${path}/heartbeat`, { workerId: 'w-2' }));
  record('heartbeat with a wrong type', await worker.post(`${path}/heartbeat`, { attempt: 'one' }));
  record('upload without headers', await upload(job, {}));
  record('upload of an unknown kind', await upload(job, headersFor(job), 'paint'));
  record('upload with another attempt', await upload(job, headersFor({ ...job, attempt: otherAttempt })));
  record(
    'upload with another input hash',
    await upload(job, { ...headersFor(job), 'x-input-sha256': sha256Of('another') }),
  );
  record('upload', await upload(job, headersFor(job)));
  record('complete with another attempt', await worker.post(`${path}/complete`, { attempt: otherAttempt }));
  record('complete', await worker.post(`${path}/complete`, { attempt, log: ['done'] }));
  record('repeated complete', await worker.post(`${path}/complete`, { attempt }));
  record('fail after complete', await worker.post(`${path}/fail`, { attempt, error: 'late' }));
  record('heartbeat after complete', await worker.post(`${path}/heartbeat`, { attempt }));
  record('context after complete', await worker.get(`${path}/context`));
  record('unknown job', await worker.post('/jobs/job_00000000000000000000000000/heartbeat', {}));
  record('unknown route', await worker.post(`${path}/dance`, {}));

  await queue();
  const second = record('claim of a second job', await worker.post('/jobs/claim', CLAIM));
  record('give-back', await worker.post(`/jobs/${second.id}/give-back`, { attempt: second.attempt }));
  record('repeated give-back', await worker.post(`/jobs/${second.id}/give-back`, { attempt: second.attempt }));
  record('heartbeat after give-back', await worker.post(`/jobs/${second.id}/heartbeat`, { attempt: second.attempt }));

  await queue();
  const third = await (async () => {
    for (;;) {
      const claimed = (await worker.post('/jobs/claim', CLAIM)).body;
      if (claimed.id !== second.id) return claimed;
    }
  })();
  record('fail without an error', await worker.post(`/jobs/${third.id}/fail`, { attempt: third.attempt }));
  record(
    'fail without a message',
    await worker.post(`/jobs/${third.id}/fail`, { attempt: third.attempt, error: { code: 'x' } }),
  );
  const failure = {
    attempt: third.attempt,
    error: { code: 'not_step', message: 'Not a STEP file.' },
    final: true,
    log: ['no'],
  };
  record('fail', await worker.post(`/jobs/${third.id}/fail`, failure));
  record('repeated fail', await worker.post(`/jobs/${third.id}/fail`, failure));
  return responses;
}

/** Returns the field names and types of a body. Of a problem, returns only the names of the standard fields. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length ? [shapeOf(value[0])] : [];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).map(([name, member]) => [name, shapeOf(member)]);
  if ('requestId' in value)
    return members.map(([name]) => name).filter((name) => PROBLEM_FIELDS.includes(String(name)));
  return Object.fromEntries(members.sort());
}

const PROBLEM_FIELDS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'];
