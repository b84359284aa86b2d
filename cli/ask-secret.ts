import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Failure } from './exit.ts';

/** Asks on the terminal for a text that is not shown while it is typed; in a pipe it takes the first line. */
export async function askSecret(
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
      lines.once('close', () => reject(new Failure('No token was given.')));
      // typed where nothing is shown, Ctrl-C is a character and no signal
      lines.once('SIGINT', () => reject(new Failure('Nothing was kept.', 130)));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } finally {
    if (terminal) err.write('\n');
    lines.close();
  }
}
