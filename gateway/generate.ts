// `npm run generate`: writes all files that are generated from the subgraphs' SDL and from operations.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { operationTypes, resolverTypes, routeOperations, webOperations } from './codegen.ts';
import { compose, readSubgraphs } from './compose.ts';
import { readExampleOperations } from './example-operations.ts';

const root = new URL('../', import.meta.url);

/** Generates all files (path below the repository root → text) and the composition hints. Writes nothing. */
export async function generate(): Promise<{ files: ReadonlyMap<string, string>; hints: readonly string[] }> {
  const subgraphs = readSubgraphs(new URL('subgraphs/', root));
  const { supergraphSdl, apiSdl, hints } = compose(subgraphs);
  const files = new Map([
    ['gateway/generated/supergraph.graphql', supergraphSdl],
    ['gateway/generated/api.graphql', apiSdl],
  ]);
  for (const { name, typeDefs } of subgraphs) {
    files.set(
      `subgraphs/${name}/generated/resolvers.ts`,
      await resolverTypes(typeDefs, readText(`subgraphs/${name}/sources.ts`)),
    );
  }
  files.set(
    'rest-adapter/generated/operations.ts',
    await routeOperations(apiSdl, readOperations('rest-adapter/fragments/'), readRouteOperations()),
  );
  files.set('web/generated/operations.ts', await webOperations(apiSdl, readOperations('web/operations/')));
  files.set('examples/graphql/generated/operations.ts', await operationTypes(apiSdl, readExampleOperations()));
  return { files, hints };
}

function readOperations(folder: string): { location: string; text: string }[] {
  if (!existsSync(new URL(folder, root))) return [];
  const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.graphql'));
  return names.sort().map((name) => ({ location: folder + name, text: readText(folder + name) }));
}

/** Returns the GraphQL texts in the rows of the REST routes, e.g. operation(`query …`). */
function readRouteOperations(): string[] {
  const folder = 'rest-adapter/routes/';
  return readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) =>
      [...readText(folder + name).matchAll(/\boperation\(`([^`]*)`\)/g)].map(([, source = '']) => source),
    );
}

/** Returns the text of a file below the repository root; empty if it does not exist. */
export function readText(path: string): string {
  const file = new URL(path, root);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

if (import.meta.main) {
  const { files, hints } = await generate();
  for (const hint of hints) console.log(`hint: ${hint}`);
  for (const [path, text] of files) {
    if (readText(path) === text) continue;
    mkdirSync(new URL('./', new URL(path, root)), { recursive: true });
    writeFileSync(new URL(path, root), text);
    console.log(`Wrote ${path}`);
  }
}
