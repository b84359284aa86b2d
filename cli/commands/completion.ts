import type { Command } from 'commander';
import { SCRIPTS, type Words } from '../completion-scripts.ts';
import type { Deed, Listed } from '../deed.ts';
import { EXIT, Failure } from '../exit.ts';
import { say } from '../terminal.ts';

type Described = readonly { listed: Listed; command: Command }[];

/** Prints the script with which a shell completes the names of commands and their options. */
export function completion(describe: () => Promise<Described>): Deed {
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
        throw new Failure(
          `There is no completion for ${shell}; there is for ${Object.keys(SCRIPTS).join(', ')}.`,
          EXIT.usage,
        );
      say(terminal.out, script(wordsIn(await describe())));
      return EXIT.good;
    },
  };
}

function wordsIn(described: Described): Words[] {
  const first = new Map<string, string>();
  const deeper = new Map<string, Words>();
  for (const { listed, command } of described) {
    const [name = '', second] = listed.words.split(' ');
    first.set(
      name,
      second === undefined ? listed.says : `${first.has(name) ? `${first.get(name)}; ` : ''}${listed.says}`,
    );
    if (second !== undefined) {
      const group = deeper.get(name) ?? { behind: name, words: [], file: false };
      group.words.push({ word: second, says: listed.says });
      deeper.set(name, group);
    }
    const options = command.options.map(({ long, short, description }) => ({
      word: long ?? short ?? '',
      says: description,
    }));
    const file =
      command.registeredArguments.some((argument) => /file|worker/.test(argument.name())) ||
      command.options.some(({ flags }) => flags.includes('<file>'));
    deeper.set(listed.words, {
      behind: listed.words,
      words: [...options, { word: '--help', says: 'print what it takes' }],
      file,
    });
  }
  const top = [...first].map(([word, says]) => ({ word, says }));
  return [
    { behind: '', words: [...top, { word: 'help', says: 'print what a command takes' }], file: false },
    ...deeper.values(),
  ];
}
