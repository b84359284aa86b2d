import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MeasureData } from '../../subgraphs/core/domain/measure/measure-data.ts';
import { mapPoint, type Point } from '../../subgraphs/core/domain/measure/vector.ts';
import { asmJson, assemblies } from '../support/assemblies.ts';
import { boxModel } from '../support/box-model.ts';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { tipOfXArrow } from '../support/gizmo.ts';
import { createModelDocument, deliverGlb, uploadSource } from '../support/model-documents.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const SLOW = { timeout: 90_000 };

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('building assemblies in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  let drawing: Browser;
  beforeAll(async () => {
    [pdm, browser, drawing] = await Promise.all([startPdm(), startBrowser({ flat: true }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await drawing?.close();
    await pdm?.close();
  });

  const structureOf = async (draftId: string) =>
    JSON.parse((await pdm.viewer.get(`/versions/${draftId}/artifacts/asm-json/file`)).bytes.toString());
  const transformsOf = async (draftId: string): Promise<(string | undefined)[]> =>
    (await structureOf(draftId)).instances.map(({ transform }: { transform?: string }) => transform);
  /** Opens the components of an assembly with a bill of materials. */
  const editing = async (
    assembly: { id: string; number: string },
    { draw = false, ...options }: { draw?: boolean; dark?: boolean; touch?: boolean } = {},
  ) => {
    const visited = await visit(draw ? drawing : browser, pdm, 'editor', {
      path: `/documents/${assembly.id}/bom`,
      ...options,
    });
    await visited.page.getByRole('button', { name: 'Edit components…' }).click();
    const dialog = visited.page.getByRole('dialog', { name: `Components of ${assembly.number}` });
    const list = dialog.getByRole('listbox', { name: 'Components' });
    await list.waitFor();
    return { ...visited, dialog, list };
  };
  const enter = async (dialog: Locator, name: string | RegExp, value: string) => {
    await dialog.getByRole('spinbutton', { name }).fill(value);
    await dialog.getByRole('spinbutton', { name }).press('Tab');
  };
  const saved = async (page: Page, dialog: Locator, { number }: { number: string }) => {
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Saved the components of ${number}.`).waitFor();
  };

  it('builds an empty assembly from parts found by search, and explains what cannot be added', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const plate = await make.part({ name: 'Base plate' });
    const bolt = await make.model({ name: 'Clamp bolt' });
    await make.release(bolt);
    const draftOnly = await make.model({ name: 'Unfinished cover' });
    const old = await make.part({ name: 'Retired cover' });
    await pdm.editor.post(`/documents/${old.id}/archive`, {});
    const frame = await make.draft([], { name: 'Frame' });
    const machine = await make.draft([[frame, 1]], { name: 'Machine above' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${frame.id}` });
    await page.getByRole('button', { name: 'Import a STEP assembly' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add parts' }).click();
    const dialog = page.getByRole('dialog', { name: `Components of ${frame.number}` });
    const search = dialog.getByRole('combobox', { name: 'Add a part or assembly' });
    const option = async (text: string) => {
      await search.fill(text);
      return dialog.getByRole('option', { name: new RegExp(`^${text}`, 'i') });
    };
    await (await option('Machine above')).getByText(`${machine.number} contains this assembly.`).waitFor();
    await (await option('Retired cover')).getByText(`${old.number} is archived.`).waitFor();
    const unfinished = await option('Unfinished cover');
    await unfinished.getByText(`${draftOnly.number} has no version yet.`).waitFor();
    expect(await barriers(page)).toEqual([]);
    await unfinished.click();
    await dialog.getByRole('alert').getByText(`${draftOnly.number} has no version yet.`).waitFor();
    expect(await barriers(page)).toEqual([]);
    await (await option('Base plate')).click();
    await dialog.getByText('1 component in 1 place').waitFor();
    await (await option('Clamp bolt')).click();
    await dialog.getByText('2 components in 2 places').waitFor();
    await enter(dialog, `Quantity of ${bolt.number}`, '3');
    await dialog.getByText('2 components in 4 places').waitFor();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('2 components in 2 places').waitFor();
    await dialog.getByRole('button', { name: 'Redo' }).click();
    await dialog.getByText('2 components in 4 places').waitFor();
    await dialog.getByRole('combobox', { name: `Version of ${bolt.number}` }).selectOption({ label: 'Rev A' });
    await enter(dialog, `Place of ${bolt.number}`, '2');
    await enter(dialog, `X of ${bolt.number}_2 in mm`, '40');
    await enter(dialog, `Rotation of ${bolt.number}_2 about Z in degrees`, '90');
    expect(await barriers(page)).toEqual([]);
    await saved(page, dialog, frame);
    const { templates } = await structureOf(frame.draftId);
    expect(templates.map(({ reference }: { reference: { location: string } }) => reference.location)).toEqual([
      `pdm://documents/${plate.id}`,
      `pdm://documents/${bolt.id}@A`,
    ]);
    expect(await transformsOf(frame.draftId)).toEqual([
      undefined,
      undefined,
      '[[0,-1,0,40],[1,0,0,0],[0,0,1,0],[0,0,0,1]]',
      undefined,
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('copies instances in lines and circles, and moves components to another find number', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const [flange, screw] = [await make.part({ name: 'Flange' }), await make.part({ name: 'Screw' })];
    const pipe = await make.draft(
      [
        [flange, 1],
        [screw, 1],
      ],
      { name: 'Pipe' },
    );
    const { page, context, dialog, list, complaints } = await editing(pipe, { dark: true });
    await list.focus();
    await page.keyboard.press('End');
    await enter(dialog, 'X of t1-0 in mm', '50');
    await dialog.getByText('Copies', { exact: true }).first().click();
    await enter(dialog, `Copies of ${screw.number}`, '3');
    await dialog.getByRole('combobox', { name: `Pattern of ${screw.number}` }).selectOption('in a circle');
    await dialog.getByRole('button', { name: 'Add 3 copies' }).click();
    await dialog.getByText('2 components in 5 places').waitFor();
    expect(await barriers(page)).toEqual([]);
    await enter(dialog, `Find number of ${screw.number}`, '1');
    expect(await list.getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/^1\s+PRT-\d+ Screw/),
      expect.stringMatching(/^2\s+PRT-\d+ Flange/),
    ]);
    await list.focus();
    await page.keyboard.press('ArrowDown');
    await enter(dialog, 'Z of t0-0 in mm', '-8');
    await enter(dialog, `Step along Z of ${flange.number} in mm`, '100');
    await dialog.getByRole('button', { name: 'Add 1 copy' }).click();
    await dialog.getByText('2 components in 6 places').waitFor();
    await saved(page, dialog, pipe);
    const { templates, instances } = await structureOf(pipe.draftId);
    expect(templates.map(({ ident }: { ident: string }) => ident)).toEqual(['t1', 't0']);
    const transforms = (template: string) =>
      instances
        .filter((instance: { template: string }) => instance.template === template)
        .map(({ transform }: { transform: string }) => transform);
    expect(transforms('t0')).toEqual(['[0,0,-8]', '[0,0,92]']);
    expect(transforms('t1')).toEqual([
      '[50,0,0]',
      '[[0,-1,0,0],[1,0,0,50],[0,0,1,0],[0,0,0,1]]',
      '[[-1,0,0,-50],[0,-1,0,0],[0,0,1,0],[0,0,0,1]]',
      '[[0,1,0,0],[-1,0,0,-50],[0,0,1,0],[0,0,0,1]]',
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows what somebody else has saved meanwhile, and applies the own changes to it', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const [spring, washer] = [await make.part({ name: 'Spring' }), await make.part({ name: 'Washer' })];
    const valve = await make.draft([[spring, 2]], { name: 'Valve' });
    const { page, context, dialog, complaints } = await editing(valve);
    await dialog.getByRole('option', { name: spring.number }).click();
    await enter(dialog, `Quantity of ${spring.number}`, '3');
    const theirs = asmJson([
      [spring, 4],
      [washer, 1],
    ]);
    expect((await pdm.admin.upload(valve.draftId, 'asm-json', theirs, { fileName: 'asm.json' })).status).toBe(201);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const conflict = dialog.getByRole('alert', { name: 'Changes by somebody else' });
    await conflict.getByText(/has changed this assembly .* while you edited it. Nothing was saved./).waitFor();
    await conflict.getByText('Washer').waitFor();
    expect(await conflict.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining(`${spring.number} Spring: quantity 2 → 4`),
      expect.stringContaining(`${washer.number} Washer: added, quantity 1`),
      expect.stringContaining(`${spring.number} Spring: quantity 2 → 3`),
    ]);
    expect(await barriers(page)).toEqual([]);
    expect((await structureOf(valve.draftId)).instances).toHaveLength(5);
    await conflict.getByRole('button', { name: 'Reload and apply my changes' }).click();
    await dialog.getByText('2 components in 6 places').waitFor();
    const written = Promise.withResolvers<void>();
    await page.route('**/artifacts?kind=asm-json', async (request) => {
      await written.promise;
      await request.continue();
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    // what is changed while it is saved would be lost
    await dialog.locator('[inert]').getByRole('listbox', { name: 'Components', includeHidden: true }).waitFor();
    written.resolve();
    await page.getByText(`Saved the components of ${valve.number}.`).waitFor();
    expect((await structureOf(valve.draftId)).instances).toHaveLength(6);
    // the browser reports the rejected write
    expect(complaints.filter((each) => !each.includes('412'))).toEqual([]);
    await context.close();
  });

  it('discards the own changes only when asked to', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const [cover, seal] = [await make.part({ name: 'Cover' }), await make.part({ name: 'Seal' })];
    const pump = await make.draft([[cover, 1]], { name: 'Pump' });
    const folder = (await pdm.editor.post('/folders', { name: 'Pumps' })).body;
    await pdm.editor.post('/documents/move', { ids: [pump.id], folderId: folder.id });
    const { page, context, dialog } = await editing(pump);
    await dialog.getByRole('button', { name: 'Folders' }).click();
    await dialog.getByText('No other documents in this folder.').waitFor();
    await dialog.getByRole('option', { name: cover.number }).click();
    await page.keyboard.press('Delete');
    await dialog.getByText('No components yet.').waitFor();
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.waitFor();
    expect(await barriers(page)).toEqual([]);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByText('No components yet.').waitFor();
    await pdm.admin.upload(pump.draftId, 'asm-json', asmJson([[seal, 2]]), { fileName: 'asm.json' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Discard mine' }).click();
    await dialog.getByText('1 component in 2 places').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click(); // nothing is left to discard
    await dialog.waitFor({ state: 'detached' });
    expect((await structureOf(pump.draftId)).templates[0].reference.location).toBe(`pdm://documents/${seal.number}`);
    await context.close();
  });

  /** A box with a 3D model and exact faces, and one version. */
  const box = async (name: string, size: Point, measure = boxFaces(name, size)) => {
    const { id, draftId, workspaceId } = await createModelDocument(pdm, name);
    await uploadSource(pdm, draftId, name);
    await deliverGlb(pdm, draftId, name, await boxModel(name, [{ name, size }]), { measure: JSON.stringify(measure) });
    expect((await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {})).status).toBe(201);
    const { number } = (await pdm.editor.get(`/documents/${id}`)).body;
    return { id, draftId, workspaceId, number: String(number) };
  };
  /** Shows the selected component from above, in the middle of the 3D view. Returns the middle. */
  const showFromAbove = async (page: Page, dialog: Locator) => {
    const stage = dialog.getByRole('application');
    await stage.locator('canvas').waitFor();
    await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
    await stage.focus();
    await page.keyboard.press('2');
    await page.keyboard.press('f');
    const { x, y, width, height } = (await stage.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const numberIn = async (dialog: Locator, name: string) =>
    Number(await dialog.getByRole('spinbutton', { name }).inputValue());

  it('moves the component that was picked in the 3D view with the gizmo, in steps', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const [plate, block] = [await box('Plate', [120, 80, 40]), await box('Block', [30, 30, 60])];
    const jig = await make.draft(
      [
        [plate, 1],
        [block, 1],
      ],
      { name: 'Jig' },
    );
    const { page, context, dialog, list, complaints } = await editing(jig, { draw: true });
    const middle = await showFromAbove(page, dialog);
    expect(await barriers(page)).toEqual([]);
    await page.mouse.click(middle.x, middle.y);
    await dialog.getByText('Drag an arrow to move t0-0.').waitFor();
    expect(await list.getByRole('option', { selected: true }).innerText()).toContain(plate.number);
    await dialog.getByRole('combobox', { name: 'Step' }).selectOption('10 mm');
    const arrow = await tipOfXArrow(page, dialog.getByRole('application'));
    await page.mouse.move(...arrow);
    await page.mouse.down();
    await page.mouse.move(arrow[0] + 60, arrow[1] + 25, { steps: 4 });
    await dialog.getByText(/^X \d+ Y 0 Z 0 mm · 0° 0° 0°$/).waitFor();
    await page.mouse.move(...arrow, { steps: 4 });
    await page.mouse.up(); // where it was: nothing changes
    await dialog.getByText('Drag an arrow to move t0-0.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await page.mouse.down();
    await page.mouse.move(arrow[0] + 30, arrow[1] + 12, { steps: 2 });
    // a part that is selected during the drag does not move
    await list.getByRole('option', { name: block.number }).evaluate((option) => (option as HTMLElement).click());
    await page.mouse.move(arrow[0] + 60, arrow[1] + 25, { steps: 4 });
    await dialog.getByText(/^X \d+ Y 0 Z 0 mm · 0° 0° 0°$/).waitFor();
    await page.mouse.up();
    expect(await numberIn(dialog, 'X of t1-0 in mm')).toBe(0);
    await list.getByRole('option', { name: plate.number }).click();
    await expect.poll(() => numberIn(dialog, 'X of t0-0 in mm'), { timeout: 10_000 }).toBeGreaterThan(0);
    expect((await numberIn(dialog, 'X of t0-0 in mm')) % 10).toBe(0);
    expect([await numberIn(dialog, 'Y of t0-0 in mm'), await numberIn(dialog, 'Z of t0-0 in mm')]).toEqual([0, 0]);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    expect(await numberIn(dialog, 'X of t0-0 in mm')).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true); // one drag is one change
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('snaps a plane to a plane, and flips it', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const [table, tool] = [await box('Table', [120, 80, 40]), await box('Tool', [30, 30, 60])];
    const bench = await make.draft(
      [
        [table, 1],
        [tool, 1],
      ],
      { name: 'Bench' },
    );
    const { page, context, dialog, complaints } = await editing(bench, { draw: true, dark: true });
    await dialog.getByRole('option', { name: tool.number }).click();
    await enter(dialog, 'X of t1-0 in mm', '200');
    await dialog.getByRole('button', { name: 'Snap' }).click();
    const onTool = await showFromAbove(page, dialog);
    await page.mouse.click(onTool.x, onTool.y);
    await dialog.getByText('t1-0: now pick a face or edge of another component.').waitFor();
    await dialog.getByRole('option', { name: table.number }).click();
    const onTable = await showFromAbove(page, dialog);
    await page.mouse.click(onTable.x, onTable.y);
    await dialog.getByText('t1-0 was placed.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('option', { name: tool.number }).click();
    const place = async () => Promise.all(['X', 'Y', 'Z'].map((axis) => numberIn(dialog, `${axis} of t1-0 in mm`)));
    expect(await place()).toEqual([230, 0, 100]); // upside down on the table
    await dialog.getByRole('button', { name: 'Flip' }).click();
    await expect.poll(place).toEqual([200, 0, -20]); // the tops are flush
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(place).toEqual([200, 0, 0]);
    expect(await dialog.getByRole('button', { name: 'Flip' }).count()).toBe(0); // nothing is snapped
    await dialog.getByRole('button', { name: 'Redo' }).click();
    await dialog.getByRole('button', { name: 'Flip' }).waitFor();
    await saved(page, dialog, bench);
    expect(await transformsOf(bench.draftId)).toEqual([undefined, '[[-1,0,0,230],[0,1,0,0],[0,0,-1,100],[0,0,0,1]]']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('adds documents of a folder, which are dragged or added with a button', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const folder = (await pdm.editor.post('/folders', { name: 'Drawer parts' })).body;
    const [front, handle] = [await box('Drawer front', [100, 100, 10]), await make.part({ name: 'Drawer handle' })];
    const draftOnly = await make.model({ name: 'Drawer lock' });
    const drawer = await make.draft([[front, 1]], { name: 'Drawer' });
    const ids = [front.id, handle.id, draftOnly.id, drawer.id];
    await pdm.editor.post('/documents/move', { ids, folderId: folder.id });
    const { page, context, dialog, complaints } = await editing(drawer, { draw: true });
    await showFromAbove(page, dialog);
    await dialog.getByRole('button', { name: 'Folders' }).click();
    const browser = dialog.getByRole('region', { name: 'Documents of a folder' });
    const item = (name: string) => browser.getByRole('listitem').filter({ hasText: name });
    await item('Drawer lock').getByText(`${draftOnly.number} has no version yet.`).waitFor();
    expect(await browser.getByRole('listitem').count()).toBe(3); // not the assembly itself
    expect(await barriers(page)).toEqual([]);
    await item('Drawer handle').dragTo(dialog.getByRole('application'));
    await dialog.getByText('2 components in 2 places').waitFor();
    await item('Drawer front')
      .getByRole('button', { name: `Add ${front.number}` })
      .click();
    await dialog.getByText('3 components in 3 places').waitFor();
    await browser.getByRole('combobox', { name: 'Folder' }).selectOption('Unfiled');
    await item('Drawer').first().waitFor({ state: 'detached' });
    await saved(page, dialog, drawer);
    expect(JSON.parse((await transformsOf(drawer.draftId))[1] ?? '')[2]).toBeCloseTo(10, -1); // on the front
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('snaps a plane to the axis of a cylinder', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const size: Point = [100, 60, 20];
    const measure = boxFaces('Roller', size);
    const [part] = measure.parts;
    const top = part!.faces.at(-1)!;
    const cylinder = {
      ...top,
      kind: 'cylinder' as const,
      at: [50, 30, 0] as Point,
      direction: [1, 0, 0] as Point,
      radius: 20,
    };
    const roller = await box('Roller', size, {
      ...measure,
      parts: [{ ...part!, faces: [...part!.faces.slice(0, -1), cylinder] }],
    });
    const wedge = await box('Wedge', [30, 30, 60]);
    const mill = await make.draft(
      [
        [roller, 1],
        [wedge, 1],
      ],
      { name: 'Mill' },
    );
    const { page, context, dialog, complaints } = await editing(mill, { draw: true });
    await dialog.getByRole('option', { name: wedge.number }).click();
    await enter(dialog, 'X of t1-0 in mm', '200');
    await dialog.getByRole('button', { name: 'Snap' }).click();
    const onWedge = await showFromAbove(page, dialog);
    await page.mouse.click(onWedge.x, onWedge.y);
    await dialog.getByText('t1-0: now pick a face or edge of another component.').waitFor();
    await dialog.getByRole('option', { name: roller.number }).click();
    const onRoller = await showFromAbove(page, dialog);
    await page.mouse.click(onRoller.x, onRoller.y);
    await dialog.getByText('t1-0 was placed.').waitFor();
    await dialog.getByRole('option', { name: wedge.number }).click();
    expect(await numberIn(dialog, 'Z of t1-0 in mm')).toBe(-60); // its top is at the height of the axis
    expect(complaints).toEqual([]);
    await context.close();
  });

  it(
    'shows a component whose exact faces cannot be read, and keeps edits made while a drop is read',
    SLOW,
    async () => {
      const make = assemblies(pdm.editor);
      const [rail, hook] = [await box('Rail', [200, 40, 10]), await make.part({ name: 'Coat hook' })];
      const rack = await make.draft([[rail, 1]], { name: 'Rack' });
      const { page, context, complaints } = await visit(drawing, pdm, 'editor', { path: `/documents/${rack.id}/bom` });
      const { items } = (await pdm.viewer.get(`/documents/${rail.id}/versions`)).body;
      const files = (await pdm.viewer.get(`/versions/${items[0].id}/artifacts`)).body.items;
      const { id: measureId } = files.find(({ kind }: { kind: string }) => kind === 'measure');
      await page.route(`**/artifacts/${measureId}/file`, (request) => request.fulfill({ status: 500, json: {} }));
      const read = Promise.withResolvers<void>();
      await page.route('**/graphql', async (request) => {
        if (request.request().postData()?.includes('query FindComponent')) await read.promise;
        await request.continue();
      });
      await page.getByRole('button', { name: 'Edit components…' }).click();
      const dialog = page.getByRole('dialog', { name: `Components of ${rack.number}` });
      const middle = await showFromAbove(page, dialog);
      await page.mouse.click(middle.x, middle.y);
      await dialog.getByText('Drag an arrow to move t0-0.').waitFor();
      await dialog.getByRole('combobox', { name: 'Add a part or assembly' }).fill('Coat hook');
      const found = dialog.getByRole('option', { name: /^Coat hook/ }).locator('.candidate');
      await Promise.all([
        page.waitForRequest((request) => request.postData()?.includes('query FindComponent') ?? false),
        found.dragTo(dialog.getByRole('listbox', { name: 'Components' })),
      ]);
      await enter(dialog, `Quantity of ${rail.number}`, '4');
      await dialog.getByText('1 component in 4 places').waitFor();
      read.resolve();
      await dialog.getByText('2 components in 5 places').waitFor();
      await saved(page, dialog, rack);
      expect((await structureOf(rack.draftId)).instances).toHaveLength(5);
      expect((await structureOf(rack.draftId)).templates[1].reference.location).toBe(`pdm://documents/${hook.id}`);
      expect(complaints.filter((each) => !each.includes('500'))).toEqual([]);
      await context.close();
    },
  );

  it('adds a document that is dragged from the search into the list or the 3D view', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const base = await box('Base', [100, 100, 10]);
    const knob = await make.part({ name: 'Rotary knob' });
    const panel = await make.draft([[base, 1]], { name: 'Panel' });
    const { page, context, dialog, list, complaints } = await editing(panel, { draw: true });
    await showFromAbove(page, dialog);
    const drag = async (target: Locator) => {
      await dialog.getByRole('combobox', { name: 'Add a part or assembly' }).fill('Rotary knob');
      await dialog
        .getByRole('option', { name: /^Rotary knob/ })
        .locator('.candidate')
        .dragTo(target);
    };
    await drag(dialog.getByRole('application'));
    await dialog.getByText('2 components in 2 places').waitFor();
    await drag(list);
    await dialog.getByText('3 components in 3 places').waitFor();
    await saved(page, dialog, panel);
    const { templates } = await structureOf(panel.draftId);
    expect(templates.slice(1).map(({ reference }: { reference: { location: string } }) => reference.location)).toEqual([
      `pdm://documents/${knob.id}`,
      `pdm://documents/${knob.id}`,
    ]);
    const [, onBase, inList] = await transformsOf(panel.draftId);
    expect(JSON.parse(onBase ?? '')).toEqual([50, 50, 10].map((each) => expect.closeTo(each, -1)));
    expect(inList).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says that a dropped document no longer exists', SLOW, async () => {
    const make = assemblies(pdm.editor);
    const [shaft, brief] = [await make.part({ name: 'Shaft' }), await make.part({ name: 'Short-lived bush' })];
    const gear = await make.draft([[shaft, 1]], { name: 'Gear' });
    const { page, context, dialog, list, complaints } = await editing(gear);
    await dialog.getByRole('combobox', { name: 'Add a part or assembly' }).fill('Short-lived bush');
    const found = dialog.getByRole('option', { name: /^Short-lived bush/ }).locator('.candidate');
    await found.waitFor();
    expect((await pdm.editor.delete(`/documents/${brief.id}`)).status).toBe(204);
    await found.dragTo(list);
    await page.getByText('A dropped document no longer exists.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

/** The measuring data of a box as `boxModel` writes it: two triangles for each face. */
function boxFaces(name: string, size: Point): MeasureData {
  const faces = [0, 1, 2].flatMap((axis) =>
    [0, 1].map((end) => ({
      kind: 'plane' as const,
      accuracy: 'exact' as const,
      at: mapPoint(size, (each, at) => (at === axis ? each * end : each / 2)),
      direction: mapPoint(size, (_, at) => (at === axis ? end * 2 - 1 : 0)),
      area: size.reduce((area, each, at) => (at === axis ? area : area * each), 1),
      areaError: 0,
      triangles: [0, (axis * 2 + end) * 2, 2] as const,
    })),
  );
  return {
    units: 'mm',
    chordError: 0.1,
    parts: [{ name, mesh: 0, faces, edges: [] }],
    placements: [{ part: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] }],
  };
}
