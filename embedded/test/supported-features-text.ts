// Prints the supported features as the lists in the README: `node launch.mjs
// embedded/test/supported-features-text.ts`.
import { LIMITS } from '../protocol/limits.ts';
import * as features from '../protocol/supported-features.ts';

const WIDTH = 120;

/** Returns the lists of supported features in Markdown. */
export function renderSupportedFeatures(): string {
  const { COMMANDS, STATEMENTS, NESTED, COMMON } = features;
  const withoutFields = Object.keys(COMMANDS).filter((name) => Object.keys(fieldsOf(COMMANDS[name])).length === 0);
  const commands = Object.keys(COMMANDS).filter((name) => !withoutFields.includes(name));
  const limits = Object.entries(LIMITS).map(([name, value]) => `${name} ${value.toLocaleString('en')}`);
  return [
    renderCommand('- **Fields of every command**:', COMMON),
    renderNames('- **Commands** without further fields:', withoutFields),
    ...commands.map((name) => renderCommand(`- \`${name}\`:`, COMMANDS[name])),
    ...Object.entries(STATEMENTS).map(([name, fields]) => renderCommand(`- Each statement of \`${name}\`:`, fields)),
    ...Object.entries(NESTED).map(([name, fields]) => renderCommand(`- Each document \`${name}\`:`, fields)),
    renderList('Query', features.QUERY_OPERATORS),
    renderList('Update', features.UPDATE_OPERATORS),
    renderList('Stages', features.STAGES),
    renderList('Accumulators', features.ACCUMULATORS),
    renderList('Expressions', features.EXPRESSIONS),
    renderList('Partial index filters', features.PARTIAL_FILTER_OPERATORS),
    renderList('Read concerns', features.READ_CONCERNS),
    renderList('Limits', limits),
    renderNames('- **Search**, as on a server without a search service (31082):', features.SEARCH_FEATURES),
  ].join('\n');
}

const renderList = (title: string, names: Iterable<string>): string => renderNames(`- **${title}**:`, names);

const fieldsOf = ({ required = {}, optional = {} }: features.CommandSpec = {}): features.Fields => ({
  ...required,
  ...optional,
});

function renderCommand(title: string, command: features.CommandSpec = {}): string {
  const fields = fieldsOf(command);
  const names = (isOff: boolean) => Object.keys(fields).filter((field) => isOff === /^off/.test(fields[field] ?? ''));
  const off = names(true).length > 0 ? renderNames(' — may be false:', names(true)) : '';
  return fields['*'] ? `${title} any field` : wrapLines(renderNames(title, names(false)) + off);
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
