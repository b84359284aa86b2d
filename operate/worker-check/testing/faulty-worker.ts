// A worker for tests that follows the protocol except for one fault. Runs in the process of the test.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartWorker } from '../worker-process.ts';

export type WorkerFault =
  | 'claims without workerId'
  | 'sends an unknown field'
  | 'omits the attempt'
  | 'sends no heartbeat'
  | 'gives up after a failed heartbeat'
  | 'ignores the SHA-256 of the input'
  | 'omits X-Generator'
  | 'sends a wrong X-Input-Sha256'
  | 'does not report failures'
  | 'fails without a message'
  | 'does not retry complete'
  | 'ignores cancel'
  | 'ignores lease_lost'
  | 'claims too often'
  | 'exits after a failed claim'
  | 'keeps its job on SIGTERM'
  | 'fails its job on SIGTERM'
  | 'reuses its workerId';

type Job = { id: string; versionId: string; attempt: number; inputSha256: string; heartbeatSeconds: number };
type Reply = { status: number; body: Record<string, unknown> };

/** Ends the worker with exit code 1. */
class ExitError extends Error {}

/** Starts a worker with a fault, or without one. */
export function startFaultyWorker(fault: WorkerFault | null): StartWorker {
  return (service) => {
    const terminated = new AbortController();
    const killed = new AbortController();
    let exit: { code: number | null; signal: string | null } | null = null;
    const running = runWorker(service, fault, terminated.signal, killed.signal)
      .then(() => 0)
      .catch((error: unknown) => (killed.signal.aborted || error instanceof ExitError ? 1 : Promise.reject(error)))
      .then((code) => {
        exit = { code, signal: null };
      });
    return {
      exit: () => exit,
      terminate: () => terminated.abort(),
      kill: () => {
        killed.abort();
        return running;
      },
    };
  };
}

async function runWorker(
  service: { url: string; token: string },
  fault: WorkerFault | null,
  terminated: AbortSignal,
  killed: AbortSignal,
): Promise<void> {
  const workerId = fault === 'reuses its workerId' ? 'constant-id' : `faulty-${randomUUID()}`;
  const authorization = `Bearer ${service.token}`;
  const call = async (path: string, body?: object, signal = killed): Promise<Reply> => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
      signal,
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : {} };
  };
  const claim = {
    types: ['convert'],
    waitSeconds: fault === 'claims too often' ? 0 : 20,
    ...(fault === 'claims without workerId' ? {} : { workerId }),
    ...(fault === 'sends an unknown field' ? { hostname: 'here' } : {}),
  };
  while (!terminated.aborted) {
    const reply = await call('/jobs/claim', claim, AbortSignal.any([killed, terminated])).catch((error: unknown) => {
      if (terminated.aborted && !killed.aborted) return null;
      throw error;
    });
    if (!reply) return;
    if (reply.status === 200) await runJob(reply.body as Job);
    else if (reply.status === 204) await sleep(20);
    else if (reply.status === 503 && fault === 'exits after a failed claim') throw new ExitError();
    else await sleep(300, undefined, { signal: killed });
  }

  async function runJob(job: Job): Promise<void> {
    const holder = fault === 'omits the attempt' ? {} : { attempt: job.attempt };
    const stopped = new AbortController();
    let reason: string | null = null;
    const stop = (why: string) => {
      reason ??= why;
      stopped.abort();
    };
    const onTerminate = () => fault !== 'keeps its job on SIGTERM' && stop('shutdown');
    terminated.addEventListener('abort', onTerminate);
    const sendHeartbeat = async () => {
      const reply = await call(`/jobs/${job.id}/heartbeat`, holder).catch((): Reply => ({ status: 0, body: {} }));
      if (reply.status === 503 && fault === 'gives up after a failed heartbeat') stop('failed');
      if (reply.status === 409 && fault !== 'ignores lease_lost') stop('lost');
      if (reply.body.cancelRequested && fault !== 'ignores cancel') stop('cancelled');
    };
    const heartbeats =
      fault === 'sends no heartbeat' ? undefined : setInterval(sendHeartbeat, job.heartbeatSeconds * 900);
    const end = async (operation: string, body: object): Promise<void> => {
      for (let attempt = 0; attempt < 5; attempt++) {
        try {
          await call(`/jobs/${job.id}/${operation}`, { ...holder, ...body });
          return;
        } catch {
          if (fault === 'does not retry complete') return;
        }
        await sleep(100);
      }
    };
    try {
      const error = await convert(job, AbortSignal.any([stopped.signal, killed]));
      if (error === null) await end('complete', {});
      else if (fault === 'does not report failures') clearInterval(heartbeats);
      else await end('fail', { error: { message: fault === 'fails without a message' ? '' : error } });
    } catch (error) {
      if (killed.aborted) throw error;
      if (fault === 'keeps its job on SIGTERM') throw new ExitError();
      if (reason === 'shutdown' && fault === 'fails its job on SIGTERM') await end('fail', { error: 'stopped' });
      else if (reason === 'shutdown') await end('give-back', {});
      else if (reason !== 'lost') await end('fail', { error: String(reason ?? error) });
    } finally {
      clearInterval(heartbeats);
      terminated.removeEventListener('abort', onTerminate);
    }
  }

  /** Uploads a result; returns an error message if the input is unusable. */
  async function convert(job: Job, signal: AbortSignal): Promise<string | null> {
    const { files } = (await call(`/jobs/${job.id}/context`, undefined, signal)).body as {
      files: { url: string; sha256: string }[];
    };
    const [file] = files;
    if (!file) return 'no input file';
    const response = await fetch(service.url + file.url, {
      headers: { authorization },
      signal: fault === 'keeps its job on SIGTERM' ? AbortSignal.any([killed, terminated]) : signal,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (fault !== 'ignores the SHA-256 of the input' && sha256(bytes) !== file.sha256) return 'corrupt input';
    if (!bytes.toString('latin1').startsWith('ISO-10303-21')) return 'not a STEP file';
    signal.throwIfAborted();
    const upload = await fetch(`${service.url}/api/v1/versions/${job.versionId}/artifacts?kind=properties`, {
      method: 'POST',
      headers: {
        authorization,
        'x-input-sha256': fault === 'sends a wrong X-Input-Sha256' ? sha256('another') : job.inputSha256,
        ...(fault === 'omits X-Generator' ? {} : { 'x-generator': 'faulty/1' }),
        ...(fault === 'omits the attempt' ? {} : { 'x-job-attempt': String(job.attempt) }),
      },
      body: '{}',
      signal,
    });
    await upload.text();
    return null;
  }
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
