// Bills of material: rows, sums, depth, what is outdated, files for spreadsheets, comparisons, and how often the store is asked.
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, assemblies, type Item, storeStructure } from '../support/assemblies.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
beforeAll(async () => {
  // without the sweeps, whose commands would be counted too
  pdm = await startPdm({ monitorCommands: true, settings: { PDM_ROLES: 'store,api' } });
  make = assemblies(pdm.editor);
});
afterAll(() => pdm.close());

const bom = async (versionId: string, query = '') => (await pdm.viewer.get(`/versions/${versionId}/bom${query}`)).body;
// biome-ignore lint/suspicious/noExplicitAny: rows as they come
const brief = (body: any) => body.items.map((row: any) => [row.level, row.path, row.number, row.quantity, row.totalQuantity]);
const newest = async ({ id }: Item): Promise<string> => (await pdm.viewer.get(`/documents/${id}`)).body.versions[0].id;

/** A table with 4 legs of 4 screws each, and 2 screws of its own. */
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

describe('a bill of material', () => {
  test('multiplies quantities down the path: 4 legs of 4 screws are 16', async () => {
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
    expect(brief(body)).toEqual([
      [1, '1', leg.number, 4, 4],
      [2, '1.1', pole.number, 1, 4],
      [2, '1.2', screw.number, 4, 16],
      [1, '2', screw.number, 2, 2],
    ]);
    expect(body.items[2]).toEqual({
      ...{
        level: 2,
        path: '1.2',
        findNumber: 2,
        documentId: screw.id,
        number: screw.number,
        name: 'Screw',
        kind: 'model',
        address: addressOf(screw),
      },
      resolution: { as: 'version', label: null, n: 1, versionId: await newest(screw), obsolete: false, pinned: true },
      ...{ quantity: 4, totalQuantity: 16, outdated: false, outdatedBelow: false, status: 'resolved', reason: null },
    });
    expect(brief(await bom(version, '?mode=top'))).toEqual([
      [1, '1', leg.number, 4, 4],
      [1, '2', screw.number, 2, 2],
    ]);
    expect(brief(await bom(version, '?depth=1'))).toEqual(brief(await bom(version, '?mode=top')));
    expect(brief(await bom(version, '?mode=flat'))).toEqual([
      [1, '1', screw.number, 18, 18],
      [1, '2', pole.number, 4, 4],
    ]);
  });

  test('of a version stays as it was frozen, of a draft is what it means now; what is outdated shows at every level above it', async () => {
    const { screw, pole, leg, top, version } = await table();
    await make.release(screw);
    const flags = async (id: string, query = '') =>
      // biome-ignore lint/suspicious/noExplicitAny: rows as they come
      (await bom(id, query)).items.map((row: any) => [row.path, row.resolution?.n, row.resolution?.label, row.outdated, row.outdatedBelow]);
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

  test('of a draft tells what means nothing, and why', async () => {
    const part = await make.model();
    const top = await make.draft([[part], ['pdm://documents/NOWHERE-9', 2]]);
    const { items } = await bom(top.draftId);
    expect(items).toMatchObject([
      { number: part.number, resolution: null, status: 'unresolved', reason: `Document ${part.number} has no version yet. Make one of its draft.` },
      { documentId: null, number: null, name: null, kind: null, status: 'unresolved', totalQuantity: 2, reason: 'There is no document NOWHERE-9.' },
    ]);
    expect((await bom(top.draftId, '?mode=flat')).items.map(({ address }: { address: string }) => address)).toEqual([
      addressOf(part),
      'pdm://documents/NOWHERE-9',
    ]);
    expect((await bom((await make.draft([])).draftId)).items).toEqual([]);
  });

  test('is refused for what is no assembly, a draft asked for frozen, a wrong depth, mode or format, and an unknown version', async () => {
    const part = await make.part();
    const top = await make.draft([[part]]);
    expect(await bom(part.draftId)).toMatchObject({ status: 422, code: 'wrong_kind', kind: 'model' });
    expect(await bom(top.draftId, '?resolve=frozen')).toMatchObject({ status: 422, code: 'not_a_version' });
    for (const query of ['?depth=0', '?depth=51', '?depth=x', '?mode=deep', '?format=xml', '?resolve=then', '?levels=1'])
      expect(await bom(top.draftId, query)).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await bom('ver_nothing')).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('of more than 100,000 rows or 50 levels is refused with what to ask instead; the sums are told all the same', async () => {
    const chain = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`C${i}`, i < 59 ? [[`C${i + 1}`, 1]] : []])) as Record<
      string,
      [string, number][]
    >;
    const wide = (of: string): [string, number][] => Array.from({ length: 50 }, (_, i) => [`${of}`, i + 1]);
    await storeStructure({ db: pdm.services.mongo.db }, { ...chain, W0: wide('W1'), W1: wide('W2'), W2: wide('W3'), W3: [] });
    const tooDeep = await bom('ver_C0');
    expect(tooDeep).toMatchObject({ status: 400, code: 'validation_failed', limit: 'bomDepth', allowed: 50 });
    expect(tooDeep.detail).toMatch(/depth/);
    expect((await bom('ver_C0', '?depth=50')).items).toHaveLength(50);
    expect(await bom('ver_W0')).toMatchObject({ status: 400, limit: 'bomRows', allowed: 100_000, found: 127_550 });
    expect((await bom('ver_W0', '?depth=2')).items).toHaveLength(2_550);
    expect(brief(await bom('ver_W0', '?mode=flat'))).toEqual([[1, '1', 'W3', 1275 ** 3, 1275 ** 3]]);
  });
});

