import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Config, childEnvironment } from '../subgraphs/core/platform/config.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';

type Options = {
  config: Config;
  log: Log;
  apiUrl: string;
  natsUrl: string | null;
  token: string;
  onFatal: (reason: string) => void;
};

export type SchedulerProcess = {
  url: string;
  /** What it says of itself, as at its /scheduler/status; rejects when it does not answer within 2 s. */
  status(): Promise<unknown>;
  stop(): Promise<void>;
};

const MINUTE = 60_000;
const DEATHS = 5;
const ANSWERS_WITHIN = 2_000;

/**
 * Runs the scheduler as a process of its own and keeps it running: restarted after 0.1, 0.2 … 5 s; five deaths within a minute are
 * fatal. Resolves when it is ready. It ends by itself when this process is gone.
 */
export async function startSchedulerProcess({
  config,
  log,
  apiUrl,
  natsUrl,
  token,
  onFatal,
}: Options): Promise<SchedulerProcess> {
  const deaths: number[] = [];
  // Not before it is ready: what cannot start once, e.g. because its port is in use, is not started again.
  let watching = false;
  let child = launch();
  const url = await ready(child);
  watching = true;
  return {
    url,
    status: () => statusOf(child),
    stop: async () => {
      watching = false;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(hard);
    },
  };

  function launch(): ChildProcess {
    const launched = spawn(
      process.execPath,
      [...process.execArgv, fileURLToPath(new URL('../scheduler/main.ts', import.meta.url))],
      {
        env: childEnvironment(config, {
          PDM_API_URL: apiUrl,
          NATS_URL: natsUrl ?? '',
          PDM_WORKER_TOKEN: token,
          PDM_ROLES: 'scheduler',
          MONGODB_URL: '',
        }),
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    launched.on('exit', (code, signal) => {
      if (!watching) return;
      log.error({ code, signal }, 'the scheduler ended; it is started again');
      const now = Date.now();
      deaths.push(now);
      const recent = deaths.filter((at) => now - at < MINUTE).length;
      if (recent >= DEATHS)
        return onFatal(`the scheduler ended ${DEATHS} times within a minute (last with ${code ?? signal})`);
      setTimeout(
        () => {
          if (watching) child = launch();
        },
        Math.min(5_000, 100 * 2 ** (recent - 1)),
      ).unref();
    });
    return launched;
  }
}

// The scheduler says over its channel to this process where it answers.
async function ready(child: ChildProcess): Promise<string> {
  const [said] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => {
      throw new Error(`the scheduler did not start (it ended with ${code ?? signal}); its last words stand above`);
    }),
  ]);
  return String((said as { url: string }).url);
}

async function statusOf(child: ChildProcess): Promise<unknown> {
  const heard = on(child, 'message', { signal: AbortSignal.timeout(ANSWERS_WITHIN), close: ['exit'] });
  child.send('status');
  for await (const [said] of heard)
    if (typeof said === 'object' && said !== null && 'status' in said) return said.status;
  throw new Error('The scheduler ended before it answered');
}
