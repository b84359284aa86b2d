// Runs the scheduler as a child process and restarts it when it exits.
import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { schedulerEnvironment } from '../subgraphs/core/platform/child-environment.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
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
  /** Returns its status, as at /scheduler/status. Rejects if it does not respond within 2 s. */
  status(): Promise<unknown>;
  stop(): Promise<void>;
};

const MINUTE_MS = 60_000;
const MAX_EXITS_PER_MINUTE = 5;
const STATUS_TIMEOUT_MS = 2_000;

/**
 * Starts the scheduler and resolves when it is ready. Restarts it after 0.1, 0.2 … 5 s; five exits within a minute are
 * fatal. The child ends when this process is gone.
 */
export async function startSchedulerProcess({
  config,
  log,
  apiUrl,
  natsUrl,
  token,
  onFatal,
}: Options): Promise<SchedulerProcess> {
  const exits: number[] = [];
  // Restarts begin only once the first start succeeded: a port in use, for example, would fail again.
  let restarting = false;
  let child = launch();
  const url = await readyUrl(child);
  restarting = true;
  return {
    url,
    status: () => requestStatus(child),
    stop: async () => {
      restarting = false;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(kill);
    },
  };

  function launch(): ChildProcess {
    const launched = spawn(
      process.execPath,
      [...process.execArgv, fileURLToPath(new URL('../scheduler/main.ts', import.meta.url))],
      {
        env: schedulerEnvironment(config, { PDM_API_URL: apiUrl, PDM_WORKER_TOKEN: token, NATS_URL: natsUrl ?? '' }),
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    launched.on('exit', (code, signal) => {
      if (!restarting) return;
      log.error({ code, signal }, 'the scheduler exited; restarting it');
      const now = Date.now();
      exits.push(now);
      const recent = exits.filter((at) => now - at < MINUTE_MS).length;
      if (recent >= MAX_EXITS_PER_MINUTE)
        return onFatal(`the scheduler exited ${recent} times within a minute (last with ${code ?? signal})`);
      setTimeout(
        () => {
          if (restarting) child = launch();
        },
        Math.min(5_000, 100 * 2 ** (recent - 1)),
      ).unref();
    });
    return launched;
  }
}

// The scheduler sends its address over the IPC channel.
async function readyUrl(child: ChildProcess): Promise<string> {
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => {
      throw new Error(`the scheduler did not start (exit ${code ?? signal}); see its log lines above`);
    }),
  ]);
  return String((message as { url: string }).url);
}

async function requestStatus(child: ChildProcess): Promise<unknown> {
  const messages = on(child, 'message', { signal: AbortSignal.timeout(STATUS_TIMEOUT_MS), close: ['exit'] });
  child.send('status');
  for await (const [message] of messages)
    if (typeof message === 'object' && message !== null && 'status' in message) return message.status;
  throw new Error('The scheduler exited before it responded');
}
