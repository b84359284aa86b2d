import type { Browser, Locator, Page } from 'playwright-core';
import * as cad from 'replicad';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convert } from '../../scheduler/engines/occt/convert.ts';
import { kernel, stepOf } from '../../scheduler/engines/occt/test-models.ts';
import { boxModel } from '../support/box-model.ts';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { createModelDocument, deliverGlb, uploadSource } from '../support/model-documents.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const SLOW = { timeout: 90_000 };

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('measuring in the 3D view'), () => {
  let pdm: Pdm;
  let browser: Browser;
  let plate: Uint8Array;
  let exactData: Uint8Array;
  beforeAll(async () => {
    const [service, chromium, converted] = await Promise.all([startPdm(), startBrowser(), plateModel()]);
    [pdm, browser, plate, exactData] = [service, chromium, converted.glb, converted.measure!];
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  /** Opens a page that shows a model in parallel projection, with measuring on. */
  const measuring = async (
    name: string,
    glb: Uint8Array,
    { measure, ...options }: { dark?: boolean; touch?: boolean; measure?: Uint8Array } = {},
  ) => {
    const { id, draftId } = await createModelDocument(pdm, name);
    await uploadSource(pdm, draftId, name);
    await deliverGlb(pdm, draftId, name, glb, measure ? { measure } : {});
    const visited = await visit(browser, pdm, 'viewer', { path: `/documents/${id}`, ...options });
    const { page } = visited;
    const stage = page.getByRole('application', { name: /^3D view/ });
    await page.getByRole('button', { name: 'Orthographic' }).click();
    await page.getByRole('button', { name: 'Measure', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Measurements' });
    await panel.getByText('Pick the first point').waitFor();
    return { ...visited, stage, panel, list: panel.getByRole('listitem') };
  };

  it('measures the distance between corners, copies it and removes it', SLOW, async () => {
    const { page, context, stage, panel, list, complaints } = await measuring('Plate', plate);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const button = page.getByRole('button', { name: 'Measure', exact: true });
    expect(await button.getAttribute('aria-pressed')).toBe('true');

    // clicks a few pixels beside the corners, bounds from above
    const top = await showView(page, stage, '2');
    await page.mouse.move(...top(0, 0, 4));
    await page.locator('.stage-measures .pointed').waitFor();
    await page.mouse.click(...top(0, 0, 4));
    await panel.getByText('From vertex at x 0, y 0, z 40 mm').waitFor();
    await page.mouse.click(...top(1, 1, -4));
    await list.getByText('144.222 mm').waitFor();
    expect(await list.innerText()).toContain('dx 120, dy 80, dz 0 mm');
    expect(await page.locator('.stage-measures text').textContent()).toBe('144.222 mm');
    expect(await panel.innerText()).toContain('curved faces can be off by up to 0.1 mm');

    // picks an edge midpoint, clears it and picks it again
    await page.mouse.click(...top(0.5, 0, 3));
    await panel.getByText('From edge midpoint at x 60, y 0, z 40 mm').waitFor();
    await page.keyboard.press('Escape');
    await panel.getByText('Pick the first point').waitFor();
    await page.mouse.click(...top(0.5, 0, 3));
    await page.mouse.click(...top(0.5, 1, 3, -3));
    await list.first().getByText('80 mm', { exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);

    await panel.getByRole('button', { name: 'Copy measurement 1' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toMatch(/^144\.222 mm \(dx 120, dy 80, dz 0 mm\); from vertex at/);
    await panel.getByRole('button', { name: 'Remove measurement 2' }).press('Enter');
    await page.keyboard.press('Escape'); // the focus is back in the view
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    expect(await list.allInnerTexts()).toEqual([expect.stringContaining('144.222 mm')]);
    await panel.getByRole('button', { name: 'Clear' }).press('Enter');
    expect([await panel.count(), await page.locator('.stage-measures').count()]).toEqual([0, 0]);
    await page.keyboard.press('m');
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('measures the distance between parallel planes and the angle between other planes', SLOW, async () => {
    const { page, context, stage, panel, list, complaints } = await measuring('Faces', plate);
    const from = (view: string) => showView(page, stage, view);
    await page.mouse.click(...(await from('2'))(0.25, 0.3));
    await panel.getByText('From planar face at').waitFor();
    await page.mouse.click(...(await from('5'))(0.75, 0.3));
    await list.first().getByText('parallel planes 40 mm apart').waitFor();
    await page.mouse.click(...(await from('2'))(0.25, 0.3));
    await page.mouse.click(...(await from('1'))(0.3, 0.3));
    await list.first().getByText('90° between the planes').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('picks points on the section, not in the removed part, and measures the diameter of a hole', SLOW, async () => {
    const { page, context, stage, panel, list, complaints } = await measuring('Drilled', plate, { dark: true });
    const whole = await showView(page, stage, '1');
    await page.mouse.click(...whole(0.5, 0.4));
    await panel.getByText(/From planar face at x (59\.\d+|60[.\d]*), y 0, z/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Section' }).click();
    await stage.focus();
    const front = await showView(page, stage, '1');
    await page.mouse.click(...front(0.1, 0.4));
    await panel.getByText(/From cut face at x 1[\d.]+, y 40, z/).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(...front(0.48, 0.4));
    await panel.getByText(/From cylinder at .* diameter 20 mm/).waitFor();
    await page.mouse.click(...front(0.52, 0.6));
    await list.getByText('diameter 20 mm').waitFor();
    await list.getByText('coaxial').waitFor();
    await page.mouse.click(...front(0, 1, 3, -3));
    await panel.getByText('From cut edge at x 0, y 40, z 40 mm').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('measures exact faces, edges and centers, and shows how accurate each value is', SLOW, async () => {
    const { page, context, stage, panel, list, complaints } = await measuring('Exact', plate, { measure: exactData });
    const shown = page.locator('.stage-measures .entity');
    await panel.getByText('Each value says whether it is exact').waitFor();
    const top = await showView(page, stage, '2');
    await page.mouse.click(...top(0.5, 0.5));
    await panel.getByText('From center at x 60, y 40, z 40 mm').waitFor();
    await page.mouse.move(...top(0.25, 0.3));
    await shown.getByText('normal (0, 0, 1)').waitFor();
    await page.mouse.click(...(await showView(page, stage, '1'))(0.3, 0.3));
    await list.first().getByText('40 mm (exact)', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Section' }).click();
    await stage.focus();
    const front = await showView(page, stage, '1');
    await page.mouse.move(...front(0.48, 0.4));
    await shown.getByText('diameter 20 mm (exact)').waitFor();
    expect(await shown.locator('tspan').allTextContents()).toEqual([
      'hole',
      'diameter 20 mm (exact)',
      'radius 10 mm (exact)',
      'area 2,513.274123 mm² (exact)',
      'center (60, 40, 20)',
      expect.stringMatching(/^axis \(0, 0, -?1\)$/),
    ]);
    await page.mouse.click(...front(0.48, 0.4));
    await panel.getByText(/^From face at .*: hole, diameter 20 mm \(exact\)/).waitFor();
    await page.mouse.click(...(await showView(page, stage, '6'))(0.3, 0.3));
    await list.first().getByText('60 mm (exact)', { exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('measures with the keyboard alone and ignores hidden and covered parts', SLOW, async () => {
    const parts = [
      { name: 'Base', size: [120, 80, 40] },
      { name: 'Tower', size: [60, 40, 60], at: [30, 20, 40] },
      { name: 'Core', size: [10, 10, 10], at: [60, 40, 45] }, // inside the tower, with a corner below its middle
    ] as const;
    const { page, context, stage, panel, list, complaints } = await measuring(
      'Housing',
      await boxModel('Housing', parts),
    );
    await showView(page, stage, '2');
    await page.keyboard.press('Enter');
    await panel.getByText('From planar face of Tower at x 60, y 40, z 100 mm').waitFor();
    await page.getByRole('button', { name: 'Hide Tower' }).click();
    await stage.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await panel.getByText('vertex of Core at x 60, y 40, z 55 mm').waitFor();
    await page.getByRole('button', { name: 'Hide Core' }).click();
    await stage.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await panel.getByText(/^planar face of Base at x 6[\d.]+, y 40, z 40 mm/).waitFor();
    for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key);
    await list.getByText('parallel planes 60 mm apart').waitFor();
    await list.getByText('one point on a hidden part').waitFor();
    expect(await page.locator('.stage-measures text').count()).toBe(1);
    await page.getByRole('button', { name: 'Hide Base' }).click();
    await list.getByText('both points on hidden parts, not drawn').waitFor();
    expect(await page.locator('.stage-measures text').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await page.locator('.stage-measures text').textContent()).toBe('60 mm');
    expect(await list.innerText()).not.toContain('hidden');
    await stage.focus();
    expect(await list.innerText()).toContain('dx 0, dy 0, dz -60 mm');
    expect(await panel.innerText()).toContain('by an unknown amount');
    const button = page.getByRole('button', { name: 'Measure', exact: true });
    await page.keyboard.press('m');
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    await button.press('Enter');
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Escape');
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('works by touch on a small screen', SLOW, async () => {
    const { page, context, stage, list, complaints } = await measuring('Tapped', plate, { touch: true });
    const top = await showView(page, stage, '2');
    await page.touchscreen.tap(...top(0, 0, 12));
    await page.touchscreen.tap(...top(1, 0, -12, 12));
    await list.getByText('120 mm').first().waitFor();
    expect(await list.innerText()).toContain('dx 120, dy 0, dz 0 mm');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

/** A plate of 120 × 80 × 40 mm with a 20 mm hole through its center, converted from STEP by the engine. */
async function plateModel() {
  const drilled = cad.makeBox([0, 0, 0], [120, 80, 40]).cut(cad.makeCylinder(10, 60, [60, 40, -10], [0, 0, 1]));
  return convert(await stepOf(drilled), async () => kernel, 1e9, { log: () => {}, progress: () => {} });
}

/**
 * Shows a standard view. Returns a function from fractions of the model's width and height (from bottom left), plus an
 * offset in pixels, to window coordinates.
 */
async function showView(page: Page, stage: Locator, view: string) {
  await stage.scrollIntoViewIfNeeded();
  await stage.focus();
  await page.keyboard.press(view);
  const { x, y } = (await stage.boundingBox())!;
  let bounds = await silhouette(page, stage);
  for (let tries = 0, before = ''; before !== JSON.stringify(bounds) && tries < 20; tries++) {
    before = JSON.stringify(bounds);
    bounds = await silhouette(page, stage);
  }
  const { left, right, top, bottom } = bounds;
  return (along: number, up: number, right_ = 0, up_ = right_): [number, number] => [
    x + left + (right - left) * along + right_,
    y + bottom - (bottom - top) * up - up_,
  ];
}

/** The bounds of the model on the stage, in pixels: rows and columns that are more than a fifth foreground. */
async function silhouette(
  page: Page,
  stage: Locator,
): Promise<{ left: number; right: number; top: number; bottom: number }> {
  const box = (await stage.boundingBox())!;
  const png = (await page.screenshot({ clip: box, scale: 'css' })).toString('base64');
  const found: unknown = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const { width, height } = image;
    const pen = new OffscreenCanvas(width, height).getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, width, height);
    const background = [0, 1, 2].map((part) => data[(20 * width + 20) * 4 + part]);
    const margin = 8; // for the focus outline
    const inside = (x, y) => x >= margin && y >= margin && x < width - margin && y < height - margin;
    const differs = (x, y) => inside(x, y) && [0, 1, 2].reduce((sum, part) => sum + Math.abs(data[(y * width + x) * 4 + part] - background[part]), 0) > 60;
    const count = (total, at) => { let found = 0; for (let i = 0; i < total; i++) if (at(i)) found++; return found; };
    const columns = [...Array(width).keys()].filter((x) => count(height, (y) => differs(x, y)) > height / 5);
    const rows = [...Array(height).keys()].filter((y) => count(width, (x) => differs(x, y)) > width / 5);
    return { left: columns[0], right: columns.at(-1) + 1, top: rows[0], bottom: rows.at(-1) + 1 };
  })()`);
  return found as { left: number; right: number; top: number; bottom: number };
}
