// `npm run generate`: everything that follows from the SDL of the subgraphs and the operations of the REST adapter, written to disk.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { operationTypes, pageOperations, resolverTypes, routeOperations } from './codegen.ts';
import { compose, readSubgraphs } from './compose.ts';
import { exampleOperations } from './example-operations.ts';

const root = new URL('../', import.meta.url);

/** Makes every generated file, as path below the root of the repository → text, and the hints of the composition; writes nothing. */
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
      await resolverTypes(typeDefs, textOf(`subgraphs/${name}/sources.ts`)),
    );
  }
  files.set(
    'rest-adapter/generated/operations.ts',
    await routeOperations(apiSdl, operationsOf('rest-adapter/fragments/'), routeSources()),
  );
  files.set('web/generated/operations.ts', await pageOperations(apiSdl, operationsOf('web/operations/')));
  files.set('examples/graphql/generated/operations.ts', await operationTypes(apiSdl, exampleOperations()));
  return { files, hints };
}

function operationsOf(folder: string): { location: string; text: string }[] {
  if (!existsSync(new URL(folder, root))) return [];
  const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.graphql'));
  return names.sort().map((name) => ({ location: folder + name, text: textOf(folder + name) }));
}

/** The GraphQL texts in the rows of the REST routes, e.g. operation(`query …`). */
function routeSources(): string[] {
  const folder = 'rest-adapter/routes/';
  return readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) =>
      [...textOf(folder + name).matchAll(/\boperation\(`([^`]*)`\)/g)].map(([, source = '']) => source),
    );
}

/** The text of a file below the root of the repository; empty when it is not there. */
export function textOf(path: string): string {
  const file = new URL(path, root);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

if (import.meta.main) {
  const { files, hints } = await generate();
  for (const hint of hints) console.log(`hint: ${hint}`);
  for (const [path, text] of files) {
    if (textOf(path) === text) continue;
    mkdirSync(new URL('./', new URL(path, root)), { recursive: true });
    writeFileSync(new URL(path, root), text);
    console.log(`written: ${path}`);
  }
}
