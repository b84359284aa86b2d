import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, assemblies, type Item } from '../support/assemblies.ts';
import { boxModel } from '../support/box-model.ts';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { deliverAssembly } from '../support/model-documents.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const SLOW = { timeout: 60_000 };

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('an assembly in 3D beside its bill of materials'), () => {
  let pdm: Pdm;
  let browser: Browser;
  let bolt: Item;
  let longBolt: Item;
  let hinge: Item;
  let gate: Item;
  // gate ( upper: hinge ( first: bolt, second: bolt ), first: long bolt ); both bolts have the same name
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser()]);
    const make = assemblies(pdm.editor);
    [bolt, longBolt] = [await make.part({ name: 'Bolt' }), await make.part({ name: 'Bolt' })];
    const structure = (templates: Record<string, Item>, instances: Record<string, string>) =>
      JSON.stringify({
        templates: Object.entries(templates).map(([ident, item]) => ({
          ident,
          reference: { location: addressOf(item) },
        })),
        instances: Object.entries(instances).map(([ident, template]) => ({ ident, template })),
      });
    const store = (item: Item, asm: string) =>
      pdm.editor.upload(item.draftId, 'asm-json', asm, { fileName: 'asm.json' });
    hinge = await make.draft([], { name: 'Hinge' });
    await store(hinge, structure({ b: bolt }, { first: 'b', second: 'b' }));
    await make.version(hinge);
    gate = await make.draft([], { name: 'Gate' });
    const asm = structure({ h: hinge, b: longBolt }, { upper: 'h', first: 'b' });
    await store(gate, asm);
    const glb = await boxModel('Gate', [
      {
        name: 'upper',
        parts: [
          { name: 'first', size: [30, 30, 30] },
          { name: 'second', size: [30, 30, 30], at: [0, 0, 60] },
        ],
      },
      { name: 'first', size: [30, 30, 90], at: [60, 0, 0] },
    ]);
    await deliverAssembly(pdm, gate.draftId, asm, glb);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  const stageOf = (page: Page) => page.getByRole('application', { name: /^3D view/ });
  const clickAt = async (page: Page, right: number, button: 'left' | 'right' = 'left') => {
    const box = (await stageOf(page).boundingBox())!;
    await page.mouse.click(box.x + box.width * right, box.y + box.height * 0.5, { button });
  };

  it('selects the line of a part that is clicked, and highlights the parts of a selected line', SLOW, async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${gate.id}/bom` });
    const grid = page.getByRole('treegrid', { name: `Bill of materials of ${gate.number}` });
    const row = (item: Item) => grid.getByRole('row', { name: new RegExp(item.number) });
    await row(bolt).waitFor();
    await page.getByRole('button', { name: '3D view', exact: true }).click();
    const words = page.locator('.stage-words');
    await words.getByText('90 × 30 × 90 mm').waitFor();

    await row(bolt).click();
    await words.getByText('2 highlighted').waitFor();
    await row(hinge).click();
    await words.getByText('1 highlighted').waitFor();

    await page.getByRole('button', { name: 'Front' }).click();
    await clickAt(page, 0.7); // the long bolt is on the right
    await expect.poll(() => row(longBolt).getAttribute('aria-selected')).toBe('true');
    await words.getByRole('link', { name: longBolt.number }).waitFor();
    expect(await barriers(page)).toEqual([]);

    await row(bolt).click(); // takes the place of the part
    await words.getByText('2 highlighted').waitFor();
    await page.getByRole('button', { name: 'Flat' }).click();
    await page.getByText('2 lines').waitFor();
    await row(bolt).click();
    await words.getByText('2 highlighted').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('opens the document and the line of a part, also of two with the same name', SLOW, async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${gate.id}` });
    await page.locator('.stage-words').getByText('90 × 30 × 90 mm').waitFor();
    await page.getByRole('treegrid', { name: /^Parts of/ }).waitFor();
    await page.getByRole('button', { name: 'Front' }).click();
    await clickAt(page, 0.7, 'right');
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: `Open ${longBolt.number}` }).waitFor();
    expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual([
      'Hide',
      'Isolate',
      'Make transparent',
      'Show all',
      'Zoom to',
      'Measure',
      `Open ${longBolt.number}`,
      `Where ${longBolt.number} is used`,
      'Show in the bill of materials',
    ]);
    expect(await barriers(page)).toEqual([]);
    await menu.getByRole('menuitem', { name: 'Show in the bill of materials' }).click();
    const grid = page.getByRole('treegrid', { name: `Bill of materials of ${gate.number}` });
    const row = grid.getByRole('row', { name: new RegExp(longBolt.number) });
    await expect.poll(() => row.getAttribute('aria-selected')).toBe('true');
    await page.locator('.stage-words').getByText('1 highlighted').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
