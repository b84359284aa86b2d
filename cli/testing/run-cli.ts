import { Writable } from 'node:stream';
import { USER_COMMANDS } from '../commands.ts';
import { runCommandLine } from '../program.ts';
import type { Screen, Terminal } from '../terminal.ts';

export type CliResult = { exit: number; out: string; err: string };
type Options = {
  environment?: Record<string, string>;
  home?: string;
  signal?: AbortSignal;
  /** The reply to the prompt for a secret. Without it, a prompt fails the test. */
  secret?: string;
  isTTY?: boolean;
  /** Receives the whole standard output after each write. */
  onOutput?(out: string): void;
};

/** Runs a user command in this process and returns its output and exit code. */
export async function runCli(
  args: readonly string[],
  { environment = {}, home = '/nowhere', signal, secret, isTTY = false, onOutput }: Options = {},
): Promise<CliResult> {
  const [out, err] = [createScreen(isTTY, onOutput), createScreen(isTTY)];
  const terminal: Terminal = {
    out,
    err,
    environment,
    home,
    signal: signal ?? new AbortController().signal,
    promptSecret: async () => {
      if (secret === undefined) throw new Error('Unexpected prompt');
      return secret;
    },
  };
  const exit = await runCommandLine(args, USER_COMMANDS, terminal);
  return { exit, out: out.text(), err: err.text() };
}

function createScreen(isTTY: boolean, onOutput?: (text: string) => void): Screen & { text(): string } {
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString('utf8');
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      onOutput?.(text());
      done();
    },
  });
  return Object.assign(stream, { isTTY, columns: 120, text });
}
