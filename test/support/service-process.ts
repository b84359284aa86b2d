import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type ServiceProcess = {
  /** http://127.0.0.1:<port> */
  url: string;
  /** The ready line as printed. */
  ready: string;
  /** The output so far, both streams. */
  output: string[];
  pid: number;
  child: ChildProcess;
  /** The token of the administrator, from the file of the first start. */
  token(): string;
  /** Ends the process: SIGTERM with the exit code, or SIGKILL for the process alone or with all its children. */
  end(how: 'SIGTERM' | 'SIGKILL' | 'SIGKILL all'): Promise<number | null>;
};

const home = join(import.meta.dirname, '../..');

/**
 * Starts the service as a separate process, on free ports, with this data folder; resolves at its ready line. `checkout`:
 * the folder of its code, by default this repository.
 */
export async function startProcess(
  dataDir: string,
  settings: Record<string, string> = {},
  args: string[] = [],
  checkout = home,
): Promise<ServiceProcess> {
  const flags = [
    '--disable-proto=throw',
    '--unhandled-rejections=strict',
    '--max-semi-space-size=32',
    '--v8-pool-size=0',
  ];
  const child = spawn(process.execPath, [...flags, 'app/main.ts', ...args], {
    cwd: checkout,
    env: {
      ...process.env,
      PDM_PORT: '0',
      PDM_SCHEDULER_PORT: '0',
      PDM_DATA_DIR: dataDir,
      PDM_LOG: 'json',
      PDM_LOG_LEVEL: 'warn',
      PDM_RATE_LIMIT: 'off',
      PDM_MAX_QUEUE_MS: '60000',
      PDM_MAX_CONCURRENT_REQUESTS: '10000',
      PDM_MAX_CONCURRENT_UPLOADS: '10000',
      PDM_MAX_CONCURRENT_STREAMS: '10000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output: string[] = [];
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  const ready = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      if (line.includes(' is ready')) resolve(line);
    });
    child.once('exit', (code, signal) =>
      reject(new Error(`the service ended with ${code ?? signal} before it was ready:\n${output.join('\n')}`)),
    );
  });
  return {
    url: /REST (http:\/\/[^/]+)/.exec(ready)?.[1] ?? '',
    ready,
    output,
    pid: child.pid ?? 0,
    child,
    token: () => readFileSync(join(dataDir, 'first-token'), 'utf8').trim(),
    end: async (how) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      if (how === 'SIGKILL all') process.kill(-(child.pid ?? 0), 'SIGKILL');
      else child.kill(how);
      await ended;
      return child.exitCode;
    },
  };
}
