// Composes the subgraphs' SDL into the supergraph (for the planner) and the API schema (for clients and code
// generation).
import { readdirSync, readFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { type DocumentNode, lexicographicSortSchema, parse, printSchema } from 'graphql';

export type Composition = { supergraphSdl: string; apiSdl: string; hints: readonly string[] };

/**
 * Composes subgraphs; throws all composition errors. URLs come from the configuration, so the SDL contains invalid
 * ones.
 */
export function compose(subgraphs: readonly { name: string; typeDefs: DocumentNode }[]): Composition {
  const {
    supergraphSdl,
    errors,
    hints = [],
  } = composeServices(
    subgraphs.map(({ name, typeDefs }) => ({ name, typeDefs, url: `http://${name}.invalid/graphql` })),
  );
  if (!supergraphSdl)
    throw new Error(`The subgraphs do not compose:\n${(errors ?? []).map(({ message }) => `- ${message}`).join('\n')}`);
  const api = Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema();
  return {
    supergraphSdl: `${supergraphSdl.trim()}\n`,
    apiSdl: `${printSchema(lexicographicSortSchema(api)).trim()}\n`,
    hints: hints.map(({ definition, message }) => `${definition.code}: ${message}`),
  };
}

/** Reads the SDL of every subgraph in a folder (`<folder>/<name>/schema.graphql`), sorted by name. */
export function readSubgraphs(folder: URL): { name: string; typeDefs: DocumentNode }[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'core',
  );
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => ({ name, typeDefs: parse(readFileSync(new URL(`${name}/schema.graphql`, folder), 'utf8')) }));
}
