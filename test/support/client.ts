import { undescribedError } from './described-errors.ts';

/** A response of the API: status, headers, and the body as JSON (undefined when it is empty or not JSON). */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type Answer = { status: number; headers: Headers; body: any; bytes: Buffer };
export type Client = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a binary body. */
  send(method: string, path: string, bytes: Uint8Array | string, headers?: Record<string, string>): Promise<Answer>;
  /** Uploads bytes as an artifact of a draft or version. */
  upload(
    versionId: string,
    kind: string,
    content: Uint8Array | string,
    options?: { fileName?: string; headers?: Record<string, string>; query?: string },
  ): Promise<Answer>;
  /** Sends a query to /graphql. */
  graphql(query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
};

/** Returns a client of the REST API at this base address, with an optional token. */
export function client(base: string, token?: string): Client {
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  const send = async (
    method: string,
    url: string,
    body?: Uint8Array | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(url, { method, body, headers: { ...authorization, ...headers } } as RequestInit);
    const bytes = Buffer.from(await response.arrayBuffer());
    const json = response.headers.get('content-type')?.includes('json') && bytes.length > 0;
    const answer = {
      status: response.status,
      headers: response.headers,
      bytes,
      body: json ? JSON.parse(bytes.toString()) : undefined,
    };
    const undescribed = answer.status >= 400 && json && undescribedError(method, url, answer.status, answer.body.code);
    if (undescribed) throw new Error(undescribed);
    return answer;
  };
  const sendJson = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    body === undefined
      ? send(method, base + path, undefined, headers)
      : send(method, base + path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  return {
    get: (path, headers) => send('GET', base + path, undefined, headers),
    post: (path, body, headers) => sendJson('POST', path, body, headers),
    put: (path, body, headers) => sendJson('PUT', path, body, headers),
    patch: (path, body, headers) => sendJson('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', base + path, undefined, headers),
    send: (method, path, bytes, headers) =>
      send(method, base + path, bytes, { 'content-type': 'application/octet-stream', ...headers }),
    upload: (versionId, kind, content, { fileName = 'file.bin', headers = {}, query = '' } = {}) =>
      send('POST', `${base}/versions/${versionId}/artifacts?kind=${encodeURIComponent(kind)}${query}`, content, {
        'content-type': 'application/octet-stream',
        'x-file-name': Buffer.from(fileName).toString('latin1'),
        ...headers,
      }),
    graphql: (query, variables, headers) =>
      send('POST', base.replace(/\/api\/v1$/, '/graphql'), JSON.stringify({ query, variables }), {
        'content-type': 'application/json',
        ...headers,
      }),
  };
}
