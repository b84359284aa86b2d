import { expect, test } from 'vitest';
import { undescribedError } from './described-errors.ts';

const at = (path: string) => `http://127.0.0.1:1/api/v1${path}`;

test.each([
  ['POST', '/documents', 409, 'number_taken'],
  ['POST', '/documents/move', 409, 'document_archived'],
  ['GET', '/documents?cursor=x', 400, 'bad_cursor'],
  ['GET', '/no/such/path', 404, 'not_found'],
  ['DELETE', '/documents', 405, 'method_not_allowed'],
])('accepts %s %s with %d %s', (method, path, status, code) => {
  expect(undescribedError(method, at(path), status, code)).toBeNull();
});

test.each([
  ['POST', '/documents', 409, 'job_not_failed'],
  ['POST', '/documents', 418, 'number_taken'],
  ['GET', '/documents/PRT-000001', 409, 'document_archived'],
])('reports %s %s with %d %s, which is not described', (method, path, status, code) => {
  expect(undescribedError(method, at(path), status, code)).toContain(`${status} ${code}`);
});
