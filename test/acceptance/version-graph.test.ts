import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  // without the sweeper, whose commands would be counted too
  pdm = await startPdm({ monitorCommands: true, settings: { PDM_ROLES: 'store,api' } });
});
afterAll(() => pdm.close());

type End = { versionId: string; row: number; lane: number };
type Edge = { kind: string; child: End; parent: End };
type Node = { id: string; row: number; lane: number; type: string; n: number | null; thumbnailUrl: string | null };
type Graph = {
  rows: number;
  lanes: { lane: number; id: string; name: string }[];
  nodes: Node[];
  edges: Edge[];
  nextCursor: string | null;
};

async function model() {
  const { id, workspaces } = (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' })).body;
  return { id: id as string, main: workspaces[0] as { id: string; draftId: string } };
}
const make = async (workspaceId: string) => (await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {})).body;
const fork = async (id: string, name: string, fromVersionId: string) =>
  (await pdm.editor.post(`/documents/${id}/workspaces`, { name, fromVersionId })).body;
const graphOf = async (id: string, query = ''): Promise<Graph> => {
  const { status, body } = await pdm.viewer.get(`/documents/${id}/version-graph${query}`);
  expect(status).toBe(200);
  return body;
};
const lines = ({ edges }: Graph) =>
  edges.map(({ kind, child, parent }) => `${kind} ${child.row},${child.lane} > ${parent.row},${parent.lane}`);

test('draws a new document as one draft in lane 0', async () => {
  const { id, main } = await model();
  expect(await graphOf(id)).toEqual({
    rows: 1,
    lanes: [expect.objectContaining({ lane: 0, id: main.id, name: 'main', archived: false })],
    nodes: [
      expect.objectContaining({
        id: main.draftId,
        row: 0,
        lane: 0,
        type: 'draft',
        n: null,
        newestJob: null,
        thumbnailUrl: null,
      }),
    ],
    edges: [],
    nextCursor: null,
  });
});

test('draws versions, forks, a take-over, a release and a reservation', async () => {
  const { id, main } = await model();
  const v1 = await make(main.id);
  const early = await fork(id, 'early', v1.id);
  const v2 = await make(main.id);
  const late = await fork(id, 'late', v2.id);
  const v3 = await make(late.id);
  await pdm.editor.post(`/workspaces/${main.id}/take-over`, { versionId: v3.id, force: true });
  const v4 = await make(main.id);
  const revision = (await pdm.editor.post(`/versions/${v4.id}/release`, {})).body;
  await pdm.editor.post(`/revisions/${revision.id}/obsolete`);
  await pdm.editor.post(`/workspaces/${late.id}/archive`);
  await pdm.editor.post(`/workspaces/${early.id}/checkout`, { note: 'mine' });

  const graph = await graphOf(id);
  // later branches are nearer: the fork of V1 passes under the lane of late, which starts above it
  expect(graph.lanes).toMatchObject([
    { lane: 0, name: 'main', archived: false },
    { lane: 1, name: 'late', archived: true, fromVersionId: v2.id },
    { lane: 2, name: 'early', archived: false, fromVersionId: v1.id },
  ]);
  expect(graph.nodes).toMatchObject([
    { row: 6, lane: 0, type: 'draft', id: main.draftId, workspace: { id: main.id, name: 'main' }, reservation: null },
    { row: 5, lane: 1, type: 'draft', id: late.draftId },
    { row: 4, lane: 2, type: 'draft', id: early.draftId, reservation: { by: { name: 'Ed Editor' }, note: 'mine' } },
    {
      row: 3,
      lane: 0,
      type: 'version',
      n: 4,
      name: 'V4',
      releasedAs: { revisionId: revision.id, label: 'A', obsolete: true },
    },
    { row: 2, lane: 1, n: 3, id: v3.id, createdBy: { name: 'Ed Editor' } },
    { row: 1, lane: 0, n: 2, id: v2.id, releasedAs: null },
    { row: 0, lane: 0, n: 1, id: v1.id },
  ]);
  expect(lines(graph).sort()).toEqual(
    [
      'continues 6,0 > 3,0',
      'continues 5,1 > 2,1',
      'fork 4,2 > 0,0',
      'take_over 3,0 > 2,1',
      'continues 3,0 > 1,0',
      'fork 2,1 > 1,0',
      'continues 1,0 > 0,0',
    ].sort(),
  );
});

