import { readFileSync } from 'node:fs';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import type { CliCommand, CommandEntry } from './command.ts';
import { ApiError, CliError, EXIT } from './exit.ts';
import { sanitize, sanitizeLines, type Terminal, writeLine } from './terminal.ts';

const DESCRIPTION = 'Document and version management for engineering data, on the command line.';
const HELP_FOOTER = `
Operator commands work on the data folder (PDM_DATA_DIR) while the service is stopped, or on the server at
MONGODB_URL. A backup can also be made while the service is running.
PDM_URL and PDM_TOKEN replace pdm login. See docs/cli.md for details.`;
const HELP_WIDTH = 110;

/** Runs a command line, prints any error, and returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<number> {
  const normalizedArgs = normalizeArgs(args);
  let name = '';
  let exit: number = EXIT.success;
  const program = createProgram(
    withCompletion(commands),
    (entry, cliCommand, command) => {
      name = entry.name;
      command.action(async () => {
        exit = await cliCommand.run(terminal, command.opts() as never, ...(command.processedArgs as never[]));
      });
    },
    { writeOut: (text) => terminal.out.write(text), writeErr: (text) => terminal.err.write(text) },
  );
  try {
    await program.parseAsync(normalizedArgs, { from: 'user' });
    return exit;
  } catch (error) {
    return reportError(error, { name, json: normalizedArgs.includes('--json') }, terminal);
  }
}

function normalizeArgs(args: readonly string[]): string[] {
  if (args[0] === 'help') return [...args.slice(1), '--help'];
  return args.length ? [...args] : ['--help'];
}

/** Returns every command with its arguments and options, for the documentation and for shell completion. */
export async function describeCommands(
  commands: readonly CommandEntry[],
): Promise<{ entry: CommandEntry; command: Command }[]> {
  const entries = withCompletion(commands);
  const program = createProgram(entries, () => undefined);
  return Promise.all(
    entries.map(async (entry) => {
      const command = findCommand(program, entry.name);
      await loadCommand(entry, command);
      return { entry, command };
    }),
  );
}

function withCompletion(commands: readonly CommandEntry[]): CommandEntry[] {
  const completion: CommandEntry = {
    name: 'completion',
    summary: 'Print a shell completion script',
    group: 'User commands:',
    load: async () => (await import('./commands/completion.ts')).completion(() => describeCommands(commands)),
  };
  const position = commands.findLastIndex(({ group }) => group === completion.group) + 1;
  return [...commands.slice(0, position), completion, ...commands.slice(position)];
}

/** Creates the program with all command names. Arguments and options are added only to the command that is used. */
function createProgram(
  entries: readonly CommandEntry[],
  onLoaded: (entry: CommandEntry, cliCommand: CliCommand, command: Command) => void,
  output: OutputConfiguration = {},
): Command {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const loadSubcommand = async (_: Command, command: Command) => {
    const entry = byName.get(fullName(command));
    if (entry) onLoaded(entry, await loadCommand(entry, command), command);
  };
  const program = new Command('pdm')
    .description(DESCRIPTION)
    .version(version(), '--version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', HELP_FOOTER)
    .configureOutput({ ...output, getOutHelpWidth: () => HELP_WIDTH, getErrHelpWidth: () => HELP_WIDTH })
    .showHelpAfterError('Run "pdm --help" for a list of commands, or "pdm <command> --help" for the usage of one.')
    .exitOverride()
    .hook('preSubcommand', loadSubcommand);
  for (const { name, summary, group } of entries) {
    const [first = '', second] = name.split(' ');
    const parent = second === undefined ? program : commandGroup(program, first);
    parent
      .command(second ?? first)
      .description(summary)
      .helpGroup(group);
  }
  return program;

  function commandGroup(program: Command, name: string): Command {
    const existing = program.commands.find((command) => command.name() === name);
    if (existing) return existing;
    const members = entries.filter((entry) => entry.name.startsWith(`${name} `));
    const subcommands = members.map((entry) => entry.name.slice(name.length + 1));
    return program
      .command(name)
      .summary(`Subcommands: ${subcommands.join(', ')}`)
      .usage('<command>')
      .helpGroup(members[0]?.group ?? '')
      .helpCommand(false)
      .hook('preSubcommand', loadSubcommand);
  }
}

function findCommand(program: Command, name: string): Command {
  let command: Command | undefined = program;
  for (const word of name.split(' ')) command = command?.commands.find((child) => child.name() === word);
  if (!command) throw new Error(`Unknown command: ${name}`);
  return command;
}

async function loadCommand({ load, json }: CommandEntry, command: Command): Promise<CliCommand> {
  const cliCommand = await load();
  cliCommand.define(command);
  if (json) command.option('--json', 'print the result as JSON');
  return cliCommand;
}

function fullName(command: Command): string {
  const prefix = command.parent?.parent ? `${fullName(command.parent)} ` : '';
  return prefix + command.name();
}

function reportError(error: unknown, { name, json }: { name: string; json: boolean }, terminal: Terminal): number {
  const { err, signal } = terminal;
  // Commander has already printed its own errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
  const { exit, detail } = describeError(error, signal.aborted);
  const problem = error instanceof ApiError ? error.problem : null;
  if (json) {
    const code = Object.entries(EXIT).find(([, value]) => value === exit)?.[0] ?? 'error';
    writeLine(err, JSON.stringify(problem ?? { code, detail }));
    return exit;
  }
  writeLine(err, `pdm ${name}: ${problem ? `${sanitize(detail)} (${problem.code})` : sanitizeLines(detail)}`);
  for (const { path, message } of problem?.errors ?? []) writeLine(err, `  ${sanitize(path)}: ${sanitize(message)}`);
  if (problem && problem.status >= 500)
    writeLine(err, `  Request id in the service log: ${sanitize(problem.requestId)}`);
  if (exit === EXIT.usage) writeLine(err, `  Run "pdm help ${name}" for usage.`);
  return exit;
}

function describeError(error: unknown, interrupted: boolean): { exit: number; detail: string } {
  if (interrupted) return { exit: EXIT.interrupted, detail: 'Interrupted.' };
  return {
    exit: error instanceof CliError ? error.exit : EXIT.error,
    detail: error instanceof Error ? error.message : String(error),
  };
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
