// What a release touches: who would resolve differently, what speaks against it, and what stands in the way of undoing it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, assemblies } from '../support/assemblies.ts';
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

type Told = { document: { number: string }; version: { type: string }; location: string; effect: string; from: Meant; to: Meant };
type Meant = { n: number; obsolete: boolean } | null;
const impact = async (versionId: string, query = '') => (await pdm.viewer.get(`/versions/${versionId}/release-impact${query}`)).body;
const inShort = ({ items }: { items: Told[] }) =>
  items.map(({ document, version, effect, from, to }) => `${document.number} ${version.type} ${effect} ${from?.n} ${to?.n}`).sort();
const meaning = async (draftId: string) => (await pdm.viewer.get(`/versions/${draftId}/references`)).body.items[0].resolution;

describe('the impact of a release', () => {
  test('names the drafts that will follow and the versions that will be outdated, and so it comes', async () => {
    const part = await make.model();
    await make.release(part);
    const floating = await make.assembly([[part]]);
    const byLabel = await make.draft([[addressOf(part, '@A')]]);
    const early = await make.draft([[addressOf(part, '@B')]]);
    const next = await make.version(part);

    const told = await impact(next.id);
    expect(told).toMatchObject({ deed: 'release', documentId: part.id, versionId: next.id, label: 'B', nextCursor: null });
    expect(inShort(told)).toEqual(
      [`${floating.number} draft changes 1 2`, `${early.number} draft changes undefined 2`, `${floating.number} version becomes_outdated 1 1`].sort(),
    );
    expect(told.items.find(({ frozen }: { frozen: boolean }) => frozen)).toMatchObject({
      location: addressOf(part),
      points: 'floating',
      from: { label: 'A' },
      to: { label: 'A' },
    });

    await pdm.editor.post(`/versions/${next.id}/release`, {});
    expect(await meaning(floating.draftId)).toMatchObject({ n: 2, label: 'B' });
    expect(await meaning(early.draftId)).toMatchObject({ n: 2, label: 'B' });
    expect(await meaning(byLabel.draftId)).toMatchObject({ n: 1, label: 'A' });
  });

  test('of making it obsolete or taking it back is told as well, the next deed by default', async () => {
    const part = await make.model();
    await make.release(part);
    const { versionId, id } = await make.release(part);
    const floating = await make.draft([[part]]);
    const byLabel = await make.draft([[addressOf(part, '@B')]]);
    expect(await impact(versionId)).toMatchObject({ deed: 'obsolete', label: 'B' });
    expect(inShort(await impact(versionId))).toEqual([`${floating.number} draft changes 2 1`, `${byLabel.number} draft changes 2 2`].sort());
    expect(inShort(await impact(versionId, '?deed=take-back'))).toEqual(
      [`${floating.number} draft changes 2 1`, `${byLabel.number} draft changes 2 undefined`].sort(),
    );
    await pdm.editor.post(`/revisions/${id}/obsolete`);
    expect(await impact(versionId)).toMatchObject({ deed: 'take-back' });
    expect(await meaning(floating.draftId)).toMatchObject({ n: 1 });
    expect(await meaning(byLabel.draftId)).toMatchObject({ n: 2, obsolete: true });
  });

  test('is refused where the deed would be', async () => {
    const part = await make.model();
    const { versionId } = await make.release(part);
    expect(await impact(versionId, '?deed=release')).toMatchObject({ status: 409, code: 'already_released' });
    expect(await impact(part.draftId)).toMatchObject({ status: 422, code: 'not_a_version' });
    expect(await impact((await make.version(part)).id, '?deed=obsolete')).toMatchObject({ status: 404, code: 'not_found' });
    expect(await impact(versionId, '?deed=scrap')).toMatchObject({ status: 400, code: 'validation_failed', errors: [{ path: '/deed' }] });
  });

  test('comes in pages, drafts before versions', async () => {
    const part = await make.model();
    await make.release(part);
    for (let i = 0; i < 3; i++) await make.assembly([[part], [`pdm://documents/${part.id}`]]);
    const { id } = await make.version(part);
    const whole = await impact(id, '?limit=200');
    const seen: Told[] = [];
    for (let cursor = ''; ; ) {
      const page = await impact(id, `?limit=5${cursor}`);
      seen.push(...page.items);
      if (!page.nextCursor) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(whole.items);
    expect(seen.map(({ version }) => version.type)).toEqual([...Array(6).fill('draft'), ...Array(6).fill('version')]);
  });
});

describe('what is used', () => {
  const numbersOf = ({ users }: { users: { number: string; type: string }[] }) => users.map(({ number, type }) => `${number} ${type}`).sort();

  test('is not deleted while a draft or version uses it, by number or by id; the users are told', async () => {
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

  test('keeps its release while an address names the label', async () => {
    const part = await make.model();
    const { id } = await make.release(part);
    const draft = await make.draft([[addressOf(part, '@A')]]);
    const refused = await pdm.admin.delete(`/revisions/${id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'revision_in_use' } });
    expect(numbersOf(refused.body)).toEqual([`${draft.number} draft`]);
    await make.use(draft, [[part]]);
    expect((await pdm.admin.delete(`/revisions/${id}`)).status).toBe(204);
    expect(await meaning(draft.draftId)).toMatchObject({ as: 'version', n: 1 });
  });

  test('is told with the release of an assembly when it is not released, or obsolete', async () => {
    const [loose, old] = [await make.part(), await make.model()];
    const { id } = await make.release(old);
    await pdm.editor.post(`/revisions/${id}/obsolete`);
    const assembly = await make.draft([[loose], [old]]);
    const { body } = await pdm.editor.post(`/versions/${(await make.version(assembly)).id}/release`, {});
    const said = body.warnings.map(({ code, number }: { code: string; number: string }) => `${code} ${number}`);
    expect(said.sort()).toEqual([`child_not_released ${loose.number}`, `child_obsolete ${old.number}`].sort());
  });
});