test('draws a restore until it is undone, and in the version created from it on pages of any size', async () => {
  const { id, main } = await model();
  const v1 = await make(main.id);
  await make(main.id);
  const v3 = await make(main.id);
  const linesInRow = async (row: number) => lines(await graphOf(id, `?fromRow=${row}&limit=1`));
  const { auditId } = (await pdm.editor.post(`/workspaces/${main.id}/restore`, { versionId: v1.id })).body;
  expect(lines(await graphOf(id))).toEqual([
    'continues 3,0 > 2,0',
    'restore 3,0 > 0,0',
    'continues 2,0 > 1,0',
    'continues 1,0 > 0,0',
  ]);
  expect(await linesInRow(1)).toContain('restore 3,0 > 0,0');
  const undone = (await pdm.editor.post(`/workspaces/${main.id}/undo`, { auditId })).body;
  expect(lines(await graphOf(id))).not.toContain('restore 3,0 > 0,0');

  await pdm.editor.post(`/workspaces/${main.id}/undo`, { auditId: undone.auditId });
  const v4 = await make(main.id);
  expect((await graphOf(id)).nodes[1]).toMatchObject({
    id: v4.id,
    parents: [v3.id, v1.id],
    restoredFromVersionId: v1.id,
  });
  for (const row of [0, 1, 2, 3]) expect(await linesInRow(row)).toContain('restore 3,0 > 0,0');
  expect(await linesInRow(4)).toEqual(['continues 4,0 > 3,0']);
  const page = await graphOf(id, '?limit=2');
  expect(lines(page)).toContain('restore 3,0 > 0,0');
  const middle = await graphOf(id, `?limit=2&cursor=${page.nextCursor}`);
  expect(lines(middle).filter((line) => line.startsWith('restore'))).toEqual([]);
  expect(lines(await graphOf(id, `?limit=2&cursor=${middle.nextCursor}`))).toContain('restore 3,0 > 0,0');
});

test('returns the newest job of a node and the address of its thumbnail', async () => {
  const { id, main } = await model();
  await pdm.editor.upload(main.draftId, 'source', 'x', { fileName: 'part.stp' });
  await pdm.editor.upload(main.draftId, 'thumbnail', 'a picture', { fileName: 'picture.png' });
  await make(main.id);
  const [draft, version] = (await graphOf(id)).nodes;
  expect(draft).toMatchObject({ newestJob: { type: 'convert', status: 'waiting', error: null } });
  expect(version).toMatchObject({
    newestJob: null,
    thumbnailUrl: `/api/v1/versions/${version?.id}/artifacts/thumbnail/file`,
  });
  expect((await pdm.viewer.get(version!.thumbnailUrl!.replace('/api/v1', ''))).bytes.toString()).toBe('a picture');
});

