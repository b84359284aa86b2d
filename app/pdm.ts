// Entry point of `npx pdm`: user commands call the REST API; operator commands work on the data of the service.
import { homedir } from 'node:os';
import { USER_COMMANDS } from '../cli/commands.ts';
import { EXIT } from '../cli/exit.ts';
import { runCommandLine } from '../cli/program.ts';
import type { Terminal } from '../cli/terminal.ts';
import { OPERATOR_COMMANDS } from '../operate/commands.ts';

const terminal: Terminal = {
  out: process.stdout,
  err: process.stderr,
  environment: process.env,
  home: homedir(),
  // Signal handlers are installed on first use; until then, Ctrl-C ends the process as usual.
  get signal() {
    interruption ??= createInterruptSignal();
    return interruption;
  },
  promptSecret: async (question) =>
    (await import('../cli/prompt-secret.ts')).promptSecret(process.stdin, process.stderr, question, terminal.signal),
};
let interruption: AbortSignal | undefined;

// A closed pipe, for example from `pdm list | head`, is not an error.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
  process.exit(code === 'EPIPE' ? EXIT.success : EXIT.error),
);
process.exitCode = await runCommandLine(process.argv.slice(2), [...USER_COMMANDS, ...OPERATOR_COMMANDS], terminal);

// `on`, not `once`: Ctrl-C can arrive twice, from the terminal and from the parent process.
function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}
