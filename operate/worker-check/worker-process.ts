import { spawn } from 'node:child_process';

/** A worker that runs: as a process, or in a test as a function that plays one. */
export type WorkerHandle = {
  /** How it ended, or null while it runs. */
  exit(): { code: number | null; signal: string | null } | null;
  /** Asks it to end, as SIGTERM does. */
  terminate(): void;
  /** Ends it and all it started. */
  kill(): Promise<void>;
};
export type StartWorker = (service: { url: string; token: string }) => WorkerHandle;

/** Starts a command with the address and the token in its environment; what it prints goes to `print`. */
export function spawnWorker([command = '', ...args]: readonly string[], print: (text: string) => void): StartWorker {
  return ({ url, token }) => {
    // biome-ignore lint/style/noProcessEnv: the worker's own environment, with two settings more
    const env = {
      ...process.env,
      PDM_URL: url,
      PDM_TOKEN: token,
      PDM_API_URL: `${url}/api/v1`,
      PDM_WORKER_TOKEN: token,
    };
    // A group of its own, so that whatever it starts can be ended with it.
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let exit: ReturnType<WorkerHandle['exit']> = null;
    const orphaned = () => child.pid && endGroup(child.pid);
    process.once('exit', orphaned);
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        print(`${command} cannot be started: ${error.message}\n`);
        exit = { code: 127, signal: null };
        resolve();
      });
      child.once('exit', (code, signal) => {
        exit = { code, signal };
        process.off('exit', orphaned);
        resolve();
      });
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => print(chunk.toString()));
    return {
      exit: () => exit,
      terminate: () => void child.kill('SIGTERM'),
      kill: async () => {
        if (child.pid) endGroup(child.pid);
        await ended;
      },
    };
  };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // nobody is left in it
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
