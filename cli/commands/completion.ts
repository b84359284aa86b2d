import type { Command } from 'commander';
import type { CliCommand, CommandEntry } from '../command.ts';
import { type CompletionContext, SCRIPTS } from '../completion-scripts.ts';
import { CliError, EXIT } from '../exit.ts';
import { writeLine } from '../terminal.ts';

type CommandDescriptions = readonly { entry: CommandEntry; command: Command }[];

/** `pdm completion`: prints the completion script of a shell. */
export function completion(describe: () => Promise<CommandDescriptions>): CliCommand {
  return {
    define: (command) =>
      command
        .argument('<shell>', 'bash, zsh or fish')
        .addHelpText(
          'after',
          '\nbash: eval "$(pdm completion bash)" in ~/.bashrc\nzsh:  eval "$(pdm completion zsh)" in ~/.zshrc\nfish: pdm completion fish > ~/.config/fish/completions/pdm.fish',
        ),
    async run(terminal, _: object, shell: string) {
      const script = SCRIPTS[shell];
      if (!script)
        throw new CliError(
          `Unsupported shell: ${shell}. Supported shells: ${Object.keys(SCRIPTS).join(', ')}.`,
          EXIT.usage,
        );
      writeLine(terminal.out, script(completionContexts(await describe())));
      return EXIT.success;
    },
  };
}

function completionContexts(descriptions: CommandDescriptions): CompletionContext[] {
  const topLevel = new Map<string, string>();
  const contexts = new Map<string, CompletionContext>();
  for (const { entry, command } of descriptions) {
    const [name = '', subcommand] = entry.name.split(' ');
    const summaries = [topLevel.get(name), entry.summary];
    topLevel.set(name, summaries.filter(Boolean).join('; '));
    if (subcommand !== undefined) {
      const group = contexts.get(name) ?? { prefix: name, words: [], acceptsFiles: false };
      group.words.push({ word: subcommand, description: entry.summary });
      contexts.set(name, group);
    }
    const options = command.options.map(({ long, short, description }) => ({ word: long ?? short ?? '', description }));
    const acceptsFiles =
      command.registeredArguments.some((argument) => /file|worker/.test(argument.name())) ||
      command.options.some(({ flags }) => flags.includes('<file>'));
    contexts.set(entry.name, {
      prefix: entry.name,
      words: [...options, { word: '--help', description: 'show help' }],
      acceptsFiles,
    });
  }
  const words = [...topLevel].map(([word, description]) => ({ word, description }));
  return [
    { prefix: '', words: [...words, { word: 'help', description: 'show help for a command' }], acceptsFiles: false },
    ...contexts.values(),
  ];
}