test('returns pages of any size as windows of the same drawing, with the edges that leave them', async () => {
  const { id, main } = await model();
  const first = await make(main.id);
  const side = await fork(id, 'side', first.id);
  for (let i = 0; i < 4; i++) {
    await make(main.id);
    await make(side.id);
  }
  const whole = await graphOf(id);
  expect(whole.nodes).toHaveLength(11);
  expect(whole.nextCursor).toBeNull();
  for (const limit of [1, 2, 5, 11]) {
    const nodes: Node[] = [];
    const edges = new Map<string, Edge>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Graph = await graphOf(id, `?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      expect(page).toMatchObject({ rows: whole.rows, lanes: whole.lanes });
      const inside = new Set(page.nodes.map((node) => node.id));
      expect(page.edges).toEqual(
        whole.edges.filter(({ child, parent }) => inside.has(child.versionId) || inside.has(parent.versionId)),
      );
      nodes.push(...page.nodes);
      for (const edge of page.edges) edges.set(`${edge.child.versionId} ${edge.parent.versionId}`, edge);
      cursor = page.nextCursor;
    }
    expect(nodes).toEqual(whole.nodes);
    expect(edges.size).toBe(whole.edges.length);
  }
});

test('returns windows from any row of the same drawing, with passing edges and without a next page', async () => {
  const { id, main } = await model();
  const first = await make(main.id);
  const side = await fork(id, 'side', first.id);
  for (let i = 0; i < 5; i++) await make(main.id);
  const last = await make(side.id);
  const whole = await graphOf(id);
  expect(whole.rows).toBe(9);
  for (const [fromRow, limit] of [
    [8, 9],
    [8, 3],
    [7, 1],
    [5, 2],
    [4, 3],
    [2, 100],
    [0, 1],
    [99, 2],
  ] as const) {
    const top = Math.min(fromRow, 8);
    const window = await graphOf(id, `?fromRow=${fromRow}&limit=${limit}`);
    expect(window).toMatchObject({ rows: whole.rows, lanes: whole.lanes });
    expect(window.nodes).toEqual(whole.nodes.filter(({ row }) => row <= top && row > top - limit));
    expect(window.edges).toEqual(
      whole.edges.filter(({ child, parent }) => child.row > top - limit && parent.row <= top),
    );
  }
  expect(lines(await graphOf(id, '?fromRow=4&limit=1'))).toContain('fork 6,1 > 0,0');

  const middle = await graphOf(id, '?fromRow=5&limit=2');
  expect((await graphOf(id, `?limit=2&cursor=${middle.nextCursor}`)).nodes).toEqual(
    whole.nodes.filter(({ row }) => row === 3 || row === 2),
  );
  await pdm.editor.post(`/workspaces/${main.id}/take-over`, { versionId: last.id, force: true });
  await make(main.id);
  // cached rows are reused and new ones are read: the line from the new version passes the row of the one before last
  expect(lines(await graphOf(id, '?fromRow=6&limit=1'))).toEqual([
    'continues 8,1 > 6,1',
    'take_over 7,0 > 6,1',
    'continues 7,0 > 5,0',
    'fork 6,1 > 0,0',
  ]);
});

test('keeps drawn rows in place when versions are created between two pages', async () => {
  const { id, main } = await model();
  for (let i = 0; i < 6; i++) await make(main.id);
  const top = await graphOf(id, '?limit=3');
  await make(main.id);
  const below = await graphOf(id, `?limit=3&cursor=${top.nextCursor}`);
  expect([...top.nodes, ...below.nodes].map(({ row, n }) => [row, n])).toEqual([
    [6, null],
    [5, 6],
    [4, 5],
    [3, 4],
    [2, 3],
    [1, 2],
  ]);
});

test('rejects an invalid page size, a cursor of another list and an unknown document', async () => {
  const [one, other] = [await model(), await model()];
  for (const limit of [0, 1001])
    expect(await pdm.viewer.get(`/documents/${one.id}/version-graph?limit=${limit}`)).toMatchObject({ status: 400 });
  for (const fromRow of [-1, 1.5, 'top'])
    expect(await pdm.viewer.get(`/documents/${one.id}/version-graph?fromRow=${fromRow}`)).toMatchObject({
      status: 400,
    });
  await make(other.main.id);
  const { nextCursor } = await graphOf(other.id, '?limit=1');
  expect(await pdm.viewer.get(`/documents/${other.id}/version-graph?fromRow=0&cursor=${nextCursor}`)).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: [{ path: '/fromRow' }] },
  });
  const refused = await pdm.viewer.get(`/documents/${one.id}/version-graph?cursor=${nextCursor}`);
  expect(refused).toMatchObject({ status: 400, body: { code: 'bad_cursor' } });
  expect((await pdm.viewer.get('/documents/NO-1/version-graph')).status).toBe(404);
  expect((await pdm.anonymous.get(`/documents/${one.id}/version-graph`)).status).toBe(401);
});

test('treats a null cursor or first row in GraphQL as omitted, also beside the other one', async () => {
  const { id, main } = await model();
  await make(main.id);
  const rows = async (place: string): Promise<number[]> => {
    const { body } = await pdm.viewer.graphql(
      `query ($id: ID!) { document(id: $id) { versionGraph(limit: 1, ${place}) { nodes { row } } } }`,
      {
        id,
      },
    );
    return body.data.document.versionGraph.nodes.map(({ row }: { row: number }) => row);
  };
  const { nextCursor } = await graphOf(id, '?limit=1');
  expect(await rows('cursor: null, fromRow: null')).toEqual([1]);
  expect(await rows('cursor: null, fromRow: 0')).toEqual([0]);
  expect(await rows(`cursor: "${nextCursor}", fromRow: null`)).toEqual([0]);
});

test('reads a graph of 60 versions with as many store queries as one of 3, in REST and GraphQL', async () => {
  const count = async (id: string, query: string): Promise<number> => {
    const commands: string[] = [];
    const note = ({ commandName, command }: CommandStartedEvent) =>
      void commands.push(`${commandName} ${command[commandName]}`);
    pdm.services.mongo.client.on('commandStarted', note);
    await graphOf(id, query);
    pdm.services.mongo.client.off('commandStarted', note);
    return commands.filter((command) =>
      /documents|workspaces|versions|revisions|jobs|artifacts|Transaction/.test(command),
    ).length;
  };
  // the minimum of three: a sweep or a sealing can run in between
  const countQueries = async (id: string, query = ''): Promise<number> =>
    Math.min(await count(id, query), await count(id, query), await count(id, query));
  const [few, many] = [await model(), await model()];
  for (let i = 0; i < 3; i++) await make(few.main.id);
  for (let i = 0; i < 60; i++) await make(many.main.id);
  const expected = await countQueries(few.id);
  expect(expected).toBeLessThanOrEqual(13);
  expect(await countQueries(many.id)).toBe(expected);
  expect(await countQueries(many.id, '?fromRow=30&limit=5')).toBeLessThanOrEqual(expected); // parents are cached
  const query =
    'query ($id: ID!) { document(id: $id) { versionGraph(limit: 5) { rows nodes { row lane version { n newestJob { status } } } } } }';
  const { body } = await pdm.viewer.graphql(query, { id: many.id });
  expect(body).toMatchObject({
    data: { document: { versionGraph: { rows: 61, nodes: [{ row: 60, lane: 0 }, {}, {}, {}, {}] } } },
  });
});
