// `npx pdm …`: the command of users, who reach the service over REST, and of operators, who work on its data. This file alone
// knows both, and the process.
import { homedir } from 'node:os';
import { OPERATOR_COMMANDS } from '../operate/commands.ts';
import { USER_COMMANDS } from './commands.ts';
import { EXIT } from './exit.ts';
import { run } from './program.ts';
import type { Terminal } from './terminal.ts';

const terminal: Terminal = {
  out: process.stdout,
  err: process.stderr,
  environment: process.env,
  home: homedir(),
  // Ctrl-C is listened to from here on: a command that never asks for the signal is ended by it as usual.
  get signal() {
    interruption ??= listened();
    return interruption;
  },
  askSecret: async (question) =>
    (await import('./ask-secret.ts')).askSecret(process.stdin, process.stderr, question, terminal.signal),
};
let interruption: AbortSignal | undefined;

// Whoever read our output has seen enough of it.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
  process.exit(code === 'EPIPE' ? EXIT.good : EXIT.unable),
);
process.exitCode = await run(process.argv.slice(2), [...USER_COMMANDS, ...OPERATOR_COMMANDS], terminal);

// More than once, since it comes from the terminal and from the process that started this one.
function listened(): AbortSignal {
  const control = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => control.abort());
  return control.signal;
}
