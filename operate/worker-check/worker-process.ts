import { spawn } from 'node:child_process';
import { environmentWithoutCredentials } from '../../subgraphs/core/platform/child-environment.ts';

/** A running worker: a process, or a function in a test. */
export type WorkerHandle = {
  /** How the worker ended; null while it runs. */
  exit(): { code: number | null; signal: string | null } | null;
  /** Sends SIGTERM. */
  terminate(): void;
  /** Kills the worker and all processes it started. */
  kill(): Promise<void>;
};
export type StartWorker = (service: { url: string; token: string }) => WorkerHandle;

/** Returns a function that starts a command with the URL and token in its environment. `print` receives its output. */
export function spawnWorker([command = '', ...args]: readonly string[], print: (text: string) => void): StartWorker {
  return ({ url, token }) => {
    const env = {
      ...environmentWithoutCredentials(),
      PDM_URL: url,
      PDM_TOKEN: token,
      PDM_API_URL: `${url}/api/v1`,
      PDM_WORKER_TOKEN: token,
    };
    // A process group of its own, so that its children can be killed with it.
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let exit: ReturnType<WorkerHandle['exit']> = null;
    const killOnExit = () => child.pid && killGroup(child.pid);
    process.once('exit', killOnExit);
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        print(`Cannot start ${command}: ${error.message}\n`);
        exit = { code: 127, signal: null };
        resolve();
      });
      child.once('exit', (code, signal) => {
        exit = { code, signal };
        process.off('exit', killOnExit);
        resolve();
      });
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => print(chunk.toString()));
    return {
      exit: () => exit,
      terminate: () => void child.kill('SIGTERM'),
      kill: async () => {
        if (child.pid) killGroup(child.pid);
        await ended;
      },
    };
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: all processes of the group have ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
