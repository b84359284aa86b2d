import type { CommandStartedEvent } from 'mongodb';
// GraphQL operations: consistency of several writes, and limits on nested fields.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeJob } from '../../subgraphs/core/store/jobs/jobs.ts';
import type { JobRecord } from '../../subgraphs/core/store/schema/collections.ts';
import { queueExportJobs } from '../support/job-fixture.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { TEST_QUERY_COMMENT } from '../support/query-plans.ts';
import { requestAs } from '../support/store.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ monitorCommands: true });
});
afterAll(() => pdm.close());

const newDocument = async (folderId?: string): Promise<string> =>
  (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model', folderId })).body.id;

test('returns the state after each write of a mutation', async () => {
  const folder = (await pdm.editor.post('/folders', { name: 'Here' })).body.id;
  const [x, y] = [await newDocument(), await newDocument()];
  const [{ id: workspace }] = (await pdm.viewer.get(`/documents/${x}`)).body.workspaces;
  const written = await pdm.editor.graphql(
    `mutation ($x: ID!, $y: ID!, $folder: ID!, $workspace: ID!) {
      a: moveDocuments(ids: [$x], folderId: $folder) { folder { documentCount } }
      b: moveDocuments(ids: [$y], folderId: $folder) { folder { documentCount } }
      c: updateWorkspace(id: $workspace, name: "First") { document { name } }
      d: updateDocument(id: $x, name: "Renamed") { workspaces { name } }
      e: updateWorkspace(id: $workspace, name: "Second") { document { name } }
      f: updateDocument(id: $x, name: "Renamed again") { workspaces { name } }
    }`,
    { x, y, folder, workspace },
  );
  expect(written.body.errors).toBeUndefined();
  const { a, b, e, f } = written.body.data;
  expect([a, b]).toEqual([[{ folder: { documentCount: 1 } }], [{ folder: { documentCount: 2 } }]]);
  expect([e.document.name, f.workspaces]).toEqual(['Renamed', [{ name: 'Second' }]]);
});

test('rejects too many filtered audit pages or version graphs in one operation, with the name of the limit', async () => {
  for (let n = 0; n < 21; n++) await newDocument();
  const listDocuments = async (fields: string, limit: number) =>
    (await pdm.viewer.graphql(`query ($limit: Int) { documents(limit: $limit) { items { ${fields} } } }`, { limit }))
      .body;
  const filtered = 'audit(limit: 1, action: "document.created") { items { action } }';
  expect((await listDocuments(filtered, 20)).data.documents.items).toHaveLength(20);
  expect((await listDocuments(filtered, 21)).errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    limit: 'auditPages',
    allowed: 20,
  });
  expect((await listDocuments('versionGraph(limit: 1) { rows }', 10)).data.documents.items).toHaveLength(10);
  expect((await listDocuments('versionGraph(limit: 1) { rows }', 11)).errors[0].extensions).toMatchObject({
    limit: 'versionGraphs',
    allowed: 10,
  });
});

test('reads the jobs of many versions in one query and limits their logs before reading them', async () => {
  const documentId = await newDocument();
  const [{ id: workspace }] = (await pdm.viewer.get(`/documents/${documentId}`)).body.workspaces;
  for (let n = 0; n < 3; n++) await pdm.editor.post(`/workspaces/${workspace}/versions`, {});
  const ids: string[] = (await pdm.viewer.get(`/documents/${documentId}`)).body.versions.map(
    ({ id }: { id: string }) => id,
  );
  const targets = ids.map((versionId) => ({ documentId, versionId }));
  const queued = await queueExportJobs(pdm.services, requestAs('editor'), targets, 18);

  const commands: string[] = [];
  const recordCommand = ({ command }: CommandStartedEvent) => void commands.push(JSON.stringify(command));
  pdm.services.mongo.client.on('commandStarted', recordCommand);
  const query = 'query ($id: ID!) { document(id: $id) { versions { id jobs(limit: 2) { items { id } nextCursor } } } }';
  const { versions } = (await pdm.viewer.graphql(query, { id: documentId })).body.data.document;
  pdm.services.mongo.client.off('commandStarted', recordCommand);
  expect(commands.filter((command) => command.includes('"from":"jobs"'))).toHaveLength(1);
  for (const { id, jobs } of versions) {
    const own = queued.filter((_, n) => n % 3 === ids.indexOf(id)).reverse();
    expect(jobs.items.map(({ id }: { id: string }) => id)).toEqual(own.slice(0, 2));
    const more = await pdm.viewer.get(`/versions/${id}/jobs?limit=10&cursor=${encodeURIComponent(jobs.nextCursor)}`);
    expect(more.body.items.map(({ id }: { id: string }) => id)).toEqual(own.slice(2));
  }

  const scope = { db: pdm.services.mongo.db };
  const jobs = await scope.db.collection<JobRecord>('jobs').find({}, { comment: TEST_QUERY_COMMENT }).toArray();
  const log = Array.from({ length: 999 }, () => 'x'.repeat(1_000));
  for (const job of jobs.slice(0, 6)) await changeJob(scope, job, {}, { log, now: new Date() });
  const logs = 'query ($limit: Int) { jobs(limit: $limit) { items { id log { line } } } }';
  expect((await pdm.viewer.graphql(logs, { limit: 12 })).body.data.jobs.items).toHaveLength(12);
  expect((await pdm.viewer.graphql(logs, { limit: 18 })).body.errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    limit: 'logCharacters',
    allowed: 5_000_000,
  });
  expect((await pdm.viewer.get(`/jobs/${jobs[0]!._id}`)).body.log).toHaveLength(999);
});
