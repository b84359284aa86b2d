// The worker routes of the SDK, plus those for assemblies, and the connectivity of the API for the status page.
import { Agent, fetch } from 'undici';
import type { Connectivity } from '../subgraphs/core/platform/dispatch.ts';
import { ApiError, ConnectionError } from '../worker-sdk/errors.ts';
import { createHttpClient, type HttpClient, readJson } from '../worker-sdk/http.ts';
import type { Job } from '../worker-sdk/job.ts';
import { createWorkerApi, type WorkerApi as SdkWorkerApi } from '../worker-sdk/worker-api.ts';

export type WorkerApi = SdkWorkerApi & {
  workerId: string;
  /** Whether the API responded to the last request. */
  connectivity(): Connectivity;
  /** Returns the asm.json of the job's draft or version, its references resolved to locations. */
  resolvedAsmJson(job: Pick<Job, 'versionId'>, signal: AbortSignal): Promise<unknown>;
  /** Returns the resolved asm.json at a location in another asm.json; `path` is relative to the base URL of the API. */
  resolvedAsmJsonAt(path: string, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
};

/** Returns the routes at `apiUrl` (`http://…/api/v1`) for a worker token. */
export function connectApi(options: { apiUrl: string; token: string; workerId: string }): WorkerApi {
  const { apiUrl, token, workerId } = options;
  const agent = new Agent({
    keepAliveTimeout: 30_000,
    connectTimeout: 5_000,
    headersTimeout: 300_000,
    bodyTimeout: 60_000,
  });
  const agentFetch = (url: string, init: object) => fetch(url, { ...init, dispatcher: agent });
  const http = createHttpClient({ baseUrl: apiUrl, token, fetch: agentFetch as unknown as typeof globalThis.fetch });
  const { send, connectivity } = trackConnectivity(http);
  const get = async (path: string, signal: AbortSignal) =>
    readJson(await send({ method: 'GET', path, signal }), signal);
  return {
    ...createWorkerApi(send, workerId),
    workerId,
    connectivity,
    resolvedAsmJson: ({ versionId }, signal) => get(`/versions/${versionId}/asm-json/resolved`, signal),
    resolvedAsmJsonAt: get,
    close: () => agent.destroy(),
  };
}

function trackConnectivity(http: HttpClient): { send: HttpClient; connectivity(): Connectivity } {
  let state: Connectivity = { reachable: false, since: new Date(), lastError: null };
  const setState = (reachable: boolean, lastError: string | null) => {
    state = { reachable, since: reachable === state.reachable ? state.since : new Date(), lastError };
  };
  const send: HttpClient = async (request) => {
    try {
      const response = await http(request);
      setState(true, null);
      return response;
    } catch (error) {
      if (error instanceof ConnectionError) setState(false, error.message);
      else if (error instanceof ApiError) {
        // Other 4xx responses concern a single request, so they do not change the last error of a reachable service.
        const concernsService = error.status === 401 || error.status >= 500;
        const earlierError = state.reachable ? state.lastError : null;
        setState(true, concernsService ? error.message : earlierError);
      }
      throw error;
    }
  };
  return { send, connectivity: () => state };
}
