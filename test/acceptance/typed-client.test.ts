// The typed client of examples/graphql against the service, with the initial operations of the explorer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGraphClient } from '../../examples/graphql/client.ts';
import {
  BillOfMaterialsDocument,
  JobsDocument,
  NewestDocumentsDocument,
  ReferencesDocument,
  VersionGraphDocument,
  WhereUsedDocument,
} from '../../examples/graphql/generated/operations.ts';
import { assemblies } from '../support/assemblies.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

test('reads a bill of materials, history, users, references and jobs, and sends hashes of known operations', async () => {
  const make = assemblies(pdm.editor);
  const screw = await make.part({ name: 'Screw' });
  const table = await make.assembly([[screw, 4]], { name: 'Table' });
  await pdm.editor.upload(screw.draftId, 'source', 'ISO-10303-21;', { fileName: 'screw.stp' });
  const ask = createGraphClient(pdm.url, pdm.tokens.viewer);

  const { documents } = await ask(NewestDocumentsDocument, {});
  expect(documents.items.map(({ number }) => number).sort()).toEqual([table.number, screw.number].sort());
  const version = documents.items.find(({ id }) => id === table.id)?.versions[0]?.id ?? '';
  const { bom } = await ask(BillOfMaterialsDocument, { version });
  expect(bom.items).toMatchObject([{ path: '1', number: screw.number, quantity: 4, version: { n: 1 } }]);
  const { document } = await ask(VersionGraphDocument, { document: table.number });
  expect(document?.versionGraph.nodes.map((node) => node.version.type)).toEqual(['draft', 'version']);
  const { whereUsed } = await ask(WhereUsedDocument, { document: screw.number });
  expect(whereUsed.items).toMatchObject([{ level: 1, document: { number: table.number } }]);
  const { referenceUpdates } = await ask(ReferencesDocument, { version: table.draftId });
  expect(referenceUpdates).toMatchObject([{ number: screw.number, quantity: 4, pinned: false }]);
  const { jobs } = await ask(JobsDocument, { status: 'waiting' });
  expect(jobs.items).toContainEqual(
    expect.objectContaining({ type: 'convert', document: { number: screw.number, name: 'Screw' } }),
  );
  expect((await ask(BillOfMaterialsDocument, { version })).bom).toEqual(bom); // by its hash
});

test('accepts every common form of the service address', async () => {
  for (const form of ['/', '/graphql', '/api/v1', '/api/v1/']) {
    const ask = createGraphClient(pdm.url + form, pdm.tokens.viewer);
    await expect(ask(VersionGraphDocument, { document: 'NONE' })).rejects.toMatchObject({ code: 'not_found' });
  }
  await expect(createGraphClient(`${pdm.url}/elsewhere`, pdm.tokens.viewer)(JobsDocument, {})).rejects.toThrow(
    '/elsewhere/graphql is not a GraphQL service: status 404',
  );
});

test('throws an API error with its code', async () => {
  const ask = createGraphClient(pdm.url, 'pdm_nobody');
  await expect(ask(JobsDocument, {})).rejects.toMatchObject({ code: 'unauthenticated' });
});
