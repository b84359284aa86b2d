// node launch.mjs examples/graphql/main.ts NUMBER: an assembly's bill of material and history, who uses it, and the newest jobs.
// PDM_URL is the service (http://127.0.0.1:8080), PDM_TOKEN a token; the types are generated from gateway/examples/*.graphql by `npm run generate`.
import { type Ask, graphClient } from './client.ts';
import {
  BillOfMaterialDocument,
  JobsDocument,
  VersionGraphDocument,
  WhereUsedDocument,
} from './generated/operations.ts';

const { PDM_URL = 'http://127.0.0.1:8080', PDM_TOKEN } = process.env;
const document = process.argv[2] ?? 'ASM-000001';

try {
  if (!PDM_TOKEN) throw new Error('set PDM_TOKEN to a token of the service');
  await tell(graphClient(PDM_URL, PDM_TOKEN));
} catch (error) {
  // fetch says what happened to the connection in the cause
  const { message, cause } = error as Error;
  console.error(`${document} cannot be told: ${cause instanceof Error ? `${PDM_URL}: ${cause.message}` : message}`);
  process.exitCode = 1;
}

async function tell(ask: Ask): Promise<void> {
  const { document: found } = await ask(VersionGraphDocument, { document });
  if (!found) throw new Error(`there is no document ${document}`);
  const newest = found.versionGraph.nodes[0]?.version;
  for (const { version } of found.versionGraph.nodes)
    console.log(`${version.n ?? 'draft'} ${version.name} by ${version.createdBy.name}`);

  if (newest && found.kind === 'assembly') {
    const { bom } = await ask(BillOfMaterialDocument, { version: newest.id });
    for (const { path, number, name, quantity } of bom.items)
      console.log(`${path}\t${quantity} × ${number ?? '?'} ${name ?? ''}`);
  }

  const { whereUsed } = await ask(WhereUsedDocument, { document });
  for (const { level, document: user } of whereUsed.items)
    console.log(`level ${level}: used by ${user.number} ${user.name}`);

  const { jobs } = await ask(JobsDocument, {});
  for (const { type, status, document: of } of jobs.items) console.log(`${type} of ${of.number}: ${status}`);
}