test('a bill of material as CSV opens in a spreadsheet: UTF-8 with its mark, CRLF, quotes, no formula; the file has a name', async () => {
  const part = await make.part({ name: '=HYPERLINK("http://x";"Schraube, M6")', number: 'CSV-1' });
  const inner = await make.assembly([[part, 3]], { name: 'Fuß "links"', number: 'CSV-2' });
  const top = await make.assembly([[inner, 2]], { name: 'Tür/Übersicht', number: 'CSV-3' });
  const version = await newest(top);
  const answer = await pdm.viewer.get(`/versions/${version}/bom?format=csv`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''${encodeURIComponent('CSV-3 Tür-Übersicht V1 BOM.csv')}`);
  const [titles, ...lines] = answer.bytes.toString().split('\r\n');
  expect(titles).toMatch(/^\ufeffLevel,Path,Find number,Number,Name,Kind,/);
  expect(lines.map((line) => line.split(',model,')[0]?.split(',assembly,')[0])).toEqual([
    '1,1,1,CSV-2,"Fuß ""links"""',
    `2,1 > 1,1,CSV-1,"'=HYPERLINK(""http://x"";""Schraube, M6"")"`,
    '',
  ]);
  expect(lines[1]).toContain(',3,6,false,false,false,resolved,,pdm://documents/CSV-1,');
  expect((await pdm.viewer.get(`/versions/${version}/bom?format=csv`, { 'if-none-match': answer.headers.get('etag') ?? '' })).status).toBe(304);
});

// what a read asks the store for, command by command
async function asked(read: () => Promise<{ status: number }>): Promise<string[]> {
  const commands: string[] = [];
  const note = ({ commandName, command }: CommandStartedEvent) => void commands.push(`${commandName} ${command[commandName]}`);
  pdm.services.mongo.client.on('commandStarted', note);
  expect((await read()).status).toBe(200);
  pdm.services.mongo.client.off('commandStarted', note);
  return commands.filter((command) => !/^(hello|ping|endSessions|commitTransaction)|tokens|users|audit|jobs/.test(command)).sort();
}

// counts the commands of one process
describe.skipIf(process.env.PDM_TEST_SPLIT)('the store is asked by level and not by row', () => {
  const levels = (name: string, rows: number) => {
    const uses: Record<string, [string, number][]> = { [`${name}P`]: [] };
    for (let level = 1; level <= 4; level++)
      for (let i = 0; i < (level === 1 ? 1 : rows); i++)
        uses[`${name}${level}-${i}`] = level === 4 ? [[`${name}P`, 2]] : Array.from({ length: rows }, (_, k) => [`${name}${level + 1}-${k}`, 1]);
    return uses;
  };

  test('for rows, for nested lines of four levels, and for a comparison', async () => {
    const scope = { db: pdm.services.mongo.db };
    await storeStructure(scope, { ...levels('FEW', 3), ...levels('MANY', 8), ...levels('OTHER', 3) });
    const rows = (id: string) => () => pdm.viewer.get(`/versions/${id}/bom`);
    const forFew = await asked(rows('ver_FEW1-0'));
    expect(await asked(rows('ver_MANY1-0'))).toEqual(forFew);
    expect(forFew.length).toBe(2 + 4 + 2); // version and document, four levels, documents and revisions
    expect((await bom('ver_MANY1-0')).items).toHaveLength(8 + 8 ** 2 + 2 * 8 ** 3);
    // what is frozen is in memory from then on, what is not is read each time
    expect(await asked(rows('ver_MANY1-0'))).toEqual(forFew.filter((command) => command !== 'find references'));

    const query = `query ($id: ID!) { version(id: $id) { bomLines { number outdatedBelow version { bomLines { number version { bomLines { number quantity version { bomLines {
      number name totalOf: quantity outdated } } } } } } } } }`;
    const nested = (id: string) => () => pdm.viewer.graphql(query, { id });
    const answer = await nested('ver_FEW1-0')();
    expect(answer.body.errors).toBe(undefined);
    const [first] = answer.body.data.version.bomLines;
    expect(first.version.bomLines[0].version.bomLines[0].version.bomLines).toEqual([
      { number: 'FEWP', name: 'Name of FEWP', totalOf: 2, outdated: false },
    ]);
    // three for each level, and the levels below the first once more for what is outdated there; some meet in one
    for (const id of ['ver_FEW1-0', 'ver_MANY1-0']) expect((await asked(nested(id))).length).toBeLessThanOrEqual(1 + 3 * 4 + 5);

    const compare = (a: string, b: string) => () => pdm.viewer.get(`/versions/${a}/bom/compare?with=${b}`);
    expect((await compare('ver_FEW1-0', 'ver_OTHER1-0')()).body.changes).toHaveLength(6);
    expect((await asked(compare('ver_FEW1-0', 'ver_MANY1-0'))).length).toBe((await asked(compare('ver_FEW1-0', 'ver_OTHER1-0'))).length);
  });

  test('for the documents of a level with many before the levels below are known, for each once', async () => {
    const parts = (level: number) => Array.from({ length: 600 }, (_, i): [string, number] => [`WIDE${level}-${i}`, 1]);
    const own = Object.fromEntries([...parts(1), ...parts(2)].map(([name]) => [name, []]));
    await storeStructure({ db: pdm.services.mongo.db }, { WIDE: [['WIDE2', 1], ...parts(1)], WIDE2: [['WIDE1-7', 1], ...parts(2)], ...own });
    const commands = await asked(() => pdm.viewer.get('/versions/ver_WIDE/bom'));
    expect(Object.fromEntries([...Map.groupBy(commands, String)].map(([command, all]) => [command, all.length]))).toEqual({
      ...{ 'find versions': 1, 'find documents': 1 + 2 },
      ...{ 'find references': 2, 'find revisions': 2 },
    });
    const { items } = await bom('ver_WIDE');
    expect(items).toHaveLength(1 + 601 + 600);
    expect(items.every((row: { name: string; number: string }) => row.name === `Name of ${row.number}`)).toBe(true);
  });
});

test('lines that nest beyond 20,000 in one operation are refused', async () => {
  const wide = (of: string): [string, number][] => Array.from({ length: 30 }, () => [of, 1]);
  await storeStructure({ db: pdm.services.mongo.db }, { N0: wide('N1'), N1: wide('N2'), N2: wide('N3'), N3: [] });
  const nested = (depth: number): string => (depth ? `bomLines { version { ${nested(depth - 1)} } }` : 'id');
  const ask = (depth: number) => pdm.viewer.graphql(`{ version(id: "ver_N0") { ${nested(depth)} } }`);
  expect((await ask(2)).body.errors).toBe(undefined);
  expect((await ask(3)).body.errors[0].extensions).toMatchObject({ code: 'validation_failed', limit: 'bomLines', allowed: 20_000 });
});

test('GraphQL answers flat rows with links to documents and versions, and the same refusals', async () => {
  const { top, screw, version } = await table();
  const query = `query ($id: ID!) { bom(versionId: $id, mode: flat) { mode resolve document { name } version { n } items {
    number totalQuantity document { name thumbnailUrl } version { n releasedAs { label } thumbnailUrl } } } }`;
  const { data } = (await pdm.viewer.graphql(query, { id: version })).body;
  expect(data.bom).toMatchObject({ mode: 'flat', resolve: 'frozen', document: { name: 'Table' }, version: { n: 1 } });
  expect(data.bom.items[0]).toEqual({
    ...{ number: screw.number, totalQuantity: 18, document: { name: 'Screw', thumbnailUrl: null } },
    version: { n: 1, releasedAs: null, thumbnailUrl: null },
  });
  const lines = '{ bomLines(resolve: now) { quantity status version { bomLines { number } } } }';
  const nested = await pdm.viewer.graphql(`query ($id: ID!) { version(id: $id) ${lines} }`, { id: top.draftId });
  expect(nested.body.data.version.bomLines.map((line: { quantity: number }) => line.quantity)).toEqual([4, 2]);
  const { errors } = (await pdm.viewer.graphql(query, { id: screw.draftId })).body;
  expect(errors[0].extensions).toMatchObject({ code: 'wrong_kind' });
});

describe('two bills of material are compared', () => {
  test('what was added, removed, changed, and what changed inside, one level deeper; a revision stands for its version', async () => {
    const { screw, pole, leg, top, version: from } = await table();
    const plate = await make.part({ name: 'Plate' });
    const { versionId: released } = await make.release(screw);
    await make.use(leg, [[pole], [screw, 6]]);
    await make.version(leg);
    await make.use(top, [[leg, 4], [plate]]);
    const to = await make.release(top);
    const answer = await pdm.viewer.get(`/versions/${from}/bom/compare?with=${to.id}`);
    expect(answer.status).toBe(200);
    const { body } = answer;
    expect(body).toMatchObject({ from: { versionId: from, n: 1, resolve: 'frozen' }, to: { versionId: to.versionId, n: 2 } });
    expect(body.changes).toMatchObject([
      {
        ...{ change: 'indirect', differs: ['version'], insideChanged: true, level: 1 },
        from: { path: '1', number: leg.number, resolution: { n: 1 } },
        to: { path: '1', number: leg.number, resolution: { n: 2 } },
      },
      {
        ...{ change: 'changed', differs: ['quantity', 'version'], insideChanged: false, level: 2 },
        from: { path: '1.2', quantity: 4, totalQuantity: 16 },
        to: { path: '1.2', quantity: 6, totalQuantity: 24, resolution: { versionId: released } },
      },
      { change: 'added', differs: [], level: 1, from: null, to: { path: '2', number: plate.number } },
      { change: 'removed', differs: [], level: 1, from: { path: '2', number: screw.number }, to: null },
    ]);
    expect((await pdm.viewer.get(`/versions/${top.draftId}/bom/compare?with=${to.versionId}`)).body.changes).toEqual([]);
    const query =
      'query ($id: ID!, $with: ID!) { compareBoms(id: $id, with: $with) { to { version { n } } changes { change to { document { name } } } } }';
    const { data } = (await pdm.viewer.graphql(query, { id: from, with: to.versionId })).body;
    expect(data.compareBoms.changes[0]).toEqual({ change: 'indirect', to: { document: { name: 'Leg' } } });
    expect((await pdm.viewer.get(`/versions/${from}/bom/compare?with=${screw.draftId}`)).body).toMatchObject({ status: 422, code: 'wrong_kind' });
    expect((await pdm.viewer.get(`/versions/${from}/bom/compare?with=rev_nothing`)).body).toMatchObject({ status: 404, code: 'not_found' });
  });
});
