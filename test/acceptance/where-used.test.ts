// Where-used: direct users and users on all levels, the impact of a release, and the protection of used records.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, assemblies, type Item } from '../support/assemblies.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
beforeAll(async () => {
  pdm = await startPdm();
  make = assemblies(pdm.editor);
});
afterAll(async () => {
  expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  await pdm.close();
});

type Hit = Record<string, unknown> & { document: { number: string }; version: { type: string; n: number | null } };
const ask = async ({ id }: Pick<Item, 'id'>, query = '') =>
  (await pdm.viewer.get(`/documents/${id}/where-used${query}`)).body;
/** Formats users as `ASM-1 draft` or `ASM-1 v2`, sorted. */
const usersOf = ({ items }: { items: Hit[] }) =>
  items
    .map(({ document, version }) => `${document.number} ${version.type === 'draft' ? 'draft' : `v${version.n}`}`)
    .sort();

describe('direct users', () => {
  test('lists drafts and the newest version of each document that use it, with addresses, occurrences and resolved versions', async () => {
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
    expect(usersOf({ items })).toEqual([
      `${table.number} draft`,
      `${table.number} draft`,
      `${table.number} v2`,
      `${table.number} v2`,
    ]);
    const draft = items.filter(({ version }: Hit) => version.type === 'draft');
    expect(draft.find(({ addressForm }: Hit) => addressForm === 'floating')).toMatchObject({
      level: 1,
      via: [],
      document: { id: table.id, number: table.number, name: 'Table', kind: 'assembly', archived: false },
      version: {
        id: table.draftId,
        type: 'draft',
        n: null,
        releasedAs: null,
        workspace: { id: table.workspaceId, name: 'main' },
      },
      location: addressOf(part),
      quantity: 4,
      paths: ['/templates/0/reference'],
      morePaths: false,
      resolution: { as: 'revision', label: 'A', n: 2, pinned: false },
      status: 'resolved',
    });
    expect(draft.find(({ addressForm }: Hit) => addressForm === 'revision')).toMatchObject({
      location: addressOf(part, '@A'),
      quantity: 2,
    });
  });

  test('filters uses by scope: the newest versions, the released ones, or all; with or without drafts', async () => {
    const part = await make.part();
    const assembly = await make.draft([[part]]);
    await make.version(assembly);
    await make.release(assembly);
    await make.version(assembly);
    const { number } = assembly;
    expect(usersOf(await ask(part))).toEqual([`${number} draft`, `${number} v3`]);
    expect(usersOf(await ask(part, '?drafts=false'))).toEqual([`${number} v3`]);
    expect(usersOf(await ask(part, '?scope=released&drafts=false'))).toEqual([`${number} v2`]);
    expect(usersOf(await ask(part, '?scope=all'))).toEqual([
      `${number} draft`,
      `${number} v1`,
      `${number} v2`,
      `${number} v3`,
    ]);
    await make.use(assembly, []);
    expect(usersOf(await ask(part, '?scope=released'))).toEqual([`${number} v2`]);
  });

  test('lists the uses of a revision or version whose references resolve to it now or were frozen to it', async () => {
    const part = await make.part();
    const floating = await make.assembly([[part]]);
    const pinned = await make.draft([[addressOf(part, '@v1')]]);
    const byId = await make.draft([[`pdm://documents/${part.id}@B`]]);
    await make.release(part);
    await make.release(part);
    const early = await make.draft([[addressOf(part, '@A')]]);
    expect(usersOf(await ask(part, '?of=v1'))).toEqual([`${floating.number} v1`, `${pinned.number} draft`].sort());
    expect(usersOf(await ask(part, '?of=A'))).toEqual([`${early.number} draft`]);
    expect(usersOf(await ask(part, '?of=v2'))).toEqual([`${early.number} draft`]);
    expect(usersOf(await ask(part, '?of=B'))).toEqual([`${floating.number} draft`, `${byId.number} draft`].sort());
    expect(usersOf(await ask(part, '?of=B&drafts=false'))).toEqual([]);
    expect(await pdm.viewer.get(`/documents/${part.id}/where-used?of=C`)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/of' }] },
    });
  });

  test('returns the first hundred occurrences of a use', async () => {
    const part = await make.part();
    await make.draft(Array.from({ length: 101 }, () => [part]));
    const { items } = await ask(part);
    expect(items).toMatchObject([{ quantity: 101, morePaths: true }]);
    expect(items[0].paths.length).toBe(100);
  });

  test('returns uses in pages without duplicates', async () => {
    const part = await make.part();
    for (let i = 0; i < 3; i++) await make.assembly([[part], [addressOf(part, '@v1')], [`pdm://documents/${part.id}`]]);
    const whole = await ask(part, '?limit=200');
    const items: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = await ask(part, `?limit=5${cursor}`);
      expect(page.items.length).toBeLessThanOrEqual(5);
      items.push(...page.items);
      if (!page.nextCursor) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(items).toEqual(whole.items);
    expect(items.length).toBe(3 * 2 * 3);
    const { nextCursor } = await ask(part, '?limit=5');
    expect(await pdm.viewer.get(`/documents/${part.id}/where-used?scope=all&cursor=${nextCursor}`)).toMatchObject({
      status: 400,
      body: { code: 'bad_cursor' },
    });
  });
});

