// Reads of the store for a bill of materials, and the limit on nested lines in one operation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeStructure } from '../support/assemblies.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { storeCommands } from '../support/store-commands.ts';

const singleProcess = needs('single process');

let pdm: Pdm;
beforeAll(async () => {
  // Runs without the sweeps, whose commands would be counted too.
  pdm = await startPdm({ monitorCommands: true, settings: { PDM_ROLES: 'store,api' } });
});
afterAll(() => pdm.close());

const bom = async (versionId: string, query = '') => (await pdm.viewer.get(`/versions/${versionId}/bom${query}`)).body;

const commandsOf = storeCommands(() => pdm, 'jobs');

// Counts the commands of a single process.
describe.skipIf(singleProcess.isMissing)(singleProcess.title('a bill of materials'), () => {
  const levels = (name: string, rows: number) => {
    const uses: Record<string, [string, number][]> = { [`${name}P`]: [] };
    for (let level = 1; level <= 4; level++)
      for (let i = 0; i < (level === 1 ? 1 : rows); i++)
        uses[`${name}${level}-${i}`] =
          level === 4 ? [[`${name}P`, 2]] : Array.from({ length: rows }, (_, k) => [`${name}${level + 1}-${k}`, 1]);
    return uses;
  };

  test('reads the store once per level for rows, nested lines and a comparison', async () => {
    const scope = { db: pdm.services.mongo.db };
    await storeStructure(scope, { ...levels('FEW', 3), ...levels('MANY', 8), ...levels('OTHER', 3) });
    const rows = (id: string) => () => pdm.viewer.get(`/versions/${id}/bom`);
    const forSmall = await commandsOf(rows('ver_FEW1-0'));
    expect(await commandsOf(rows('ver_MANY1-0'))).toEqual(forSmall);
    expect(forSmall.length).toBe(2 + 4 + 2); // version and document, four levels, documents and revisions
    expect((await bom('ver_MANY1-0')).items).toHaveLength(8 + 8 ** 2 + 2 * 8 ** 3);
    // Frozen references are cached by now; everything else is read again.
    expect(await commandsOf(rows('ver_MANY1-0'))).toEqual(forSmall.filter((command) => command !== 'find references'));

    const query = `query ($id: ID!) { version(id: $id) { bomLines { number outdatedBelow version { bomLines { number version { bomLines { number quantity version { bomLines {
      number name totalOf: quantity outdated } } } } } } } } }`;
    const nested = (id: string) => () => pdm.viewer.graphql(query, { id });
    const response = await nested('ver_FEW1-0')();
    expect(response.body.errors).toBe(undefined);
    const [first] = response.body.data.version.bomLines;
    expect(first.version.bomLines[0].version.bomLines[0].version.bomLines).toEqual([
      { number: 'FEWP', name: 'Name of FEWP', totalOf: 2, outdated: false },
    ]);
    // Three commands per level, and the levels below the first once more for `outdated`; some are combined.
    for (const id of ['ver_FEW1-0', 'ver_MANY1-0'])
      expect((await commandsOf(nested(id))).length).toBeLessThanOrEqual(1 + 3 * 4 + 5);

    const compare = (a: string, b: string) => () => pdm.viewer.get(`/versions/${a}/bom/compare?with=${b}`);
    expect((await compare('ver_FEW1-0', 'ver_OTHER1-0')()).body.changes).toHaveLength(6);
    expect((await commandsOf(compare('ver_FEW1-0', 'ver_MANY1-0'))).length).toBe(
      (await commandsOf(compare('ver_FEW1-0', 'ver_OTHER1-0'))).length,
    );
  });

  test('reads the documents of a wide level once, before the levels below are known', async () => {
    const parts = (level: number) => Array.from({ length: 600 }, (_, i): [string, number] => [`WIDE${level}-${i}`, 1]);
    const own = Object.fromEntries([...parts(1), ...parts(2)].map(([name]) => [name, []]));
    await storeStructure(
      { db: pdm.services.mongo.db },
      { WIDE: [['WIDE2', 1], ...parts(1)], WIDE2: [['WIDE1-7', 1], ...parts(2)], ...own },
    );
    const commands = await commandsOf(() => pdm.viewer.get('/versions/ver_WIDE/bom'));
    expect(
      Object.fromEntries([...Map.groupBy(commands, String)].map(([command, all]) => [command, all.length])),
    ).toEqual({ 'find versions': 1, 'find documents': 1 + 2, 'find references': 2, 'find revisions': 2 });
    const { items } = await bom('ver_WIDE');
    expect(items).toHaveLength(1 + 601 + 600);
    expect(items.every((row: { name: string; number: string }) => row.name === `Name of ${row.number}`)).toBe(true);
  });
});

test('rejects more than 20,000 nested lines in one operation', async () => {
  const wide = (of: string): [string, number][] => Array.from({ length: 30 }, () => [of, 1]);
  await storeStructure({ db: pdm.services.mongo.db }, { N0: wide('N1'), N1: wide('N2'), N2: wide('N3'), N3: [] });
  const nested = (depth: number): string => (depth ? `bomLines { version { ${nested(depth - 1)} } }` : 'id');
  const query = (depth: number) => pdm.viewer.graphql(`{ version(id: "ver_N0") { ${nested(depth)} } }`);
  expect((await query(2)).body.errors).toBe(undefined);
  expect((await query(3)).body.errors[0].extensions).toMatchObject({
    code: 'validation_failed',
    limit: 'bomLines',
    allowed: 20_000,
  });
});
