// Request validation and responses of the mock service. An acceptance test compares them with the real service.
import type { IncomingMessage } from 'node:http';
import { typeid } from 'typeid-js';
import { artifactKind } from '../../subgraphs/core/domain/artifact-kind.ts';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import { type Holder, holderError } from '../../subgraphs/core/domain/jobs/job-fence.ts';
import { assertHolder } from '../../subgraphs/core/domain/jobs/job-lifecycle.ts';
import { isObject } from '../../subgraphs/core/domain/text/is-object.ts';
import { jobResponse, type MockJob, WORKER } from './mock-job.ts';
import type { Operation, RecordedRequest } from './mock-service.ts';

const MAX_JSON_BYTES = 1024 * 1024;

/** Reads a JSON body; an empty body is an empty object. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_JSON_BYTES) refuse('file_too_large', 'The JSON body exceeds 1 MiB.');
  }
  const type = request.headers['content-type'] ?? '';
  if (text && !/^application\/json\b/i.test(type))
    refuse('unsupported_media_type', 'The Content-Type must be application/json.');
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return refuse('validation_failed', 'The body is not valid JSON.');
  }
}

type Validator = (value: unknown) => boolean;
const isString: Validator = (value) => typeof value === 'string';
const isInteger: Validator = (value) => Number.isInteger(value);
const isNumber: Validator = (value) => typeof value === 'number';
const isBoolean: Validator = (value) => typeof value === 'boolean';
const isStringArray: Validator = (value) => Array.isArray(value) && value.every(isString);
const isTypeArray: Validator = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((type) => ['convert', 'assemble', 'export', 'run'].includes(type));
const isError: Validator = (value) =>
  isString(value) || (isObject(value) && isString(value.message) && (value.code == null || isString(value.code)));
const isAnything: Validator = () => true;

const HOLDER_FIELDS = { attempt: isInteger, workerId: isString };
const FIELDS: Partial<Record<Operation, Record<string, Validator>>> = {
  claim: {
    workerId: isString,
    types: isTypeArray,
    environment: isAnything,
    waitSeconds: isNumber,
    light: isBoolean,
    leaseSeconds: isNumber,
  },
  heartbeat: { ...HOLDER_FIELDS, percent: isNumber, step: isString, log: isStringArray },
  complete: { ...HOLDER_FIELDS, log: isStringArray },
  fail: { ...HOLDER_FIELDS, error: isError, final: isBoolean, retryable: isBoolean, log: isStringArray },
  'give-back': HOLDER_FIELDS,
};
const REQUIRED: Partial<Record<Operation, string>> = { claim: 'workerId', fail: 'error' };

/** Validates and normalizes the body of a request. Throws on unknown or missing fields and wrong types. */
export function validateBody(operation: Operation, body: unknown): Record<string, unknown> {
  if (!isObject(body)) return refuse('validation_failed', 'The body must be an object.');
  const known = FIELDS[operation] ?? {};
  const required = REQUIRED[operation];
  const errors = Object.entries(body)
    .filter(([name, value]) => !(known[name] && (value === null || known[name](value))))
    .map(([name]) => ({
      path: `/${name}`,
      message: known[name] ? 'has the wrong type' : `is unknown; known fields are ${Object.keys(known).join(', ')}`,
    }));
  if (required && (body[required] ?? '') === '') errors.push({ path: `/${required}`, message: 'is required' });
  if (errors.length) {
    const details = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
    refuse('validation_failed', `The request is invalid: ${details}.`, { errors });
  }
  return typeof body.error === 'string' ? { ...body, error: { message: body.error } } : body;
}

export type ResultHeaders = {
  kind: string;
  fileName: string;
  contentType: string;
  generator: string;
  inputSha256: string;
};

/** Parses the headers of an upload. Throws like the service does, before the body is read. */
export function parseResultHeaders({ headers, kind }: RecordedRequest, job: MockJob, by: Holder): ResultHeaders {
  const header = (name: string): string => String(headers[name] ?? '').trim();
  artifactKind(kind ?? '');
  const [generator, inputSha256] = [header('x-generator'), header('x-input-sha256').toLowerCase()];
  const missing: string[] = [];
  if (!generator) missing.push('X-Generator');
  if (!/^[0-9a-f]{64}$/.test(inputSha256)) missing.push('X-Input-Sha256');
  if (missing.length)
    refuse('validation_failed', `The upload of a result requires ${missing.join(' and ')}.`, { errors: [] });
  assertHolder(job.state, by);
  if (inputSha256 !== job.sha256)
    refuse('stale_input', 'The input of the job has been replaced.', {
      expectedSha256: inputSha256,
      currentSha256: job.sha256,
    });
  const fileName = Buffer.from(header('x-file-name') || 'file', 'latin1').toString('utf8');
  const contentType = header('content-type') || 'application/octet-stream';
  return { kind: kind ?? '', fileName, contentType, generator, inputSha256 };
}

/** Returns the response to an upload. */
export function artifactResponse(job: MockJob, headers: ResultHeaders, size: number): object {
  const id = typeid('art').toString();
  return {
    ...headers,
    id,
    url: `/api/v1/artifacts/${id}/file`,
    versionId: job.versionId,
    size,
    sha256: job.sha256,
    createdAt: new Date(),
    createdBy: { id: WORKER.id, name: 'worker' },
    jobId: job.state._id,
    stale: false,
  };
}

/** Returns the response to GET /jobs/:id/context. Throws if the worker does not hold the job. */
export function contextResponse(job: MockJob): object {
  const { state, documentId, versionId, sha256, input, queuedAt } = job;
  const refusal = holderError(state, { tokenId: WORKER.tokenId, attempt: state.attempt });
  if (refusal)
    refuse(refusal.code, refusal.message, { jobId: state._id, status: state.status, attempt: state.attempt });
  const { kind, fileName, contentType, content } = input;
  const artifactId = `art_${state._id}`;
  return {
    job: jobResponse(job),
    document: { id: documentId, number: 'PRT-000001', name: 'Block', kind: 'model' },
    version: { id: versionId, type: 'draft', n: null, name: 'Draft', createdAt: queuedAt },
    files: [
      {
        id: artifactId,
        kind,
        fileName,
        contentType,
        size: content.length,
        sha256,
        url: `/api/v1/artifacts/${artifactId}/file`,
      },
    ],
    params: null,
  };
}
