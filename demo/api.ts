/** A record of the API, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the demo reads records of every shape, as a script of a user would
export type Json = any;

export type Api = {
  address: string;
  get(path: string): Promise<Json>;
  post(path: string, body?: unknown): Promise<Json>;
  upload(versionId: string, kind: string, fileName: string, content: Uint8Array): Promise<Json>;
  download(path: string): Promise<Uint8Array>;
};

/** The service at this address, with a token. What it refuses is thrown in its own words. */
export function apiAt(url: string, token: string): Api {
  const address = `${url}/api/v1`;
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(address + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => null)) as Json;
    throw new Error(
      `${init.method ?? 'GET'} ${path} answered ${response.status}${problem ? ` ${problem.code}: ${problem.detail}` : ''}`,
    );
  };
  const json = async (path: string, init?: RequestInit): Promise<Json> => (await ask(path, init)).json();
  return {
    address,
    get: (path) => json(path),
    post: (path, body = {}) =>
      json(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    upload: (versionId, kind, fileName, content) =>
      json(`/versions/${versionId}/artifacts?kind=${kind}`, {
        method: 'POST',
        body: content as RequestInit['body'],
        // header bytes are UTF-8; fetch wants them as one character each
        headers: { 'content-type': 'model/step', 'x-file-name': Buffer.from(fileName).toString('latin1') },
      }),
    download: async (path) => new Uint8Array(await (await ask(path)).arrayBuffer()),
  };
}
