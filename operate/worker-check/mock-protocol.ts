// What the played service understands and answers, in the shapes of the service; a test holds the two against each other.
import type { IncomingMessage } from 'node:http';
import { typeid } from 'typeid-js';
import { artifactKind } from '../../subgraphs/core/domain/artifact-kind.ts';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import { isObject } from '../../subgraphs/core/domain/text/is-object.ts';
import { type Holder, holderRefusal } from '../../subgraphs/core/domain/jobs/job-fence.ts';
import { heldBy } from '../../subgraphs/core/domain/jobs/job-lifecycle.ts';
import { type MockJob, jobResponse, WORKER } from './mock-job.ts';
import type { Operation, RecordedRequest } from './mock-service.ts';

const JSON_BYTES = 1024 * 1024;

/** The JSON body of a request; none is an empty record. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > JSON_BYTES) refuse('file_too_large', 'JSON may have at most 1 MiB.');
  }
  const type = request.headers['content-type'] ?? '';
  if (text && !/^application\/json\b/i.test(type))
    refuse('unsupported_media_type', 'This address takes a body of the type application/json.');
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return refuse('validation_failed', 'The body is not JSON.');
  }
}

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string';
const whole: Check = (value) => Number.isInteger(value);
const number: Check = (value) => typeof value === 'number';
const yesOrNo: Check = (value) => typeof value === 'boolean';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const types: Check = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((type) => ['convert', 'assemble', 'export', 'run'].includes(type));
const error: Check = (value) =>
  text(value) || (isObject(value) && text(value.message) && (value.code == null || text(value.code)));
const anything: Check = () => true;

const HELD = { attempt: whole, workerId: text };
const FIELDS: Partial<Record<Operation, Record<string, Check>>> = {
  claim: { workerId: text, types, environment: anything, waitSeconds: number },
  heartbeat: { ...HELD, percent: number, step: text, log: texts },
  complete: { ...HELD, log: texts },
  fail: { ...HELD, error, final: yesOrNo, again: yesOrNo, log: texts },
  'give-back': HELD,
};
const REQUIRED: Partial<Record<Operation, string>> = { claim: 'workerId', fail: 'error' };

/** The body of a deed, as the service understands it. Refuses what it would refuse: unknown fields, wrong types, what is missing. */
export function validateBody(deed: Operation, body: unknown): Record<string, unknown> {
  if (!isObject(body)) return refuse('validation_failed', 'The body must be an object.');
  const known = FIELDS[deed] ?? {};
  const required = REQUIRED[deed];
  const faults = Object.entries(body)
    .filter(([name, value]) => !(known[name] && (value === null || known[name](value))))
    .map(([name]) => ({
      path: `/${name}`,
      message: known[name] ? 'has the wrong type' : `is not a field here; there are ${Object.keys(known).join(', ')}`,
    }));
  if (required && (body[required] ?? '') === '') faults.push({ path: `/${required}`, message: 'is required' });
  if (faults.length)
    refuse(
      'validation_failed',
      `The request is not valid: ${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
      {
        errors: faults,
      },
    );
  return typeof body.error === 'string' ? { ...body, error: { message: body.error } } : body;
}

export type ResultHeaders = { kind: string; fileName: string; contentType: string; generator: string; inputSha256: string };

/** What an upload says of itself; refuses what the service would, before the body is read. */
export function parseResultHeaders({ headers, kind }: RecordedRequest, job: MockJob, by: Holder): ResultHeaders {
  const header = (name: string): string => String(headers[name] ?? '').trim();
  artifactKind(kind ?? '');
  const [generator, inputSha256] = [header('x-generator'), header('x-input-sha256').toLowerCase()];
  const missing = [
    ...(generator ? [] : ['X-Generator']),
    ...(/^[0-9a-f]{64}$/.test(inputSha256) ? [] : ['X-Input-Sha256']),
  ];
  if (missing.length)
    refuse('validation_failed', `A result says what made it: ${missing.join(' and ')} is required.`, { errors: [] });
  heldBy(job.state, by);
  if (inputSha256 !== job.sha256)
    refuse('stale_input', 'The input of the job has been replaced since.', {
      expectedSha256: inputSha256,
      currentSha256: job.sha256,
    });
  const fileName = Buffer.from(header('x-file-name') || 'file', 'latin1').toString('utf8');
  return {
    kind: kind ?? '',
    fileName,
    contentType: header('content-type') || 'application/octet-stream',
    generator,
    inputSha256,
  };
}

/** The record of a stored result. */
export function artifactResponse(
  job: MockJob,
  { kind, fileName, contentType, generator, inputSha256 }: ResultHeaders,
  size: number,
): object {
  return {
    ...{
      id: typeid('art').toString(),
      versionId: job.versionId,
      kind,
      fileName,
      contentType,
      size,
      sha256: job.sha256,
      createdAt: new Date(),
    },
    ...{ createdBy: { id: WORKER.id, name: 'worker' }, generator, inputSha256, jobId: job.state._id, stale: false },
  };
}

/** What a job is about. Refuses a worker that does not hold it. */
export function contextResponse(job: MockJob): object {
  const { state, documentId, versionId, sha256, input, queuedAt } = job;
  const why = holderRefusal(state, { tokenId: WORKER.tokenId, attempt: state.attempt });
  if (why) refuse(why.code, why.message, { jobId: state._id, status: state.status, attempt: state.attempt });
  const { kind, fileName, contentType, content } = input;
  return {
    job: jobResponse(job),
    document: { id: documentId, number: 'PRT-000001', name: 'Block', kind: 'model' },
    version: { id: versionId, type: 'draft', n: null, name: 'Draft', createdAt: queuedAt },
    files: [
      {
        id: `art_${state._id}`,
        ...{ kind, fileName, contentType, size: content.length, sha256 },
        url: `/api/v1/artifacts/art_${state._id}/file`,
      },
    ],
    params: null,
  };
}
