import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError, EXIT } from './exit.ts';

/** Prompts for a secret without echoing it. If the input is a pipe, reads its first line. */
export async function promptSecret(
  input: NodeJS.ReadStream,
  err: NodeJS.WritableStream,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = input.isTTY === true;
  const lines = createInterface({ input, output: silent, terminal });
  if (terminal) err.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new CliError('No token was entered.')));
      // In raw mode, Ctrl-C arrives as a character; readline reports it instead of the process.
      lines.once('SIGINT', () => reject(new CliError('Interrupted.', EXIT.interrupted)));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } finally {
    if (terminal) err.write('\n');
    lines.close();
  }
}
