// node launch.mjs examples/graphql/main.ts NUMBER: prints the version graph, bill of materials and where-used list of a
// document, and the newest jobs. PDM_URL is the service (default: http://127.0.0.1:8080), PDM_TOKEN a token. `npm run
// generate` generates the types from gateway/examples/*.graphql.
import { createGraphClient, type Execute } from './client.ts';
import {
  BillOfMaterialsDocument,
  JobsDocument,
  VersionGraphDocument,
  WhereUsedDocument,
} from './generated/operations.ts';

const { PDM_URL = 'http://127.0.0.1:8080', PDM_TOKEN } = process.env;
const document = process.argv[2] ?? 'ASM-000001';

try {
  if (!PDM_TOKEN) throw new Error('PDM_TOKEN is not set');
  await printDocument(createGraphClient(PDM_URL, PDM_TOKEN));
} catch (error) {
  // the cause of a fetch error describes the connection error
  const { message, cause } = error as Error;
  console.error(`Could not read ${document}: ${cause instanceof Error ? `${PDM_URL}: ${cause.message}` : message}`);
  process.exitCode = 1;
}

async function printDocument(execute: Execute): Promise<void> {
  const { document: found } = await execute(VersionGraphDocument, { document });
  if (!found) throw new Error(`document ${document} does not exist`);
  const newest = found.versionGraph.nodes[0]?.version;
  for (const { version } of found.versionGraph.nodes)
    console.log(`${version.n ?? 'draft'} ${version.name} by ${version.createdBy.name}`);

  if (newest && found.kind === 'assembly') {
    const { bom } = await execute(BillOfMaterialsDocument, { version: newest.id });
    for (const { path, number, name, quantity } of bom.items)
      console.log(`${path}\t${quantity} × ${number ?? '?'} ${name ?? ''}`);
  }

  const { whereUsed } = await execute(WhereUsedDocument, { document });
  for (const { level, document: user } of whereUsed.items)
    console.log(`level ${level}: used by ${user.number} ${user.name}`);

  const { jobs } = await execute(JobsDocument, {});
  for (const { type, status, document: of } of jobs.items) console.log(`${type} of ${of.number}: ${status}`);
}