describe('users on all levels', () => {
  test('returns each use at all levels once, by its shortest path, level by level, also in pages', async () => {
    const part = await make.part();
    const arm = await make.assembly([[part]]);
    const robot = await make.assembly([[arm], [part]]);
    const cell = await make.assembly([[robot]]);
    const line = await make.draft([[cell], [arm]]);
    const { items } = await ask(part, '?levels=all');
    const levels = items.map(({ level, document, via }: Hit) => [
      level,
      document.number,
      (via as { number: string }[]).map(({ number }) => number),
    ]);
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
    expect(usersOf(await ask(part, '?levels=all&drafts=false'))).toEqual(
      [arm, robot, cell].map(({ number }) => `${number} v1`).sort(),
    );
  });

  test('returns no uses of an unused document, and rejects `levels` other than 1 and all', async () => {
    const part = await make.part();
    expect(await ask(part, '?levels=all')).toEqual({ items: [], nextCursor: null });
    expect(await pdm.viewer.get(`/documents/${part.id}/where-used?levels=2`)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/levels' }] },
    });
  });
});

test('returns the uses of a document as a field of the document in GraphQL', async () => {
  const part = await make.part();
  const assembly = await make.assembly([[part]]);
  const query = `query ($id: ID!) { document(id: $id) { number whereUsed(drafts: false) { items { addressForm document { number } version { n } } } } }`;
  const { body } = await pdm.viewer.graphql(query, { id: part.id });
  expect(body.data.document.whereUsed.items).toEqual([
    { addressForm: 'floating', document: { number: assembly.number }, version: { n: 1 } },
  ]);
});

type ImpactItem = {
  document: { number: string };
  version: { type: string };
  location: string;
  effect: string;
  from: Meant;
  to: Meant;
};
type Meant = { n: number; obsolete: boolean } | null;
const impact = async (versionId: string, query = '') =>
  (await pdm.viewer.get(`/versions/${versionId}/release-impact${query}`)).body;
const summarize = ({ items }: { items: ImpactItem[] }) =>
  items
    .map(
      ({ document, version, effect, from, to }) => `${document.number} ${version.type} ${effect} ${from?.n} ${to?.n}`,
    )
    .sort();
const resolvedReference = async (draftId: string) =>
  (await pdm.viewer.get(`/versions/${draftId}/references`)).body.items[0].resolution;

