// From the subgraphs' SDL to the supergraph (for the planner) and the schema of the API (for clients and for types).
import { readdirSync, readFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { type DocumentNode, lexicographicSortSchema, parse, printSchema } from 'graphql';

export type Composed = { supergraphSdl: string; apiSdl: string; hints: readonly string[] };

/** Composes subgraphs; throws every fault of the composition. Addresses come from configuration, so the SDL names ones that cannot exist. */
export function compose(subgraphs: readonly { name: string; typeDefs: DocumentNode }[]): Composed {
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

/** Reads the SDL of every subgraph of a folder (`<folder>/<name>/schema.graphql`), in the order of their names. */
export function readSubgraphs(folder: URL): { name: string; typeDefs: DocumentNode }[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'core',
  );
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => ({ name, typeDefs: parse(readFileSync(new URL(`${name}/schema.graphql`, folder), 'utf8')) }));
}
