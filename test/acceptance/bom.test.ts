// Bills of materials: rows, totals, depth, outdated references, CSV files and comparisons.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, assemblies, type Item, storeStructure } from '../support/assemblies.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
beforeAll(async () => {
  pdm = await startPdm();
  make = assemblies(pdm.editor);
});
afterAll(() => pdm.close());

const bom = async (versionId: string, query = '') => (await pdm.viewer.get(`/versions/${versionId}/bom${query}`)).body;
const summarize = (body: { items: Record<string, unknown>[] }) =>
  body.items.map((row) => [row.level, row.path, row.number, row.quantity, row.totalQuantity]);
const newest = async ({ id }: Item): Promise<string> => (await pdm.viewer.get(`/documents/${id}`)).body.versions[0].id;

/** Creates a table with 4 legs of 4 screws each, and 2 screws of its own. */
async function table() {
  const screw = await make.part({ name: 'Screw' });
  const pole = await make.part({ name: 'Pole' });
  const leg = await make.assembly([[pole], [screw, 4]], { name: 'Leg' });
  const top = await make.assembly(
    [
      [leg, 4],
      [screw, 2],
    ],
    { name: 'Table' },
  );
  return { screw, pole, leg, top, version: await newest(top) };
}

describe('a bill of materials', () => {
  test('multiplies quantities along the path', async () => {
    const { screw, pole, leg, top, version } = await table();
    const body = await bom(version);
    expect(body).toMatchObject({
      documentId: top.id,
      number: top.number,
      name: 'Table',
      versionId: version,
      n: 1,
      mode: 'indented',
      resolve: 'frozen',
    });
    expect(body.nextCursor).toBe(null);
    expect(summarize(body)).toEqual([
      [1, '1', leg.number, 4, 4],
      [2, '1.1', pole.number, 1, 4],
      [2, '1.2', screw.number, 4, 16],
      [1, '2', screw.number, 2, 2],
    ]);
    expect(body.items[2]).toEqual({
      level: 2,
      path: '1.2',
      findNumber: 2,
      documentId: screw.id,
      number: screw.number,
      name: 'Screw',
      kind: 'model',
      address: addressOf(screw),
      resolution: { as: 'version', label: null, n: 1, versionId: await newest(screw), obsolete: false, pinned: true },
      quantity: 4,
      totalQuantity: 16,
      outdated: false,
      outdatedBelow: false,
      status: 'resolved',
      reason: null,
    });
    expect(summarize(await bom(version, '?mode=top'))).toEqual([
      [1, '1', leg.number, 4, 4],
      [1, '2', screw.number, 2, 2],
    ]);
    expect(summarize(await bom(version, '?depth=1'))).toEqual(summarize(await bom(version, '?mode=top')));
    expect(summarize(await bom(version, '?mode=flat'))).toEqual([
      [1, '1', screw.number, 18, 18],
      [1, '2', pole.number, 4, 4],
    ]);
  });

  test('freezes the rows of a version, resolves those of a draft now, and flags outdated references at every level above', async () => {
    const { screw, pole, leg, top, version } = await table();
    await make.release(screw);
    const flags = async (id: string, query = '') =>
      // biome-ignore lint/suspicious/noExplicitAny: rows of a response
      (await bom(id, query)).items.map((row: any) => [
        row.path,
        row.resolution?.n,
        row.resolution?.label,
        row.outdated,
        row.outdatedBelow,
      ]);
    expect(await flags(version)).toEqual([
      ['1', 1, null, false, true],
      ['1.1', 1, null, false, false],
      ['1.2', 1, null, true, false],
      ['2', 1, null, true, false],
    ]);
    expect(await flags(version, '?depth=1')).toEqual([
      ['1', 1, null, false, true],
      ['2', 1, null, true, false],
    ]);
    expect(await flags(version, '?resolve=now')).toEqual(await flags(top.draftId));
    expect(await flags(top.draftId)).toEqual([
      ['1', 1, null, false, true],
      ['1.1', 1, null, false, false],
      ['1.2', 1, null, true, false],
      ['2', 2, 'A', false, false],
    ]);
    await make.version(leg);
    expect(await flags(top.draftId)).toEqual([
      ['1', 2, null, false, false],
      ['1.1', 1, null, false, false],
      ['1.2', 2, 'A', false, false],
      ['2', 2, 'A', false, false],
    ]);
    const { id: revision } = await make.release(pole);
    await pdm.editor.post(`/revisions/${revision}/obsolete`);
    await make.use(top, [[addressOf(pole, '@A')], [leg]]);
    const { items } = await bom(top.draftId);
    expect(items[0]).toMatchObject({ outdated: false, resolution: { label: 'A', obsolete: true, pinned: true } });
    expect(items[2]).toMatchObject({ path: '2.1', outdated: true, resolution: { n: 1 } });
  });

  test('lists unresolved references of a draft, with the reason', async () => {
    const part = await make.model();
    const top = await make.draft([[part], ['pdm://documents/NOWHERE-9', 2]]);
    const { items } = await bom(top.draftId);
    expect(items).toMatchObject([
      {
        number: part.number,
        resolution: null,
        status: 'unresolved',
        reason: `Document ${part.number} has no version. Create one from its draft.`,
      },
      {
        documentId: null,
        number: null,
        name: null,
        kind: null,
        status: 'unresolved',
        totalQuantity: 2,
        reason: 'There is no document NOWHERE-9.',
      },
    ]);
    expect((await bom(top.draftId, '?mode=flat')).items.map(({ address }: { address: string }) => address)).toEqual([
      addressOf(part),
      'pdm://documents/NOWHERE-9',
    ]);
    expect((await bom((await make.draft([])).draftId)).items).toEqual([]);
  });

  test('rejects a BOM of other kinds, of a frozen draft, with invalid parameters, and of an unknown version', async () => {
    const part = await make.part();
    const top = await make.draft([[part]]);
    expect(await bom(part.draftId)).toMatchObject({ status: 422, code: 'wrong_kind', kind: 'model' });
    expect(await bom(top.draftId, '?resolve=frozen')).toMatchObject({ status: 422, code: 'not_a_version' });
    for (const query of [
      '?depth=0',
      '?depth=51',
      '?depth=x',
      '?mode=deep',
      '?format=xml',
      '?resolve=then',
      '?levels=1',
    ])
      expect(await bom(top.draftId, query)).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await bom('ver_nothing')).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('rejects a BOM beyond 100,000 rows or 50 levels, except for the flat totals', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`C${i}`, i < 59 ? [[`C${i + 1}`, 1]] : []]),
    ) as Record<string, [string, number][]>;
    const wide = (of: string): [string, number][] => Array.from({ length: 50 }, (_, i) => [`${of}`, i + 1]);
    await storeStructure(
      { db: pdm.services.mongo.db },
      { ...chain, W0: wide('W1'), W1: wide('W2'), W2: wide('W3'), W3: [] },
    );
    const tooDeep = await bom('ver_C0');
    expect(tooDeep).toMatchObject({ status: 400, code: 'validation_failed', limit: 'bomDepth', allowed: 50 });
    expect(tooDeep.detail).toMatch(/depth/);
    expect((await bom('ver_C0', '?depth=50')).items).toHaveLength(50);
    expect(await bom('ver_W0')).toMatchObject({ status: 400, limit: 'bomRows', allowed: 100_000, found: 127_550 });
    expect((await bom('ver_W0', '?depth=2')).items).toHaveLength(2_550);
    expect(summarize(await bom('ver_W0', '?mode=flat'))).toEqual([[1, '1', 'W3', 1275 ** 3, 1275 ** 3]]);
  });
});

