// The thread that sends the heartbeats, so that a handler that blocks its event loop keeps its lease.
import { parentPort, workerData } from 'node:worker_threads';
import { isLeaseLost } from './errors.ts';
import { createHttpClient } from './http.ts';
import { keepLease, type LeasedJob, type LeaseKeeper } from './lease-keeper.ts';
import { createWorkerApi } from './worker-api.ts';

export type ThreadData = { baseUrl: string; token: string; workerId: string };
export type ToThread =
  | { type: 'start'; key: number; job: LeasedJob }
  | { type: 'log'; key: number; line: string }
  | { type: 'progress'; key: number; percent: number; step: string }
  | { type: 'end'; key: number };
export type FromThread =
  | { type: 'stop'; key: number; reason: 'lease_lost' | 'cancelled' }
  | { type: 'ended'; key: number; lines: string[] };

const { baseUrl, token, workerId } = workerData as ThreadData;
const api = createWorkerApi(createHttpClient({ baseUrl, token }), workerId);
const leases = new Map<number, LeaseKeeper>();
const post = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  const { key } = message;
  if (message.type === 'start') {
    const { job } = message;
    leases.set(
      key,
      keepLease(job, {
        heartbeat: (body, signal) => api.heartbeat(job, body, signal),
        isLeaseLost,
        onStop: (reason) => post({ type: 'stop', key, reason }),
      }),
    );
  } else if (message.type === 'log') leases.get(key)?.log(message.line);
  else if (message.type === 'progress') leases.get(key)?.progress(message.percent, message.step);
  else void end(key);
});

async function end(key: number): Promise<void> {
  const lines = (await leases.get(key)?.end()) ?? [];
  leases.delete(key);
  post({ type: 'ended', key, lines });
}
