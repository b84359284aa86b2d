import { EDITOR, type Operations, restApp } from './rest-app.ts';

export const api = '/api/v1';

/**
 * Sends a request below /api/v1 as an editor and parses a JSON response. `executed` is the first operation that the
 * adapter ran.
 */
export async function sendRequest(
  operations: Operations,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const { app, executed, logged } = await restApp(operations);
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type = payload === undefined ? {} : { 'content-type': 'application/json' };
  const response = await app.inject({ method, url: api + path, payload, headers: { ...EDITOR, ...type, ...headers } });
  const json =
    response.body && response.headers['content-type']?.toString().includes('json') ? response.json() : undefined;
  return {
    status: response.statusCode,
    headers: response.headers,
    body: json,
    text: response.body,
    executed: executed[0],
    logged,
  };
}

/** Returns an operation that fails with this code. */
export const failWith =
  (code: string, data = {}): Operations['x'] =>
  () => ({ data: null, errors: [{ message: 'The operation failed.', extensions: { code, ...data } }] });
