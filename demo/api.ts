/** A JSON value of the API. */
// biome-ignore lint/suspicious/noExplicitAny: the demo reads records of many shapes, like a user's script
export type Json = any;

export type Api = {
  address: string;
  get(path: string): Promise<Json>;
  post(path: string, body?: unknown): Promise<Json>;
  upload(versionId: string, kind: string, fileName: string, content: Uint8Array): Promise<Json>;
  download(path: string): Promise<Uint8Array>;
};

/** Returns a client of the service at this URL. Its methods throw an Error for an error response. */
export function createApi(url: string, token: string): Api {
  const address = `${url}/api/v1`;
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(address + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => null)) as Json;
    const details = problem ? ` ${problem.code}: ${problem.detail}` : '';
    throw new Error(`${init.method ?? 'GET'} ${path} failed with status ${response.status}${details}`);
  };
  const json = async (path: string, init?: RequestInit): Promise<Json> => (await request(path, init)).json();
  return {
    address,
    get: (path) => json(path),
    post: (path, body = {}) =>
      json(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    upload: (versionId, kind, fileName, content) =>
      json(`/versions/${versionId}/artifacts?kind=${kind}`, {
        method: 'POST',
        body: content as RequestInit['body'],
        // the header is UTF-8; fetch expects one character per byte
        headers: { 'content-type': 'model/step', 'x-file-name': Buffer.from(fileName).toString('latin1') },
      }),
    download: async (path) => new Uint8Array(await (await request(path)).arrayBuffer()),
  };
}
