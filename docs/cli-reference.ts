// Writes the reference into docs/cli.md: `node launch.mjs docs/cli-reference.ts` after a change of what a command takes.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { USER_COMMANDS } from '../cli/commands.ts';
import { describeCommands } from '../cli/program.ts';
import { OPERATOR_COMMANDS } from '../operate/commands.ts';

/** What stands above the reference; all below it is made. */
export const MARK = '<!-- From here on made by docs/cli-reference.ts. -->\n';

/** Every command with its help as --help prints it, under the headings of the help. */
export async function cliReference(): Promise<string> {
  const described = await describeCommands([...USER_COMMANDS, ...OPERATOR_COMMANDS]);
  const groups = Map.groupBy(described, ({ listed }) => listed.group);
  const parts = [...groups].map(([group, commands]) => {
    const helps = commands.map(
      ({ listed, command }) => `### pdm ${listed.name}\n\n\`\`\`\n${command.helpInformation().trim()}\n\`\`\`\n`,
    );
    return `\n## ${group.replace(/:$/, '')}\n\n${helps.join('\n')}`;
  });
  return parts.join('');
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL('./cli.md', import.meta.url);
  const [said] = readFileSync(file, 'utf8').split(MARK);
  writeFileSync(file, said + MARK + (await cliReference()));
}
