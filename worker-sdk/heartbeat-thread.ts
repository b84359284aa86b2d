// Runs as a thread of its own: a handler may block its event loop for as long as it likes, the leases are kept here.
import { parentPort, workerData } from 'node:worker_threads';
import { type Beats, type HeldJob, startBeats } from './beats.ts';
import { isLost } from './faults.ts';
import { http } from './http.ts';
import { routes } from './routes.ts';

export type ThreadData = { baseUrl: string; token: string; workerId: string };
export type ToThread =
  | { say: 'hold'; key: number; job: HeldJob }
  | { say: 'log'; key: number; line: string }
  | { say: 'progress'; key: number; percent: number; step: string }
  | { say: 'end'; key: number };
export type FromThread =
  | { say: 'let go'; key: number; reason: 'lease_lost' | 'cancel' }
  | { say: 'ended'; key: number; lines: string[] };

const { baseUrl, token, workerId } = workerData as ThreadData;
const service = routes(http({ baseUrl, token }), workerId);
const held = new Map<number, Beats>();
const tell = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  const { key } = message;
  if (message.say === 'hold') {
    const { job } = message;
    held.set(
      key,
      startBeats(job, {
        heartbeat: (beat, signal) => service.heartbeat(job, beat, signal),
        isLost,
        letGo: (reason) => tell({ say: 'let go', key, reason }),
      }),
    );
  } else if (message.say === 'log') held.get(key)?.log(message.line);
  else if (message.say === 'progress') held.get(key)?.progress(message.percent, message.step);
  else void end(key);
});

async function end(key: number): Promise<void> {
  const lines = (await held.get(key)?.end()) ?? [];
  held.delete(key);
  tell({ say: 'ended', key, lines });
}
