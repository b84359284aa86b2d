import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxPart, boxModel } from '../support/box-model.ts';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { createModelDocument, deliverGlb, uploadSource } from '../support/model-documents.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const SLOW = { timeout: 90_000 };
const BASE: BoxPart = { name: 'Base', size: [120, 80, 40] };
const TOWER: BoxPart = { name: 'Tower', size: [30, 30, 60], at: [10, 10, 40] };

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('the 3D view in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  const model = (name: string) => createModelDocument(pdm, name);
  const upload = (draftId: string, source: string) => uploadSource(pdm, draftId, source);
  const convert = async (draftId: string, source: string, parts: readonly BoxPart[]) =>
    deliverGlb(pdm, draftId, source, await boxModel('Housing', parts));
  const stageOf = (page: Page) => page.getByRole('application', { name: /^3D view/ });

  it('shows the model with its parts and dimensions as text when the job is done', SLOW, async () => {
    const { id, draftId } = await model('Housing');
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${id}` });
    await page.getByText('Upload a STEP file to see the model here.').waitFor();
    await upload(draftId, 'housing 1');
    await page.getByText('The 3D view appears here when the job is done.').waitFor();
    await convert(draftId, 'housing 1', [BASE, TOWER]);

    await page.getByText('120 × 80 × 100 mm').waitFor();
    const parts = page.getByRole('treegrid', { name: /^Parts of/ });
    expect(await parts.getByRole('row').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Housing/), 'Base', 'Tower']),
    );
    expect(await filled(page, stageOf(page))).toBeGreaterThan(0.05);
    expect(await barriers(page)).toEqual([]);

    await upload(draftId, 'housing 2');
    await page.getByText('Outdated: the source has changed since this model was created.').waitFor();
    await convert(draftId, 'housing 2', [{ ...BASE, size: [150, 80, 40] }]);
    await page.getByText('150 × 80 × 40 mm').waitFor();
    expect(await page.getByText('Outdated: the source has changed').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says how many faces of the model are not shown, and of which parts', SLOW, async () => {
    const { id, draftId } = await model('Lid');
    await upload(draftId, 'lid');
    const properties = JSON.stringify({ units: 'mm', unmeshed: [{ part: 'Tower', faces: 2 }] });
    await deliverGlb(pdm, draftId, 'lid', await boxModel('Lid', [BASE, TOWER]), { properties });
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${id}` });
    const note = page.locator('.stage-words').getByText('2 faces not shown');
    await note.waitFor();
    expect(await note.getAttribute('title')).toBe('Not shown, because they have no triangles: Tower (2)');
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('selects, hides, isolates and cuts parts in the view and the tree, and shows dimensions', SLOW, async () => {
    const { id, draftId } = await model('Gearbox');
    await upload(draftId, 'gearbox');
    await convert(draftId, 'gearbox', [BASE, TOWER]);
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${id}`, dark: true });
    const words = page.locator('.stage-words');
    await words.getByText('120 × 80 × 100 mm').waitFor();
    const tools = page.getByRole('toolbar', { name: '3D view' });
    for (const width of [1920, 1440, 1280, 1000]) {
      await page.setViewportSize({ width, height: 600 });
      const [all, one] = [
        await tools.boundingBox(),
        await tools.getByRole('button', { name: 'Show all' }).boundingBox(),
      ];
      expect(all!.height, `${width} pixels wide: the toolbar has one row`).toBeLessThan(2 * one!.height);
    }
    const stage = stageOf(page);
    const tree = page.getByRole('treegrid', { name: /^Parts of/ });
    const row = (name: string) => tree.getByRole('row', { name });
    const whole = await settled(page, stage);

    // in the view: from above, the right half shows the base alone
    await page.getByRole('button', { name: 'Top' }).click();
    await differs(page, stage, whole, 0.02);
    const box = (await stage.boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.55, box.y + box.height * 0.5);
    await words.getByText('120 × 80 × 40 mm').waitFor();
    expect(await row('Base').getAttribute('aria-selected')).toBe('true');

    // in the tree, with the keyboard
    await tree.focus();
    await page.keyboard.press('ArrowDown');
    await words.getByText('30 × 30 × 60 mm').waitFor();
    await page.keyboard.press('h');
    await page.getByRole('button', { name: 'Show Tower' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: 'Isolate' }).click();
    await page.getByRole('button', { name: 'Show Base' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await stage.focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('0');
    await differs(page, stage, whole, 0, 0.002);

    // hides, rotates with the keys, cuts, shows dimensions
    await page.getByRole('button', { name: 'Hide Tower' }).click();
    await differs(page, stage, whole, 0.01);
    await page.getByRole('button', { name: 'Show Tower' }).click();
    await stage.focus();
    await page.keyboard.press('ArrowLeft');
    await differs(page, stage, whole, 0.01);
    await page.keyboard.press('0');
    await page.getByRole('button', { name: 'Section', exact: true }).click();
    const slider = page.getByRole('slider', { name: 'Position along Y in mm' });
    expect([await slider.getAttribute('min'), await slider.inputValue(), await slider.getAttribute('max')]).toEqual([
      '0',
      '40',
      '80',
    ]);
    const cut = await differs(page, stage, whole, 0.02);
    await slider.fill('20');
    await differs(page, stage, cut, 0.01);
    const position = page.getByRole('spinbutton', { name: 'Y in mm' });
    await position.fill('60');
    await position.press('Enter');
    await expect.poll(() => slider.inputValue()).toBe('60');
    await page.getByRole('button', { name: 'Section', exact: true }).click();

    // moves the parts apart, and back; measuring waits until then
    await page.keyboard.press('0');
    const together = await settled(page, stage);
    await page.getByRole('button', { name: 'Explode' }).click();
    await page.getByRole('slider', { name: /^Distance between the parts/ }).fill('100');
    await differs(page, stage, together, 0.02);
    expect(await page.getByRole('button', { name: 'Measure' }).isDisabled()).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Explode' }).click();
    await differs(page, stage, together, 0, 0.002);

    // the menu of a part, and its values
    await page.getByRole('button', { name: 'Top' }).click();
    await settled(page, stage);
    await page.mouse.click(box.x + box.width * 0.55, box.y + box.height * 0.5, { button: 'right' });
    expect((await words.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/Base.*Volume ≈ 384 cm³ Area ≈ 352 cm² Color ?#/);
    await page.getByRole('menuitem', { name: 'Isolate' }).click();
    await page.getByRole('button', { name: 'Show Tower' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await stage.focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Dimensions' }).click();
    await page.locator('.stage-lengths text').first().waitFor();
    expect((await page.locator('.stage-lengths text').allTextContents()).sort()).toEqual(['100', '120', '80']);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('cuts with up to three planes, which the mouse drags', SLOW, async () => {
    const { id, draftId } = await model('Block');
    await upload(draftId, 'block');
    await convert(draftId, 'block', [BASE, TOWER]);
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${id}` });
    await page.locator('.stage-words').getByText('120 × 80 × 100 mm').waitFor();
    const stage = stageOf(page);
    await page.getByRole('button', { name: 'Section', exact: true }).click();
    const add = page.getByRole('button', { name: 'Plane', exact: true });
    const one = await settled(page, stage);
    await add.click();
    await differs(page, stage, one, 0.01);
    await add.click();
    expect(await add.count()).toBe(0);
    const position = (axis: string) => page.getByRole('spinbutton', { name: `${axis} in mm` });
    expect(await Promise.all(['Y', 'X', 'Z'].map((axis) => position(axis).inputValue()))).toEqual(['40', '60', '50']);

    const three = await settled(page, stage);
    const handle = (await page.locator('.stage-planes [data-axis="z"] .plane-handle').boundingBox())!;
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 40, { steps: 4 });
    await page.mouse.up();
    const z = Number(await position('Z').inputValue());
    expect(z).toBeGreaterThan(10);
    expect(z).toBeLessThan(48); // down by 40 pixels
    await differs(page, stage, three, 0.005);
    expect(await page.locator('.stage-words').innerText()).toMatch(/2 parts/); // nothing was selected
    expect(await barriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'Remove plane 1' }).click();
    await page.getByRole('button', { name: 'Remove plane 2' }).click();
    expect(await position('X').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove plane 1' }).click();
    expect(await page.getByRole('button', { name: 'Section', exact: true }).getAttribute('aria-pressed')).toBe('false');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('makes parts transparent, measures from their menu, and saves the picture', SLOW, async () => {
    const { id, draftId } = await model('Crate');
    await upload(draftId, 'crate');
    await convert(draftId, 'crate', [BASE, TOWER]);
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${id}` });
    await page.locator('.stage-words').getByText('120 × 80 × 100 mm').waitFor();
    const stage = stageOf(page);
    await page.getByRole('button', { name: 'Top' }).click();
    const whole = await settled(page, stage);
    const { x, y, width, height } = (await stage.boundingBox())!;
    const openMenu = () => page.mouse.click(x + width * 0.55, y + height * 0.5, { button: 'right' });
    await openMenu();
    await page.getByRole('menuitem', { name: 'Make transparent' }).click();
    await stage.focus();
    await page.keyboard.press('Escape'); // the highlight is gone, the transparency stays
    await differs(page, stage, whole, 0.05);
    await openMenu();
    await page.getByRole('menuitem', { name: 'Make opaque' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show all' }).click();
    await stage.focus();
    await page.keyboard.press('Escape');
    await differs(page, stage, whole, 0, 0.002);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download picture' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/Crate\.png$/);
    const png = (await readFile(await file.path())).toString('base64');
    const opaque = await page.evaluate(`(async () => {
      const a = await (${READ})('${png}');
      let drawn = 0;
      for (let i = 3; i < a.length; i += 4) if (a[i] > 0) drawn++;
      return drawn / (a.length / 4);
    })()`);
    expect(opaque).toBeGreaterThan(0.05);
    expect(opaque).toBeLessThan(0.95); // the background is transparent

    await openMenu();
    await page.getByRole('menuitem', { name: 'Measure' }).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'Measure', exact: true }).getAttribute('aria-pressed'))
      .toBe('true');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('saves, opens, renames and deletes named views, which others see', SLOW, async () => {
    const { id, draftId } = await model('Cabinet');
    await upload(draftId, 'cabinet');
    await convert(draftId, 'cabinet', [BASE, TOWER]);
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${id}` });
    await page.locator('.stage-words').getByText('120 × 80 × 100 mm').waitFor();
    const stage = stageOf(page);
    const views = page.getByRole('group', { name: 'Named views' });
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await views.getByText('No views yet.').waitFor();
    await page.getByRole('button', { name: 'Hide Tower' }).click();
    await page.getByRole('button', { name: 'Section', exact: true }).click();
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await page.getByRole('button', { name: 'Orthographic' }).click();
    const saved = await settled(page, stage);
    await views.getByRole('button', { name: 'Save view…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Half open');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const open = views.getByRole('button', { name: 'Half open', exact: true });
    await open.waitFor();
    await views.getByRole('button', { name: 'Save view…' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('half OPEN');
    await page.keyboard.press('Enter');
    await dialog
      .getByRole('alert')
      .getByText(/already a view "Half open"/)
      .waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: 'Orthographic' }).click();
    await page.getByRole('button', { name: 'Iso', exact: true }).click();
    await differs(page, stage, saved, 0.02);
    await open.click();
    await differs(page, stage, saved, 0, 0.002);

    const other = await visit(browser, pdm, 'viewer', { path: `/documents/${id}` });
    await other.page.getByRole('button', { name: 'Views', exact: true }).click();
    await other.page.getByRole('button', { name: 'Half open', exact: true }).click();
    await other.page.getByRole('button', { name: 'Show Tower' }).waitFor();
    expect(await other.page.getByRole('button', { name: 'Save view…' }).getAttribute('aria-disabled')).toBe('true');

    // what somebody else changes while the dialog is open is not overwritten
    const [view] = (await pdm.editor.get(`/versions/${draftId}/views`)).body.items;
    await views.getByRole('button', { name: 'Actions for view Half open' }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await pdm.editor.patch(`/views/${view.id}`, { name: 'Half closed' });
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/has changed since it was read/)
      .waitFor();
    await page.keyboard.press('Escape');
    await views.getByRole('button', { name: 'Half closed', exact: true }).waitFor();

    const actions = views.getByRole('button', { name: 'Actions for view Half closed' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Section');
    await page.keyboard.press('Enter');
    await views.getByRole('button', { name: 'Section', exact: true }).waitFor();
    await other.page.getByRole('group', { name: 'Named views' }).getByText('Section', { exact: true }).waitFor();
    await views.getByRole('button', { name: 'Actions for view Section' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await views.getByText('No views yet.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await views.getByRole('button', { name: 'Section', exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect([complaints.filter((text) => !text.includes('409')), other.complaints]).toEqual([[], []]);
    await other.context.close();
    await context.close();
  });

  it('fills the view with the model at first, also when it is resized', SLOW, async () => {
    const { id, draftId } = await model('Beam');
    await upload(draftId, 'beam');
    await convert(draftId, 'beam', [BASE, TOWER]);
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${id}` });
    await page.locator('.stage-words').getByText('120 × 80 × 100 mm').waitFor();
    for (const width of [1280, 800, 1600]) {
      await page.setViewportSize({ width, height: 700 });
      await settled(page, stageOf(page));
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download picture' }).click(),
      ]);
      const png = (await readFile(await file.path())).toString('base64');
      const [left, top, right, bottom] = (await page.evaluate(`(async () => {
      const image = new Image();
      image.src = 'data:image/png;base64,${png}';
      await image.decode();
      const pixels = await (${READ})('${png}');
      const [w, h] = [image.width, image.height];
      let [left, top, right, bottom] = [w, h, 0, 0];
      for (let y = 0; y < h; y++)
        for (let x = 0; x < w; x++)
          if (pixels[(y * w + x) * 4 + 3] > 128) {
            left = Math.min(left, x);
            right = Math.max(right, x + 1);
            top = Math.min(top, y);
            bottom = Math.max(bottom, y + 1);
          }
      return [left / w, top / h, right / w, bottom / h];
    })()`)) as [number, number, number, number];
      expect(Math.max(right - left, bottom - top)).toBeGreaterThan(0.9);
      expect(Math.min(left, top, 1 - right, 1 - bottom)).toBeGreaterThan(0.02);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('handles its keys on the whole page, but not while the user types', SLOW, async () => {
    const { id, draftId } = await model('Lever');
    await upload(draftId, 'lever');
    await convert(draftId, 'lever', [BASE, TOWER]);
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${id}` });
    await page.locator('.stage-words').getByText('120 × 80 × 100 mm').waitFor();
    const isPressed = (name: string) => page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
    await page.keyboard.press('m');
    await expect.poll(() => isPressed('Measure')).toBe('true');
    await page.keyboard.press('Escape');
    await expect.poll(() => isPressed('Measure')).toBe('false');
    await page.getByRole('button', { name: 'Top' }).click();
    await page.keyboard.press('p');
    await expect.poll(() => isPressed('Orthographic')).toBe('true');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.keyboard.type('map');
    expect(await page.getByRole('textbox', { name: 'Document name' }).inputValue()).toContain('map');
    expect([await isPressed('Measure'), await isPressed('Orthographic')]).toEqual(['false', 'true']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows two versions side by side with linked cameras, even if one uses a wrong unit', SLOW, async () => {
    const { id, workspaceId, draftId } = await model('Cube');
    const version = async (edge: number): Promise<string> => {
      await upload(draftId, `cube ${edge}`);
      await convert(draftId, `cube ${edge}`, [{ name: 'Cube', size: [edge, edge, edge] }]);
      return (await pdm.editor.post(`/workspaces/${workspaceId}/versions`)).body.id;
    };
    const [small, large] = [await version(1), await version(1000)];
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', {
      path: `/documents/${id}/compare?from=${small}&to=${large}`,
    });
    const stageIn = (side: 'From' | 'To') =>
      stageOf(page).and(page.getByRole('region', { name: side, exact: true }).getByRole('application'));
    await page.getByText('1 × 1 × 1 mm').waitFor();
    await page.getByText('1,000 × 1,000 × 1,000 mm').waitFor();
    const before = await settled(page, stageIn('To'));
    await stageIn('From').focus();
    await page.keyboard.press('ArrowLeft');
    await differs(page, stageIn('To'), before, 0.01);
    await page.keyboard.press('ArrowRight');
    await differs(page, stageIn('To'), before, 0, 0.002);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('colors the parts that differ between two versions', SLOW, async () => {
    const { id, workspaceId, draftId } = await model('Stand');
    const version = async (source: string, parts: readonly BoxPart[]): Promise<string> => {
      await upload(draftId, source);
      await convert(draftId, source, parts);
      return (await pdm.editor.post(`/workspaces/${workspaceId}/versions`)).body.id;
    };
    const lid: BoxPart = { name: 'Lid', size: [120, 80, 5], at: [0, 0, 100] };
    const from = await version('stand 1', [BASE, TOWER]);
    const to = await version('stand 2', [BASE, { ...TOWER, at: [60, 10, 40] }, lid]);
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', {
      path: `/documents/${id}/compare?from=${from}&to=${to}`,
    });
    const legend = page.locator('.part-differences');
    await legend.getByText('1 added').waitFor();
    expect(await legend.innerText()).toMatch(/1 added\s+1 changed\s+1 same/);
    const right = stageOf(page).and(page.getByRole('region', { name: 'To', exact: true }).getByRole('application'));
    const colored = await settled(page, right);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Color the differences' }).uncheck();
    await differs(page, right, colored, 0.02);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('rotates with one finger, zooms with two, and selects by tap', SLOW, async () => {
    const { id, draftId } = await model('Handle');
    await upload(draftId, 'handle');
    await convert(draftId, 'handle', [BASE]);
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', {
      path: `/documents/${id}`,
      touch: true,
    });
    const stage = stageOf(page);
    await page.locator('.stage-words').getByText('120 × 80 × 40 mm').waitFor();
    await stage.scrollIntoViewIfNeeded();
    const whole = await settled(page, stage);
    const { x, y, width, height } = (await stage.boundingBox())!;
    const [middle, level] = [x + width / 2, y + height / 2];
    const fingers = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: number[]) =>
      fingers.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at.map((left, finger) => ({ x: left, y: level, id: finger })),
      });
    const drawn = async (step: (by: number) => number[]) => {
      await touch('touchStart', ...step(0));
      for (let by = 10; by <= 60; by += 10) await touch('touchMove', ...step(by));
      await touch('touchEnd');
    };
    await drawn((by) => [middle + by]);
    const turned = await differs(page, stage, whole, 0.01);
    const before = await filled(page, stage);
    await drawn((by) => [middle - 100 + by, middle + 100 - by]);
    await differs(page, stage, turned, 0.05);
    expect(await filled(page, stage)).toBeLessThan(before * 0.8);
    await page.touchscreen.tap(middle, level);
    await page.locator('.stage-words').getByText('Base').first().waitFor();

    await page.getByRole('button', { name: 'Section', exact: true }).click();
    const position = page.getByRole('spinbutton', { name: 'Y in mm' });
    expect(await position.inputValue()).toBe('40');
    const handle = page.locator('.plane-handle');
    await handle.scrollIntoViewIfNeeded();
    const at = (await handle.boundingBox())!;
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', by: number) =>
      fingers.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: at.x + at.width / 2 + by, y: at.y + at.height / 2 - by, id: 0 }],
      });
    await finger('touchStart', 0);
    for (let by = 6; by <= 30; by += 6) await finger('touchMove', by);
    await finger('touchEnd', 0);
    await expect.poll(() => position.inputValue()).not.toBe('40');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

