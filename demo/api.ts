/** A JSON value of the API. */
// biome-ignore lint/suspicious/noExplicitAny: the demo reads records of many shapes, like a user's script
export type Json = any;

export type DemoFile = { fileName: string; contentType: string; content: Uint8Array };

export type Api = {
  address: string;
  get(path: string): Promise<Json>;
  post(path: string, body?: unknown): Promise<Json>;
  put(path: string, body: unknown): Promise<Json>;
  upload(versionId: string, kind: string, file: DemoFile): Promise<Json>;
  download(path: string): Promise<Uint8Array>;
};

/** An error response of the service: its status, and its code and detail if it has them. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;

  constructor(request: string, status: number, problem: Json) {
    super(`${request} failed with status ${status}${problem ? ` ${problem.code}: ${problem.detail}` : ''}`);
    this.status = status;
    this.code = problem?.code ?? null;
  }
}

/**
 * Returns a client of the service at this URL. Its methods throw an ApiError for an error response, and wait as long as
 * the service asks to when the rate limit is reached.
 */
export function createApi(url: string, token: string): Api {
  const address = `${url}/api/v1`;
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    for (;;) {
      const response = await fetch(address + path, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
      });
      if (response.ok) return response;
      const retryAfter = Number(response.headers.get('retry-after'));
      const problem = (await response.json().catch(() => null)) as Json;
      if (response.status !== 429 || !retryAfter)
        throw new ApiError(`${init.method ?? 'GET'} ${path}`, response.status, problem);
      await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
    }
  };
  const json = async (path: string, init?: RequestInit): Promise<Json> => (await request(path, init)).json();
  const send = (method: string, path: string, body: unknown) =>
    json(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  return {
    address,
    get: (path) => json(path),
    post: (path, body = {}) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    upload: (versionId, kind, { fileName, contentType, content }) =>
      json(`/versions/${versionId}/artifacts?kind=${kind}`, {
        method: 'POST',
        body: content as RequestInit['body'],
        // the header is UTF-8; fetch expects one character per byte
        headers: { 'content-type': contentType, 'x-file-name': Buffer.from(fileName).toString('latin1') },
      }),
    download: async (path) => new Uint8Array(await (await request(path)).arrayBuffer()),
  };
}
