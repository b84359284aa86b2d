// Who uses a document: directly and on all levels, drafts and versions, by what address, page by page.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, assemblies, type Item } from '../support/assemblies.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
beforeAll(async () => {
  pdm = await startPdm();
  make = assemblies(pdm.editor);
});
afterAll(async () => {
  expect(await brokenInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  await pdm.close();
});

type Hit = Record<string, unknown> & { document: { number: string }; version: { type: string; n: number | null } };
const ask = async ({ id }: Pick<Item, 'id'>, query = '') => (await pdm.viewer.get(`/documents/${id}/where-used${query}`)).body;
/** `ASM-1 draft` or `ASM-1 v2`, sorted. */
const told = ({ items }: { items: Hit[] }) =>
  items.map(({ document, version }) => `${document.number} ${version.type === 'draft' ? 'draft' : `v${version.n}`}`).sort();

describe('direct users', () => {
  test('are drafts and the newest version of each document, with how they point, where, and what that means', async () => {
    const part = await make.part({ name: 'Screw' });
    await make.release(part);
    const table = await make.draft(
      [
        [part, 4],
        [addressOf(part, '@A'), 2],
      ],
      { name: 'Table' },
    );
    await make.version(table);
    await make.version(table);
    const { items, nextCursor } = await ask({ id: part.number.toLowerCase() });
    expect(nextCursor).toBeNull();
    expect(told({ items })).toEqual([`${table.number} draft`, `${table.number} draft`, `${table.number} v2`, `${table.number} v2`]);
    const draft = items.filter(({ version }: Hit) => version.type === 'draft');
    expect(draft.find(({ points }: Hit) => points === 'floating')).toMatchObject({
      level: 1,
      via: [],
      document: { id: table.id, number: table.number, name: 'Table', kind: 'assembly', archived: false },
      version: { id: table.draftId, type: 'draft', n: null, releasedAs: null, workspace: { id: table.workspaceId, name: 'main' } },
      location: addressOf(part),
      quantity: 4,
      paths: ['/templates/0/reference'],
      morePaths: false,
      resolution: { as: 'revision', label: 'A', n: 2, pinned: false },
      status: 'resolved',
    });
    expect(draft.find(({ points }: Hit) => points === 'revision')).toMatchObject({ location: addressOf(part, '@A'), quantity: 2 });
  });

  test('are told by scope: the newest versions, the released ones, or all; with or without drafts', async () => {
    const part = await make.part();
    const assembly = await make.draft([[part]]);
    await make.version(assembly);
    await make.release(assembly);
    await make.version(assembly);
    const { number } = assembly;
    expect(told(await ask(part))).toEqual([`${number} draft`, `${number} v3`]);
    expect(told(await ask(part, '?drafts=false'))).toEqual([`${number} v3`]);
    expect(told(await ask(part, '?scope=released&drafts=false'))).toEqual([`${number} v2`]);
    expect(told(await ask(part, '?scope=all'))).toEqual([`${number} draft`, `${number} v1`, `${number} v2`, `${number} v3`]);
    await make.use(assembly, []);
    expect(told(await ask(part, '?scope=released'))).toEqual([`${number} v2`]);
  });

  test('of one revision or version are those that mean it now, or were frozen to it', async () => {
    const part = await make.part();
    const floating = await make.assembly([[part]]);
    const pinned = await make.draft([[addressOf(part, '@v1')]]);
    const byId = await make.draft([[`pdm://documents/${part.id}@B`]]);
    await make.release(part);
    await make.release(part);
    const early = await make.draft([[addressOf(part, '@A')]]);
    expect(told(await ask(part, '?of=v1'))).toEqual([`${floating.number} v1`, `${pinned.number} draft`].sort());
    expect(told(await ask(part, '?of=A'))).toEqual([`${early.number} draft`]);
    expect(told(await ask(part, '?of=v2'))).toEqual([`${early.number} draft`]);
    expect(told(await ask(part, '?of=B'))).toEqual([`${floating.number} draft`, `${byId.number} draft`].sort());
    expect(told(await ask(part, '?of=B&drafts=false'))).toEqual([]);
    expect(await pdm.viewer.get(`/documents/${part.id}/where-used?of=C`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('come in pages that together are the whole, none twice', async () => {
    const part = await make.part();
    for (let i = 0; i < 4; i++) await make.assembly([[part], [addressOf(part, '@v1')], [`pdm://documents/${part.id}`]]);
    const whole = await ask(part, '?limit=200');
    const seen: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = await ask(part, `?limit=5${cursor}`);
      expect(page.items.length).toBeLessThanOrEqual(5);
      seen.push(...page.items);
      if (!page.nextCursor) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(whole.items);
    expect(seen.length).toBe(4 * 2 * 3);
    const { nextCursor } = await ask(part, '?limit=5');
    expect(await pdm.viewer.get(`/documents/${part.id}/where-used?scope=all&cursor=${nextCursor}`)).toMatchObject({
      status: 400,
      body: { code: 'bad_cursor' },
    });
  });
});

describe('users on all levels', () => {
  test('are told once each, by the shortest way, level by level, in pages too', async () => {
    const part = await make.part();
    const arm = await make.assembly([[part]]);
    const robot = await make.assembly([[arm], [part]]);
    const cell = await make.assembly([[robot]]);
    const line = await make.draft([[cell], [arm]]);
    const { items } = await ask(part, '?levels=all');
    const levels = items.map(({ level, document, via }: Hit) => [level, document.number, (via as { number: string }[]).map(({ number }) => number)]);
    expect(levels.slice(0, 2).sort()).toEqual([
      [1, arm.number, []],
      [1, robot.number, []],
    ]);
    expect(levels.slice(2).sort()).toEqual([
      [2, cell.number, [robot.number]],
      [2, line.number, [arm.number]],
    ]);
    const first = await ask(part, '?levels=all&limit=3');
    const second = await ask(part, `?levels=all&limit=3&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(items);
    expect(second.nextCursor).toBeNull();
    expect(told(await ask(part, '?levels=all&drafts=false'))).toEqual([arm, robot, cell].map(({ number }) => `${number} v1`).sort());
  });

  test('of what nobody uses are none, and levels are 1 or all', async () => {
    const part = await make.part();
    expect(await ask(part, '?levels=all')).toEqual({ items: [], nextCursor: null });
    expect(await pdm.viewer.get(`/documents/${part.id}/where-used?levels=2`)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/levels' }] },
    });
  });
});

test('GraphQL asks for the users of a document where it reads the document', async () => {
  const part = await make.part();
  const assembly = await make.assembly([[part]]);
  const query = `query ($id: ID!) { document(id: $id) { number whereUsed(drafts: false) { items { points document { number } version { n } } } } }`;
  const { body } = await pdm.viewer.graphql(query, { id: part.id });
  expect(body.data.document.whereUsed.items).toEqual([{ points: 'floating', document: { number: assembly.number }, version: { n: 1 } }]);
});
