// What the README says of the promise, from the promise itself. `node launch.mjs embedded/protocol/promise-text.ts` prints it.
import { LIMITS } from './limits.ts';
import * as promise from './promise.ts';

const WIDTH = 150;

/** The lists of the promise, as they stand in the README. */
export function promiseText(): string {
  const { COMMANDS, STATEMENTS, COMMON_FIELDS } = promise;
  const free = Object.keys(COMMANDS).filter((name) => Object.keys(fieldsOf(COMMANDS[name])).length === 0);
  const commands = Object.keys(COMMANDS).filter((name) => !free.includes(name));
  const limits = Object.entries(LIMITS).map(([name, value]) => `${name} ${value.toLocaleString('en')}`);
  return [
    listed('Fields of every command', Object.keys(COMMON_FIELDS)),
    wrapped('- **Commands** without more:', free),
    ...commands.map((name) => described(`- \`${name}\`:`, COMMANDS[name])),
    ...Object.entries(STATEMENTS).map(([name, fields]) => described(`- each statement of \`${name}\`:`, fields)),
    listed('Query', promise.QUERY_OPERATORS),
    listed('Update', promise.UPDATE_OPERATORS),
    listed('Stages', promise.STAGES),
    listed('Accumulators', promise.ACCUMULATORS),
    listed('Expressions', promise.EXPRESSIONS),
    listed('Index fields', promise.INDEX_FIELDS),
    listed('Partial index conditions', promise.PARTIAL_OPERATORS),
    listed('Collation', promise.COLLATION_FIELDS),
    listed('Read concerns', promise.READ_CONCERNS),
    listed('Limits', limits),
    '',
    'Known to MongoDB and answered with 238 here:',
    '',
    listed('Commands', promise.REFUSED_COMMANDS),
    listed('Query', promise.REFUSED_QUERY_OPERATORS),
    listed('Update', promise.REFUSED_UPDATE_OPERATORS),
    listed('Stages', promise.REFUSED_STAGES),
    listed('Accumulators', promise.REFUSED_ACCUMULATORS),
    listed('Expressions', promise.REFUSED_EXPRESSIONS),
    listed('Index kinds and fields', [...promise.REFUSED_INDEX_KINDS, ...promise.REFUSED_INDEX_FIELDS]),
    listed('Collation', promise.REFUSED_COLLATION_FIELDS),
    wrapped('- **Search**, as a server without a search service (31082):', promise.SEARCH),
  ].join('\n');
}

const listed = (title: string, names: Iterable<string>): string => wrapped(`- **${title}**:`, names);

const fieldsOf = ({ required = {}, optional = {} }: promise.CommandPromise = {}): promise.Fields => ({
  ...required,
  ...optional,
});

function described(title: string, command: promise.CommandPromise = {}): string {
  const fields = Object.keys(fieldsOf(command)).map((field) => (field === '*' ? 'anything' : `\`${field}\``));
  const refused = command.refused ? wrapped(' — refused:', command.refused) : '';
  return folded(`${title} ${fields.join(' ')}${refused}`);
}

const wrapped = (title: string, names: Iterable<string>): string =>
  folded(`${title} ${[...names].map((name) => `\`${name}\``).join(' ')}`);

function folded(text: string): string {
  const lines: string[] = [];
  for (const word of text.replaceAll('\n', ' ').split(/ +/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(line === undefined ? word : `  ${word}`);
  }
  return lines.join('\n');
}

if (import.meta.main) console.log(promiseText());