test('returns a bill of materials as CSV with a BOM, CRLF and quoted fields, without formulas', async () => {
  const part = await make.part({ name: '=HYPERLINK("http://x";"Schraube, M6")', number: 'CSV-1' });
  const inner = await make.assembly([[part, 3]], { name: 'Fuß "links"', number: 'CSV-2' });
  const top = await make.assembly([[inner, 2]], { name: 'Tür/Übersicht', number: 'CSV-3' });
  const version = await newest(top);
  const response = await pdm.viewer.get(`/versions/${version}/bom?format=csv`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(response.headers.get('content-disposition')).toContain(
    `filename*=UTF-8''${encodeURIComponent('CSV-3 Tür-Übersicht V1 BOM.csv')}`,
  );
  const [titles, ...lines] = response.bytes.toString().split('\r\n');
  expect(titles).toMatch(/^\ufeffLevel,Path,Find number,Number,Name,Kind,/);
  expect(lines.map((line) => line.split(',model,')[0]?.split(',assembly,')[0])).toEqual([
    '1,1,1,CSV-2,"Fuß ""links"""',
    `2,1 > 1,1,CSV-1,"'=HYPERLINK(""http://x"";""Schraube, M6"")"`,
    '',
  ]);
  expect(lines[1]).toContain(',3,6,false,false,false,resolved,,pdm://documents/CSV-1,');
  expect(
    (
      await pdm.viewer.get(`/versions/${version}/bom?format=csv`, {
        'if-none-match': response.headers.get('etag') ?? '',
      })
    ).status,
  ).toBe(304);
});

test('returns flat rows with documents and versions in GraphQL, and the same errors', async () => {
  const { top, screw, version } = await table();
  const query = `query ($id: ID!) { bom(versionId: $id, mode: flat) { mode resolve document { name } version { n } items {
    number totalQuantity document { name thumbnailUrl } version { n releasedAs { label } thumbnailUrl } } } }`;
  const { data } = (await pdm.viewer.graphql(query, { id: version })).body;
  expect(data.bom).toMatchObject({ mode: 'flat', resolve: 'frozen', document: { name: 'Table' }, version: { n: 1 } });
  expect(data.bom.items[0]).toEqual({
    number: screw.number,
    totalQuantity: 18,
    document: { name: 'Screw', thumbnailUrl: null },
    version: { n: 1, releasedAs: null, thumbnailUrl: null },
  });
  const lines = '{ bomLines(resolve: now) { quantity status version { bomLines { number } } } }';
  const nested = await pdm.viewer.graphql(`query ($id: ID!) { version(id: $id) ${lines} }`, { id: top.draftId });
  expect(nested.body.data.version.bomLines.map((line: { quantity: number }) => line.quantity)).toEqual([4, 2]);
  const { errors } = (await pdm.viewer.graphql(query, { id: screw.draftId })).body;
  expect(errors[0].extensions).toMatchObject({ code: 'wrong_kind' });
});

describe('the comparison of two bills of materials', () => {
  test('lists added, removed, changed and indirectly changed rows, and accepts a revision as a version', async () => {
    const { screw, pole, leg, top, version: from } = await table();
    const plate = await make.part({ name: 'Plate' });
    const { versionId: released } = await make.release(screw);
    await make.use(leg, [[pole], [screw, 6]]);
    await make.version(leg);
    await make.use(top, [[leg, 4], [plate]]);
    const to = await make.release(top);
    const response = await pdm.viewer.get(`/versions/${from}/bom/compare?with=${to.id}`);
    expect(response.status).toBe(200);
    const { body } = response;
    expect(body).toMatchObject({
      from: { versionId: from, n: 1, resolve: 'frozen' },
      to: { versionId: to.versionId, n: 2 },
    });
    expect(body.changes).toMatchObject([
      {
        change: 'indirect',
        differences: ['version'],
        contentChanged: true,
        level: 1,
        from: { path: '1', number: leg.number, resolution: { n: 1 } },
        to: { path: '1', number: leg.number, resolution: { n: 2 } },
      },
      {
        change: 'changed',
        differences: ['quantity', 'version'],
        contentChanged: false,
        level: 2,
        from: { path: '1.2', quantity: 4, totalQuantity: 16 },
        to: { path: '1.2', quantity: 6, totalQuantity: 24, resolution: { versionId: released } },
      },
      { change: 'added', differences: [], level: 1, from: null, to: { path: '2', number: plate.number } },
      { change: 'removed', differences: [], level: 1, from: { path: '2', number: screw.number }, to: null },
    ]);
    expect((await pdm.viewer.get(`/versions/${top.draftId}/bom/compare?with=${to.versionId}`)).body.changes).toEqual(
      [],
    );
    const query =
      'query ($id: ID!, $with: ID!) { compareBoms(id: $id, with: $with) { to { version { n } } changes { change to { document { name } } } } }';
    const { data } = (await pdm.viewer.graphql(query, { id: from, with: to.versionId })).body;
    expect(data.compareBoms.changes[0]).toEqual({ change: 'indirect', to: { document: { name: 'Leg' } } });
    expect((await pdm.viewer.get(`/versions/${from}/bom/compare?with=${screw.draftId}`)).body).toMatchObject({
      status: 422,
      code: 'wrong_kind',
    });
    expect((await pdm.viewer.get(`/versions/${from}/bom/compare?with=rev_nothing`)).body).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});
