import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asmJson, assemblies } from '../support/assemblies.ts';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const SLOW = { timeout: 90_000 };

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('building assemblies in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser({ flat: true })]);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  const structureOf = async (draftId: string) =>
    JSON.parse((await pdm.viewer.get(`/versions/${draftId}/artifacts/asm-json/file`)).bytes.toString());

  it('builds an empty assembly from parts found by search, and explains what cannot be added', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const plate = await make.part({ name: 'Base plate' });
    const bolt = await make.model({ name: 'Clamp bolt' });
    await make.release(bolt);
    const draftOnly = await make.model({ name: 'Unfinished cover' });
    const frame = await make.draft([], { name: 'Frame' });
    const machine = await make.draft([[frame, 1]], { name: 'Machine above' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${frame.id}` });
    await page.getByRole('button', { name: 'Import a STEP assembly' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add parts' }).click();
    const dialog = page.getByRole('dialog', { name: `Components of ${frame.number}` });
    const search = dialog.getByRole('combobox', { name: 'Add a part or assembly' });
    const add = async (text: string) => {
      await search.fill(text);
      await dialog.getByRole('option', { name: new RegExp(text, 'i') }).click();
    };
    await add('Machine above');
    await dialog.getByText(`${machine.number} contains this assembly, so it would contain itself.`).waitFor();
    await add('Unfinished cover');
    await dialog.getByText(`${draftOnly.number} has no version yet.`).waitFor();
    expect(await barriers(page)).toEqual([]);
    await add('Base plate');
    await dialog.getByText('1 component in 1 place').waitFor();
    await add('Clamp bolt');
    const quantity = dialog.getByRole('spinbutton', { name: `Quantity of ${bolt.number}` });
    await quantity.fill('3');
    await page.keyboard.press('Tab');
    await dialog.getByText('2 components in 4 places').waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('2 components in 2 places').waitFor();
    await dialog.getByRole('button', { name: 'Redo' }).click();
    await dialog.getByText('2 components in 4 places').waitFor();
    const version = dialog.getByRole('combobox', { name: `Version of ${bolt.number}` });
    await version.focus();
    await version.selectOption({ label: 'Rev A' });
    await dialog.getByText('Positions').nth(1).click();
    await dialog.getByRole('spinbutton', { name: `X of ${bolt.number}_2 in mm` }).fill('40');
    await page.keyboard.press('Tab');
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Saved the components of ${frame.number}.`).waitFor();
    const { templates, instances } = await structureOf(frame.draftId);
    expect(templates.map(({ reference }: { reference: { location: string } }) => reference.location)).toEqual([
      `pdm://documents/${plate.id}`,
      `pdm://documents/${bolt.id}@A`,
    ]);
    expect(instances.map(({ transform }: { transform?: string }) => transform)).toEqual([
      undefined,
      undefined,
      '[40,0,0]',
      undefined,
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('does not overwrite what somebody else has saved meanwhile', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const [spring, washer] = [await make.part({ name: 'Spring' }), await make.part({ name: 'Washer' })];
    const valve = await make.draft([[spring, 2]], { name: 'Valve' });
    const { page, context } = await visit(browser, pdm, 'editor', { path: `/documents/${valve.id}/bom` });
    await page.getByRole('button', { name: 'Edit components…' }).click();
    const dialog = page.getByRole('dialog', { name: `Components of ${valve.number}` });
    await dialog.getByText('1 component in 2 places').waitFor();
    await dialog.getByRole('button', { name: `Remove ${spring.number}` }).click();
    await dialog.getByText('No components yet.').waitFor();
    await pdm.editor.upload(valve.draftId, 'asm-json', asmJson([[washer, 1]]), { fileName: 'asm.json' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/Somebody else has changed the files of this draft/)
      .waitFor();
    expect((await structureOf(valve.draftId)).templates[0].reference.location).toBe(`pdm://documents/${washer.number}`);
    await context.close();
  });
});
