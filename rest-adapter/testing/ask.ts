import { EDITOR, type Operations, restApp } from './rest-app.ts';

export const api = '/api/v1';

/** Asks an app with these operations below /api/v1, as an editor; JSON is read, `asked` is what came to the operation. */
export async function ask(
  operations: Operations,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const { app, asked, logged } = await restApp(operations);
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type = payload === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await app.inject({ method, url: api + path, payload, headers: { ...EDITOR, ...type, ...headers } });
  const json = answer.body && answer.headers['content-type']?.toString().includes('json') ? answer.json() : undefined;
  return { status: answer.statusCode, headers: answer.headers, body: json, text: answer.body, asked: asked[0], logged };
}

/** An operation that refuses with this code. */
export const refusing =
  (code: string, data = {}): Operations['x'] =>
  () => ({ data: null, errors: [{ message: 'It is so.', extensions: { code, ...data } }] });
