// Prints the supported features as the lists in the README: `node launch.mjs embedded/protocol/promise-text.ts`.
import { LIMITS } from './limits.ts';
import * as promise from './supported-features.ts';

const WIDTH = 150;

/** Returns the lists of supported and unsupported features in Markdown. */
export function renderSupportedFeatures(): string {
  const { COMMANDS, STATEMENTS, COMMON_FIELDS } = promise;
  const withoutFields = Object.keys(COMMANDS).filter((name) => Object.keys(fieldsOf(COMMANDS[name])).length === 0);
  const commands = Object.keys(COMMANDS).filter((name) => !withoutFields.includes(name));
  const limits = Object.entries(LIMITS).map(([name, value]) => `${name} ${value.toLocaleString('en')}`);
  return [
    renderList('Fields of every command', Object.keys(COMMON_FIELDS)),
    renderNames('- **Commands** without further fields:', withoutFields),
    ...commands.map((name) => renderCommand(`- \`${name}\`:`, COMMANDS[name])),
    ...Object.entries(STATEMENTS).map(([name, fields]) => renderCommand(`- each statement of \`${name}\`:`, fields)),
    renderList('Query', promise.QUERY_OPERATORS),
    renderList('Update', promise.UPDATE_OPERATORS),
    renderList('Stages', promise.STAGES),
    renderList('Accumulators', promise.ACCUMULATORS),
    renderList('Expressions', promise.EXPRESSIONS),
    renderList('Index fields', promise.INDEX_FIELDS),
    renderList('Partial index conditions', promise.PARTIAL_FILTER_OPERATORS),
    renderList('Collation', promise.COLLATION_FIELDS),
    renderList('Read concerns', promise.READ_CONCERNS),
    renderList('Limits', limits),
    '',
    'MongoDB features that this store does not support (238):',
    '',
    renderList('Commands', promise.UNSUPPORTED_COMMANDS),
    renderList('Query', promise.UNSUPPORTED_QUERY_OPERATORS),
    renderList('Update', promise.UNSUPPORTED_UPDATE_OPERATORS),
    renderList('Stages', promise.UNSUPPORTED_STAGES),
    renderList('Accumulators', promise.UNSUPPORTED_ACCUMULATORS),
    renderList('Expressions', promise.UNSUPPORTED_EXPRESSIONS),
    renderList('Index kinds and fields', [...promise.UNSUPPORTED_INDEX_TYPES, ...promise.UNSUPPORTED_INDEX_FIELDS]),
    renderList('Collation', promise.UNSUPPORTED_COLLATION_FIELDS),
    renderNames('- **Search**, as on a server without a search service (31082):', promise.SEARCH_FEATURES),
  ].join('\n');
}

const renderList = (title: string, names: Iterable<string>): string => renderNames(`- **${title}**:`, names);

const fieldsOf = ({ required = {}, optional = {} }: promise.CommandSpec = {}): promise.Fields => ({
  ...required,
  ...optional,
});

function renderCommand(title: string, command: promise.CommandSpec = {}): string {
  const fields = Object.keys(fieldsOf(command)).map((field) => (field === '*' ? 'any field' : `\`${field}\``));
  const refused = command.unsupported ? renderNames(' — unsupported:', command.unsupported) : '';
  return wrapLines(`${title} ${fields.join(' ')}${refused}`);
}

const renderNames = (title: string, names: Iterable<string>): string =>
  wrapLines(`${title} ${[...names].map((name) => `\`${name}\``).join(' ')}`);

function wrapLines(text: string): string {
  const lines: string[] = [];
  for (const word of text.replaceAll('\n', ' ').split(/ +/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(line === undefined ? word : `  ${word}`);
  }
  return lines.join('\n');
}

if (import.meta.main) console.log(renderSupportedFeatures());
