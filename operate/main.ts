// `npx pdm …`: the operator's command. It works on the data folder while the service is stopped, or on the server at MONGODB_URL.
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../subgraphs/core/config.ts';
import { auditExport } from './audit-export.ts';
import { auditVerify } from './audit-verify.ts';
import { check } from './check.ts';
import { EXIT, type Given, type OperatorCommand, OperatorError } from './command.ts';
import { tokenCreate } from './token-create.ts';
import { workerCheck } from './worker-check.ts';

const COMMANDS: readonly OperatorCommand[] = [check, auditVerify, auditExport, tokenCreate, workerCheck];
const FAULTY_SETTINGS = 78;

process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));

async function run(given: string[]): Promise<number> {
  const command = COMMANDS.find(({ words }) => words.split(' ').every((word, i) => given[i] === word));
  if (!command) {
    const asked = given.length === 0 || ['help', '--help', '-h'].includes(given[0] ?? '');
    (asked ? console.log : console.error)(usage());
    return asked ? EXIT.good : EXIT.usage;
  }
  try {
    return await command.run(optionsOf(command, given.slice(command.words.split(' ').length)), readConfig());
  } catch (error) {
    return told(error, command);
  }
}

function optionsOf({ options, operands = false }: OperatorCommand, args: string[]): Given {
  try {
    const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals: operands });
    return operands ? { ...values, operands: positionals } : values;
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error), EXIT.usage);
  }
}

function told(error: unknown, { words, usage }: OperatorCommand): number {
  if (error instanceof ConfigError) {
    console.error(error.message);
    return FAULTY_SETTINGS;
  }
  const code = error instanceof OperatorError ? error.code : EXIT.cannotTell;
  console.error(`pdm ${words}: ${error instanceof Error ? error.message : error}`);
  if (code === EXIT.usage) console.error(`usage: pdm ${usage}`);
  return code;
}

function usage(): string {
  const lines = COMMANDS.map(({ usage, says }) => `  pdm ${usage}\n      ${says}`);
  return ['usage:', ...lines, 'Settings come from the environment, as for the service: PDM_DATA_DIR, MONGODB_URL, PDM_CHECKPOINT_FILE.'].join('\n');
}
