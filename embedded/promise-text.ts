// What the README says of the promise, from the promise itself. `node launch.mjs embedded/promise-text.ts` prints it.
import { LIMITS } from './limits.ts';
import * as promise from './promise.ts';

const WIDTH = 150;

/** The lists of the promise, as they stand in the README. */
export function promiseText(): string {
  const { COMMANDS, STATEMENTS, COMMON_FIELDS } = promise;
  const free = Object.keys(COMMANDS).filter((name) => Object.keys(fieldsOf(COMMANDS[name])).length === 0);
  const commands = Object.keys(COMMANDS).filter((name) => !free.includes(name));
  return [
    wrapped('- **Fields of every command**:', Object.keys(COMMON_FIELDS)),
    wrapped('- **Commands** without more:', free),
    ...commands.map((name) => described(`- \`${name}\`:`, COMMANDS[name])),
    ...Object.keys(STATEMENTS).map((name) => described(`- each statement of \`${name}\`:`, STATEMENTS[name])),
    wrapped('- **Query**:', promise.QUERY_OPERATORS),
    wrapped('- **Update**:', promise.UPDATE_OPERATORS),
    wrapped('- **Stages**:', promise.STAGES),
    wrapped('- **Accumulators**:', promise.ACCUMULATORS),
    wrapped('- **Expressions**:', promise.EXPRESSIONS),
    wrapped('- **Index fields**:', promise.INDEX_FIELDS),
    wrapped('- **Partial index conditions**:', promise.PARTIAL_OPERATORS),
    wrapped('- **Collation**:', promise.COLLATION_FIELDS),
    wrapped('- **Read concerns**:', promise.READ_CONCERNS),
    wrapped(
      '- **Limits**:',
      Object.entries(LIMITS).map(([name, value]) => `${name} ${value.toLocaleString('en')}`),
    ),
    '',
    'Known to MongoDB and answered with 238 here:',
    '',
    wrapped('- **Commands**:', promise.REFUSED_COMMANDS),
    wrapped('- **Query**:', promise.REFUSED_QUERY_OPERATORS),
    wrapped('- **Update**:', promise.REFUSED_UPDATE_OPERATORS),
    wrapped('- **Stages**:', promise.REFUSED_STAGES),
    wrapped('- **Accumulators**:', promise.REFUSED_ACCUMULATORS),
    wrapped('- **Expressions**:', promise.REFUSED_EXPRESSIONS),
    wrapped('- **Index kinds and fields**:', [...promise.REFUSED_INDEX_KINDS, ...promise.REFUSED_INDEX_FIELDS]),
    wrapped('- **Collation**:', promise.REFUSED_COLLATION_FIELDS),
    wrapped('- **Search**, as a server without a search service (31082):', promise.SEARCH),
  ].join('\n');
}

const fieldsOf = ({ required = {}, optional = {} }: promise.CommandPromise = {}): promise.Fields => ({ ...required, ...optional });

function described(title: string, command: promise.CommandPromise = {}): string {
  const fields = Object.keys(fieldsOf(command)).map((field) => (field === '*' ? 'anything' : field));
  const refused = command.refused?.length ? wrapped(' — refused:', command.refused) : '';
  return folded(`${title} ${fields.map((field) => (field === 'anything' ? field : `\`${field}\``)).join(' ')}${refused}`);
}

const wrapped = (title: string, names: Iterable<string>): string => folded(`${title} ${[...names].map((name) => `\`${name}\``).join(' ')}`);

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
