// For tests: a worker in this process that does everything right but for one fault.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartWorker } from '../worker-process.ts';

export type WorkerFault =
  | 'no worker id'
  | 'unknown field'
  | 'no attempt'
  | 'no heartbeat'
  | 'gives up at a missed beat'
  | 'believes every byte'
  | 'no generator'
  | 'wrong input hash'
  | 'silent about failures'
  | 'fails without a word'
  | 'says complete once'
  | 'deaf to cancel'
  | 'deaf to lease lost'
  | 'asks all the time'
  | 'dies of an outage'
  | 'keeps its job at SIGTERM'
  | 'fails its job at SIGTERM'
  | 'same id again';

type Job = { id: string; versionId: string; attempt: number; inputSha256: string; heartbeatSeconds: number };
type Answer = { status: number; body: Record<string, unknown> };
class Stop extends Error {}

/** Starts it with a fault, or with none. */
export function startFaultyWorker(fault: WorkerFault | null): StartWorker {
  return (service) => {
    const terminated = new AbortController();
    const killed = new AbortController();
    let exit: { code: number | null; signal: string | null } | null = null;
    const running = work(service, fault, terminated.signal, killed.signal)
      .then(() => 0)
      .catch((error: unknown) => (killed.signal.aborted || error instanceof Stop ? 1 : Promise.reject(error)))
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

async function work(
  service: { url: string; token: string },
  fault: WorkerFault | null,
  terminated: AbortSignal,
  killed: AbortSignal,
): Promise<void> {
  const workerId = fault === 'same id again' ? 'the-one' : `broken-${randomUUID()}`;
  const call = async (path: string, body?: object, signal = killed): Promise<Answer> => {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${service.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
      signal,
    });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : {} };
  };
  const claim = {
    ...{ types: ['convert'], waitSeconds: fault === 'asks all the time' ? 0 : 20 },
    ...(fault === 'no worker id' ? {} : { workerId }),
    ...(fault === 'unknown field' ? { hostname: 'here' } : {}),
  };
  while (!terminated.aborted) {
    const answer = await call('/jobs/claim', claim, AbortSignal.any([killed, terminated])).catch((error: unknown) => {
      if (terminated.aborted && !killed.aborted) return null;
      throw error;
    });
    if (!answer) return;
    if (answer.status === 200) await doJob(answer.body as Job);
    else if (answer.status === 204) await sleep(20);
    else if (answer.status === 503 && fault === 'dies of an outage') throw new Stop();
    else await sleep(300, undefined, { signal: killed });
  }

  async function doJob(job: Job): Promise<void> {
    const held = fault === 'no attempt' ? {} : { attempt: job.attempt };
    const stopped = new AbortController();
    let why: string | null = null;
    const stop = (reason: string) => {
      why ??= reason;
      stopped.abort();
    };
    const asked = () => fault !== 'keeps its job at SIGTERM' && stop('shutdown');
    terminated.addEventListener('abort', asked);
    const beating =
      fault === 'no heartbeat'
        ? undefined
        : setInterval(async () => {
            const beat = await call(`/jobs/${job.id}/heartbeat`, held).catch(() => ({
              status: 0,
              body: {} as Record<string, unknown>,
            }));
            if (beat.status === 503 && fault === 'gives up at a missed beat') stop('failed');
            if (beat.status === 409 && fault !== 'deaf to lease lost') stop('lost');
            if (beat.body.cancel && fault !== 'deaf to cancel') stop('cancelled');
          }, job.heartbeatSeconds * 900);
    const last = async (deed: string, body: object): Promise<void> => {
      for (let times = 0; times < 5; times++) {
        try {
          await call(`/jobs/${job.id}/${deed}`, { ...held, ...body });
          return;
        } catch {
          if (fault === 'says complete once') return;
        }
        await sleep(100);
      }
    };
    try {
      const done = await convert(job, AbortSignal.any([stopped.signal, killed]));
      if (done === null) await last('complete', {});
      else if (fault === 'silent about failures') clearInterval(beating);
      else await last('fail', { error: fault === 'fails without a word' ? { message: '' } : { message: done } });
    } catch (error) {
      if (killed.aborted) throw error;
      if (fault === 'keeps its job at SIGTERM') throw new Stop();
      if (why === 'shutdown')
        await last(
          fault === 'fails its job at SIGTERM' ? 'fail' : 'give-back',
          fault === 'fails its job at SIGTERM' ? { error: 'stopped' } : {},
        );
      else if (why !== 'lost') await last('fail', { error: String(why ?? error) });
    } finally {
      clearInterval(beating);
      terminated.removeEventListener('abort', asked);
    }
  }

  async function convert(job: Job, signal: AbortSignal): Promise<string | null> {
    const { files } = (await call(`/jobs/${job.id}/context`, undefined, signal)).body as {
      files: { url: string; sha256: string }[];
    };
    const [file] = files;
    if (!file) return 'nothing to do';
    const whole = fault === 'keeps its job at SIGTERM' ? AbortSignal.any([killed, terminated]) : signal;
    const answer = await fetch(service.url + file.url, {
      headers: { authorization: `Bearer ${service.token}` },
      signal: whole,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (fault !== 'believes every byte' && createHash('sha256').update(bytes).digest('hex') !== file.sha256)
      return 'the bytes came damaged';
    if (!bytes.toString('latin1').startsWith('ISO-10303-21')) return 'not a STEP file';
    signal.throwIfAborted();
    const response = await fetch(`${service.url}/api/v1/versions/${job.versionId}/artifacts?kind=properties`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.token}`,
        'x-input-sha256':
          fault === 'wrong input hash' ? createHash('sha256').update('another').digest('hex') : job.inputSha256,
        ...(fault === 'no generator' ? {} : { 'x-generator': 'broken/1' }),
        ...(fault === 'no attempt' ? {} : { 'x-job-attempt': String(job.attempt) }),
      },
      body: '{}',
      signal,
    });
    await response.text();
    return null;
  }
}