/** A screenshot of the stage without its margin, which contains the focus outline. */
async function picture(page: Page, stage: Locator): Promise<string> {
  const { x, y, width, height } = (await stage.boundingBox())!;
  return (await page.screenshot({ clip: { x: x + 8, y: y + 8, width: width - 16, height: height - 16 } })).toString(
    'base64',
  );
}

/** Waits until the picture no longer changes, since edges are drawn later, and returns it. */
async function settled(page: Page, stage: Locator): Promise<string> {
  for (let before = await picture(page, stage), tries = 0; ; tries++) {
    const now = await picture(page, stage);
    if (now === before || tries === 40) return now;
    before = now;
  }
}

/** Waits until the fraction of pixels that differ from another picture is between `min` and `max`. */
async function differs(page: Page, stage: Locator, from: string, min: number, max = 1): Promise<string> {
  for (let tries = 0; ; tries++) {
    const now = await picture(page, stage);
    const part = await difference(page, from, now);
    if (part >= min && part <= max) return now;
    if (tries === 20) throw new Error(`${part} of the picture differs, expected ${min} to ${max}`);
  }
}

// Decodes PNG images; runs in the page.
const READ = `async (png) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + png;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  return pen.getImageData(0, 0, image.width, image.height).data;
}`;

/** The fraction of pixels that differ between two pictures. */
async function difference(page: Page, one: string, other: string): Promise<number> {
  return Number(
    await page.evaluate(`(async () => {
      const read = ${READ};
      const [a, b] = [await read('${one}'), await read('${other}')];
      let differing = 0;
      for (let i = 0; i < a.length; i += 4) if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 30) differing++;
      return differing / (a.length / 4);
    })()`),
  );
}

/** The fraction of pixels that differ from the background, the color of the corner. */
async function filled(page: Page, stage: Locator): Promise<number> {
  const png = await settled(page, stage);
  return Number(
    await page.evaluate(`(async () => {
      const a = await (${READ})('${png}');
      let other = 0;
      for (let i = 0; i < a.length; i += 4) if (Math.abs(a[i] - a[0]) + Math.abs(a[i + 1] - a[1]) + Math.abs(a[i + 2] - a[2]) > 60) other++;
      return other / (a.length / 4);
    })()`),
  );
}
