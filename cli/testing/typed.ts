import { Writable } from 'node:stream';
import { USER_COMMANDS } from '../commands.ts';
import { run } from '../program.ts';
import type { Screen, Terminal } from '../terminal.ts';

export type Typed = { exit: number; out: string; err: string };
type Given = {
  environment?: Record<string, string>;
  home?: string;
  signal?: AbortSignal;
  secret?: string;
  isTTY?: boolean;
  seen?(out: string): void;
};

/** Types a command in this process, and answers with what it wrote and how it ended. */
export async function typed(
  args: readonly string[],
  { environment = {}, home = '/nowhere', signal, secret, isTTY = false, seen }: Given = {},
): Promise<Typed> {
  const [out, err] = [screen(isTTY, seen), screen(isTTY)];
  const terminal: Terminal = {
    ...{ out, err, environment, home },
    signal: signal ?? new AbortController().signal,
    askSecret: async () => {
      if (secret === undefined) throw new Error('nothing was to be asked');
      return secret;
    },
  };
  const exit = await run(args, USER_COMMANDS, terminal);
  return { exit, out: out.text(), err: err.text() };
}

function screen(isTTY: boolean, seen?: (text: string) => void): Screen & { text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      seen?.(Buffer.concat(chunks).toString('utf8'));
      done();
    },
  });
  return Object.assign(stream, { isTTY, columns: 120, text: () => Buffer.concat(chunks).toString('utf8') });
}
