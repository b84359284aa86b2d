// The example operations: the explorer opens each in a tab, and the typed client of examples/graphql is generated from
// them.
import { readdirSync, readFileSync } from 'node:fs';
import { Kind, parse } from 'graphql';

/** An example operation. `variables` are the names of its required variables. */
export type ExampleOperation = { location: string; text: string; variables: readonly string[] };

const FOLDER = new URL('examples/', import.meta.url);
const FIRST = 'newest-documents.graphql'; // returns the ids that the others need

/** Reads the example operations, the one that lists documents first, then by file name. */
export function readExampleOperations(): ExampleOperation[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.graphql'));
  return names
    .sort((a, b) => Number(b === FIRST) - Number(a === FIRST) || (a < b ? -1 : 1))
    .map((name) => {
      const text = readFileSync(new URL(name, FOLDER), 'utf8');
      return { location: `gateway/examples/${name}`, text, variables: requiredVariables(text) };
    });
}

function requiredVariables(text: string): string[] {
  return parse(text)
    .definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
    )
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .map(({ variable }) => variable.name.value);
}
