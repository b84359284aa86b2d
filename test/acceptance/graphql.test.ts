import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeJob } from '../../subgraphs/core/store/jobs/jobs.ts';
import type { JobRecord } from '../../subgraphs/core/store/schema/collections.ts';
import { exportJobs } from '../support/job-fixture.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { FOR_A_TEST } from '../support/query-plans.ts';
import { requestAs } from '../support/store.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ monitorCommands: true });
});
afterAll(() => pdm.close());

const newDocument = async (folderId?: string): Promise<string> =>
  (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model', folderId })).body.id;

test('each write of a mutation is answered with what it left, whatever the ones before it have read', async () => {
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

test('audit pages and version graphs of a list are limited, and the limit says its name', async () => {
  for (let n = 0; n < 21; n++) await newDocument();
  const asked = async (fields: string, limit: number) =>
    (await pdm.viewer.graphql(`query ($limit: Int) { documents(limit: $limit) { items { ${fields} } } }`, { limit }))
      .body;
  expect((await asked('audit(limit: 1) { items { action } }', 20)).data.documents.items).toHaveLength(20);
  expect((await asked('audit(limit: 1) { items { action } }', 21)).errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    limit: 'documentAudit',
    allowed: 20,
  });
  expect((await asked('versionGraph(limit: 1) { rows }', 10)).data.documents.items).toHaveLength(10);
  expect((await asked('versionGraph(limit: 1) { rows }', 11)).errors[0].extensions).toMatchObject({
    limit: 'versionGraphs',
    allowed: 10,
  });
});

test('the jobs of many versions are one query, and their logs are limited before they are read', async () => {
  const documentId = await newDocument();
  const [{ id: workspace }] = (await pdm.viewer.get(`/documents/${documentId}`)).body.workspaces;
  for (let n = 0; n < 3; n++) await pdm.editor.post(`/workspaces/${workspace}/versions`, {});
  const ids: string[] = (await pdm.viewer.get(`/documents/${documentId}`)).body.versions.map(
    ({ id }: { id: string }) => id,
  );
  const places = ids.map((versionId) => ({ documentId, versionId }));
  const queued = await exportJobs(pdm.services, requestAs('editor'), places, 18);

  const commands: string[] = [];
  const note = ({ command }: CommandStartedEvent) => void commands.push(JSON.stringify(command));
  pdm.services.mongo.client.on('commandStarted', note);
  const query = 'query ($id: ID!) { document(id: $id) { versions { id jobs(limit: 2) { items { id } nextCursor } } } }';
  const { versions } = (await pdm.viewer.graphql(query, { id: documentId })).body.data.document;
  pdm.services.mongo.client.off('commandStarted', note);
  expect(commands.filter((command) => command.includes('"from":"jobs"'))).toHaveLength(1);
  for (const { id, jobs } of versions) {
    const own = queued.filter((_, n) => n % 3 === ids.indexOf(id)).reverse();
    expect(jobs.items.map(({ id }: { id: string }) => id)).toEqual(own.slice(0, 2));
    const more = await pdm.viewer.get(`/versions/${id}/jobs?limit=10&cursor=${encodeURIComponent(jobs.nextCursor)}`);
    expect(more.body.items.map(({ id }: { id: string }) => id)).toEqual(own.slice(2));
  }

  const scope = { db: pdm.services.mongo.db };
  const jobs = await scope.db.collection<JobRecord>('jobs').find({}, { comment: FOR_A_TEST }).toArray();
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
