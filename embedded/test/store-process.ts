// Starts the process of a store directly, without the supervisor.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * A store on a free port. `uri` is undefined if it failed to start. `ended` resolves to the exit code or signal,
 * `lines` is what it wrote to stderr.
 */
export type StoreProcess = {
  child: ChildProcess;
  uri: string | undefined;
  ended: Promise<number | string | null>;
  lines: string[];
};

export async function startProcess(
  folder: string,
  environment: NodeJS.ProcessEnv = {},
  args: string[] = [],
): Promise<StoreProcess> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../process/main.ts'), '--data', folder, '--port', '0', ...args],
    {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => void lines.push(String(chunk)));
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  const ready = new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk).trim().replace('ready ', ''))),
  );
  return { child, ended, lines, uri: await Promise.race([ready, ended.then(() => undefined)]) };
}