describe('the impact of a release', () => {
  test('names the drafts that will change and the versions that will become outdated, as the release confirms', async () => {
    const part = await make.model();
    await make.release(part);
    const floating = await make.assembly([[part]]);
    const byLabel = await make.draft([[addressOf(part, '@A')]]);
    const early = await make.draft([[addressOf(part, '@B')]]);
    const next = await make.version(part);

    const result = await impact(next.id);
    expect(result).toMatchObject({
      action: 'release',
      documentId: part.id,
      versionId: next.id,
      label: 'B',
      nextCursor: null,
    });
    expect(summarize(result)).toEqual(
      [
        `${floating.number} draft changes 1 2`,
        `${early.number} draft changes undefined 2`,
        `${floating.number} version becomes_outdated 1 1`,
      ].sort(),
    );
    expect(result.items.find(({ frozen }: { frozen: boolean }) => frozen)).toMatchObject({
      location: addressOf(part),
      addressForm: 'floating',
      from: { label: 'A' },
      to: { label: 'A' },
    });

    await pdm.editor.post(`/versions/${next.id}/release`, {});
    expect(await resolvedReference(floating.draftId)).toMatchObject({ n: 2, label: 'B' });
    expect(await resolvedReference(early.draftId)).toMatchObject({ n: 2, label: 'B' });
    expect(await resolvedReference(byLabel.draftId)).toMatchObject({ n: 1, label: 'A' });
  });

  test('returns the impact of marking it obsolete or taking it back, by default of the next possible action', async () => {
    const part = await make.model();
    await make.release(part);
    const { versionId, id } = await make.release(part);
    const floating = await make.draft([[part]]);
    const byLabel = await make.draft([[addressOf(part, '@B')]]);
    expect(await impact(versionId)).toMatchObject({ action: 'obsolete', label: 'B' });
    expect(summarize(await impact(versionId))).toEqual(
      [`${floating.number} draft changes 2 1`, `${byLabel.number} draft changes 2 2`].sort(),
    );
    expect(summarize(await impact(versionId, '?action=take_back'))).toEqual(
      [`${floating.number} draft changes 2 1`, `${byLabel.number} draft changes 2 undefined`].sort(),
    );
    await pdm.editor.post(`/revisions/${id}/obsolete`);
    expect(await impact(versionId)).toMatchObject({ action: 'take_back' });
    expect(await resolvedReference(floating.draftId)).toMatchObject({ n: 1 });
    expect(await resolvedReference(byLabel.draftId)).toMatchObject({ n: 2, obsolete: true });
  });

  test('rejects the preview when the action would be rejected', async () => {
    const part = await make.model();
    const { versionId } = await make.release(part);
    expect(await impact(versionId, '?action=release')).toMatchObject({ status: 409, code: 'already_released' });
    expect(await impact(part.draftId)).toMatchObject({ status: 422, code: 'not_a_version' });
    expect(await impact((await make.version(part)).id, '?action=obsolete')).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    expect(await impact(versionId, '?action=scrap')).toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: [{ path: '/action' }],
    });
  });

  test('returns the impact in pages, drafts before versions', async () => {
    const part = await make.model();
    await make.release(part);
    for (let i = 0; i < 3; i++) await make.assembly([[part], [`pdm://documents/${part.id}`]]);
    const { id } = await make.version(part);
    const whole = await impact(id, '?limit=200');
    const items: ImpactItem[] = [];
    for (let cursor = ''; ; ) {
      const page = await impact(id, `?limit=5${cursor}`);
      items.push(...page.items);
      if (!page.nextCursor) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(items).toEqual(whole.items);
    expect(items.map(({ version }) => version.type)).toEqual([...Array(6).fill('draft'), ...Array(6).fill('version')]);
  });
});

describe('a used record', () => {
  const numbersOf = ({ users }: { users: { number: string; type: string }[] }) =>
    users.map(({ number, type }) => `${number} ${type}`).sort();

  test('rejects the deletion of a document while a draft or version references it by number or id, and lists the uses', async () => {
    const part = await make.part();
    const draft = await make.draft([[part]]);
    const version = await make.assembly([[`pdm://documents/${part.id}@v1`]]);
    await make.use(version, []);
    const refused = await pdm.editor.delete(`/documents/${part.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'document_in_use' } });
    expect(numbersOf(refused.body)).toEqual([`${draft.number} draft`, `${version.number} version`].sort());
    await make.use(draft, []);
    expect((await pdm.editor.delete(`/documents/${part.id}`)).status).toBe(409);
    const free = await make.part();
    await make.use(draft, [[free]]);
    await make.use(draft, []);
    expect((await pdm.editor.delete(`/documents/${free.id}`)).status).toBe(204);
  });

  test('rejects taking back a release while an address contains its label', async () => {
    const part = await make.model();
    const { id } = await make.release(part);
    const draft = await make.draft([[addressOf(part, '@A')]]);
    const refused = await pdm.admin.delete(`/revisions/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'revision_in_use' } });
    expect(numbersOf(refused.body)).toEqual([`${draft.number} draft`]);
    await make.use(draft, [[part]]);
    expect((await pdm.admin.delete(`/revisions/${id}`)).status).toBe(204);
    expect(await resolvedReference(draft.draftId)).toMatchObject({ as: 'version', n: 1 });
  });

  test('lists unreleased or obsolete parts in the release of an assembly', async () => {
    const [loose, old] = [await make.part(), await make.model()];
    const { id } = await make.release(old);
    await pdm.editor.post(`/revisions/${id}/obsolete`);
    const assembly = await make.draft([[loose], [old]]);
    const { body } = await pdm.editor.post(`/versions/${(await make.version(assembly)).id}/release`, {});
    const warnings = body.warnings.map(({ code, number }: { code: string; number: string }) => `${code} ${number}`);
    expect(warnings.sort()).toEqual([`child_not_released ${loose.number}`, `child_obsolete ${old.number}`].sort());
  });
});
