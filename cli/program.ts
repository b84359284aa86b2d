import { readFileSync } from 'node:fs';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import type { Deed, Listed } from './deed.ts';
import { EXIT, Failure, Refusal } from './exit.ts';
import { plain, plainLines, say, type Terminal } from './terminal.ts';

const SAYS = 'Document and version management for engineering data, on the command line.';
const MORE = '\nAll of it is described in docs/cli.md. PDM_URL and PDM_TOKEN take the place of pdm login.';
const HELP_WIDTH = 110;

/** Runs a command line and answers with how it ends; what went wrong is told in a sentence. */
export async function run(args: readonly string[], commands: readonly Listed[], terminal: Terminal): Promise<number> {
  const given = args[0] === 'help' ? [...args.slice(1), '--help'] : args.length ? [...args] : ['--help'];
  let words = '';
  let exit: number = EXIT.good;
  const program = programOf(
    withCompletion(commands),
    (listed, deed, command) => {
      words = listed.words;
      command.action(async () => {
        exit = await deed.run(terminal, command.opts() as never, ...(command.processedArgs as never[]));
      });
    },
    { writeOut: (text) => terminal.out.write(text), writeErr: (text) => terminal.err.write(text) },
  );
  try {
    await program.parseAsync(given, { from: 'user' });
    return exit;
  } catch (error) {
    return told(error, { words, json: given.includes('--json') }, terminal);
  }
}

/** Every command with all that it takes, for the documentation and for completion. */
export async function describedCommands(commands: readonly Listed[]): Promise<{ listed: Listed; command: Command }[]> {
  const listed = withCompletion(commands);
  const program = programOf(listed, () => undefined);
  return Promise.all(
    listed.map(async (one) => {
      const command = commandAt(program, one.words);
      await define(one, command);
      return { listed: one, command };
    }),
  );
}

function withCompletion(commands: readonly Listed[]): Listed[] {
  const completion: Listed = {
    words: 'completion',
    says: 'Print what a shell needs to complete pdm',
    group: 'For users:',
    load: async () => (await import('./commands/completion.ts')).completion(() => describedCommands(commands)),
  };
  const at = commands.findLastIndex(({ group }) => group === completion.group) + 1;
  return [...commands.slice(0, at), completion, ...commands.slice(at)];
}

/** All commands by their names; what one takes is added when it is the one that was typed. */
function programOf(
  commands: readonly Listed[],
  add: (listed: Listed, deed: Deed, command: Command) => void,
  output: OutputConfiguration = {},
): Command {
  const byWords = new Map(commands.map((listed) => [listed.words, listed]));
  const complete = async (_: Command, command: Command) => {
    const listed = byWords.get(wordsOf(command));
    if (listed) add(listed, await define(listed, command), command);
  };
  const program = new Command('pdm')
    .description(SAYS)
    .version(version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print what a command takes')
    .helpCommand('help [command]', 'print what a command takes')
    .addHelpText('after', MORE)
    .configureOutput({ ...output, getOutHelpWidth: () => HELP_WIDTH, getErrHelpWidth: () => HELP_WIDTH })
    .showHelpAfterError('(pdm --help lists the commands; with --help behind one, what it takes)')
    .exitOverride()
    .hook('preSubcommand', complete);
  for (const { words, says, group } of commands) {
    const [first = '', second] = words.split(' ');
    const follow = commands.flatMap(({ words: others }) =>
      others.startsWith(`${first} `) ? others.slice(first.length + 1) : [],
    );
    const parent = second === undefined ? program : groupNamed(program, { name: first, group, follow }, complete);
    parent
      .command(second ?? first)
      .description(says)
      .helpGroup(group);
  }
  return program;
}

type Group = { name: string; group: string /** The words that may follow its name. */; follow: readonly string[] };

function groupNamed(
  program: Command,
  { name, group, follow }: Group,
  complete: (parent: Command, command: Command) => Promise<void>,
): Command {
  const there = program.commands.find((command) => command.name() === name);
  const says = `Followed by ${follow.join(' or ')}; pdm ${name} --help says more`;
  return (
    there ??
    program
      .command(name)
      .summary(says)
      .usage('<command>')
      .helpGroup(group)
      .helpCommand(false)
      .hook('preSubcommand', complete)
  );
}

function commandAt(program: Command, words: string): Command {
  const found = words
    .split(' ')
    .reduce<Command | undefined>(
      (parent, word) => parent?.commands.find((command) => command.name() === word),
      program,
    );
  if (!found) throw new Error(`there is no command ${words}`);
  return found;
}

async function define({ load, json }: Listed, command: Command): Promise<Deed> {
  const deed = await load();
  deed.define(command);
  if (json) command.option('--json', 'what the service answered, as JSON');
  return deed;
}

function wordsOf(command: Command): string {
  const above = command.parent?.parent ? `${wordsOf(command.parent)} ` : '';
  return above + command.name();
}

function told(error: unknown, { words, json }: { words: string; json: boolean }, { err, signal }: Terminal): number {
  // Commander has told it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.good : EXIT.usage;
  const exit = signal.aborted ? EXIT.interrupted : error instanceof Failure ? error.exit : EXIT.unable;
  const detail = signal.aborted
    ? 'interrupted; what was under way is given up.'
    : error instanceof Error
      ? error.message
      : String(error);
  const problem = error instanceof Refusal ? error.problem : null;
  if (json) {
    say(err, JSON.stringify(problem ?? { code: CODES[exit] ?? 'unable', detail }));
    return exit;
  }
  say(err, `pdm ${words}: ${problem ? plain(detail) : plainLines(detail)}${problem ? ` (${problem.code})` : ''}`);
  for (const { path, message } of problem?.errors ?? []) say(err, `  ${plain(path)}: ${plain(message)}`);
  if (problem && problem.status >= 500) say(err, `  The log of the service has it under ${plain(problem.requestId)}.`);
  if (exit === EXIT.usage) say(err, `  pdm help ${words} tells what it takes.`);
  return exit;
}

const CODES: Readonly<Record<number, string>> = {
  [EXIT.refused]: 'refused',
  [EXIT.usage]: 'usage',
  [EXIT.settings]: 'settings',
  [EXIT.interrupted]: 'interrupted',
};

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
