import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, asmJson, assemblies } from '../support/assemblies.ts';
import { barriers, hasFocus, startBrowser, visit } from '../support/browser.ts';
import { sha256Of } from '../support/content.ts';
import { dropFile, stepAssembly } from '../support/dropped-files.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const STEP = 'ISO-10303-21; a bracket';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const PROPERTIES = {
  units: 'mm',
  boundingBox: { size: [80, 40, 12] },
  volume: 38_400,
  valid: true,
  warnings: ['a sliver face'],
};

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('a document in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });
  const drop = (page: Page, at: string, name: string, content: string) =>
    dropFile(page.locator(at).first(), name, content);
  const claim = async () =>
    (await pdm.worker.post('/jobs/claim', { workerId: 'w', types: ['convert'], environment: { engine: 'occt' } })).body;

  it('creates a document in a folder', async () => {
    const { page, context, complaints } = await visit(browser, pdm);
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Brackets 金具');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: /^Brackets 金具/ }).waitFor();
    await page.getByRole('button', { name: 'New document' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Angle bracket 80×40');
    await page.getByRole('dialog').getByLabel('Number').fill('BRK-7');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const document = page.getByRole('article', { name: 'BRK-7 Angle bracket 80×40' });
    await document.getByText('not released').waitFor();
    expect(await document.innerText()).toContain('Brackets 金具');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('uploads a file and shows the progress of its job up to the thumbnail', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/documents/BRK-7' });
    const document = page.getByRole('article', { name: 'BRK-7 Angle bracket 80×40' });
    await document.getByText('not released').waitFor();
    await drop(page, '.document-drop', '金具.step', STEP);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText(/waiting for an engine/).waitFor();
    const job = await claim();
    await pdm.worker.post(`/jobs/${job.id}/heartbeat`, { percent: 40, step: 'meshed', log: ['one solid'] });
    await uploads.getByText(/40 % · meshed/).waitFor();
    await uploads.getByText('Log').click();
    await uploads.getByRole('log').getByText('one solid').waitFor();
    expect(await barriers(page)).toEqual([]);
    const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of(STEP) };
    await pdm.worker.upload(job.versionId, 'properties', JSON.stringify(PROPERTIES), { headers });
    await pdm.worker.upload(job.versionId, 'thumbnail', PNG, { headers, fileName: 'picture.png' });
    await pdm.worker.post(`/jobs/${job.id}/complete`, {});
    await uploads.getByText(/Convert the CAD file: done/).waitFor();
    await document.locator('header img').waitFor();
    const properties = page.getByRole('region', { name: 'Properties' });
    await properties.getByText('80 × 40 × 12 mm').waitFor();
    await properties.getByText('a sliver face').waitFor();
    expect(await page.getByRole('region', { name: 'Files' }).innerText()).toContain('金具.step');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('creates a version and a revision of a document, and finds it by number', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/documents/BRK-7', dark: true });
    const document = page.getByRole('article', { name: 'BRK-7 Angle bracket 80×40' });
    await document.getByRole('button', { name: 'Create version' }).click();
    await page.getByRole('dialog').getByLabel('What changed').fill('first');
    await page.getByRole('dialog').getByRole('button', { name: 'Create version' }).click();
    await page.getByRole('button', { name: 'Show' }).click();
    expect(
      await document.getByRole('combobox', { name: 'Version', exact: true }).locator('option:checked').innerText(),
    ).toBe('v1');
    await document.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('dialog').getByText('No drafts or versions are affected.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await document.getByRole('link', { name: 'Rev A' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Search/ }).fill('brk-7');
    await page.keyboard.press('Enter'); // before the results arrive
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');
    await document.getByRole('heading', { name: 'Angle bracket 80×40' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows a label whose QR code opens the document', async () => {
    await pdm.editor.post('/documents', { name: 'Labelled', kind: 'model', number: 'LBL-1' });
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: '/documents/LBL-1' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Label with QR code…' }).click();
    const code = page.getByRole('img', { name: `QR code of ${pdm.url}/documents/LBL-1` });
    await expect.poll(() => code.locator('path').getAttribute('d')).toMatch(/^(M\d+ \d+h1v1h-1z){200,}$/);
    expect(await barriers(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('link', { name: 'SVG' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('LBL-1.svg');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says whether the draft has changed since its version', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Compared', kind: 'model' });
    const [workspace] = body.workspaces;
    await pdm.editor.upload(workspace.draftId, 'attachment.note', 'one', { fileName: 'note.txt' });
    await pdm.editor.post(`/workspaces/${workspace.id}/versions`, {});
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${body.id}` });
    await page.getByText('same as v1').waitFor();
    await page.getByRole('button', { name: 'Create version' }).click();
    await page.getByRole('dialog').getByText('Nothing has changed since v1.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await pdm.editor.upload(workspace.draftId, 'attachment.note', 'two', { fileName: 'note.txt' });
    await page.getByRole('link', { name: 'changed since v1' }).click();
    await page
      .getByRole('region', { name: 'Files' })
      .getByRole('row', { name: /attachment.note.*changed/s })
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows release warnings and affected documents before and after a release', async () => {
    const make = assemblies(pdm.editor);
    const [screw, plate] = [await make.part({ name: 'ねじ M6' }), await make.model({ name: 'Plate' })];
    await make.release(plate);
    const frame = await make.draft(
      [
        [screw, 1],
        [addressOf(plate, '@A'), 2],
      ],
      { name: 'Frame' },
    );
    await make.release(frame);
    await make.version(frame);
    await make.draft([[frame, 2]], { name: 'Machine' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${frame.id}` });
    await page.getByRole('combobox', { name: 'Version', exact: true }).selectOption({ label: 'v2' });
    await page.getByRole('article').getByRole('button', { name: 'Release' }).click();
    const dialog = page.getByRole('dialog', { name: `Release ${frame.number} v2` });
    const warnings = dialog.getByRole('region', { name: 'Warnings' });
    await warnings.getByRole('link', { name: `${screw.number} version 1 is not released.` }).waitFor();
    expect(await warnings.getByRole('listitem').count()).toBe(1);
    await dialog
      .getByRole('region', { name: 'Affected drafts and versions' })
      .getByRole('row', { name: /Machine/ })
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Release' }).click();
    const released = page.getByRole('dialog', { name: 'Released as revision B with 1 warning' });
    await released.getByRole('link', { name: `${screw.number} version 1 is not released.` }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await released.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('article').getByRole('link', { name: 'Rev B' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('More actions');
    await page.reload();
    await page
      .getByRole('region', { name: 'Released with warnings' })
      .getByRole('link', { name: `${screw.number} version 1 is not released.` })
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('exports STEP, shows the progress of the job and downloads the result', async () => {
    const make = assemblies(pdm.editor);
    const structure = asmJson([[await make.part({ name: 'Lever' }), 1]]);
    const { id, draftId } = await make.draft([], { name: 'Gripper' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${id}`, dark: true });
    const exports = page.getByRole('region', { name: 'Export' });
    await exports.getByRole('button', { name: 'Export STEP' }).focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .getByText(/Nothing to export yet/)
      .waitFor();
    await pdm.editor.upload(draftId, 'asm-json', structure, { fileName: 'asm.json' });
    await exports.locator('button:not([aria-disabled="true"])', { hasText: 'Export STEP' }).focus();
    await page.keyboard.press('Enter');
    await exports.getByText('Export as STEP: waiting for an engine').waitFor();
    const step = exports.getByRole('group', { name: 'STEP' });
    await page.keyboard.press('Tab'); // continues from the button's position
    expect(await hasFocus(step.getByRole('link', { name: 'Job' }))).toBe(true);
    expect(await exports.getByRole('button', { name: 'Export STEP' }).count()).toBe(0);
    const claimRequest = { workerId: 'w', types: ['export'], environment: { engine: 'occt' } };
    const { body: job } = await pdm.worker.post('/jobs/claim', claimRequest);
    expect(job.versionId).toBe(draftId);
    await pdm.worker.post(`/jobs/${job.id}/heartbeat`, { percent: 60, step: 'written' });
    await exports.getByText('Export as STEP: 60 % · written').waitFor();
    expect(await exports.getByRole('progressbar').getAttribute('value')).toBe('0.6');
    expect(await barriers(page)).toEqual([]);
    const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of(structure) };
    await pdm.worker.upload(draftId, 'stp', 'what was exported', { fileName: 'gripper.stp', headers });
    await pdm.worker.post(`/jobs/${job.id}/complete`, {});
    const link = exports.getByRole('link', { name: /^Download STEP/ });
    await link.waitFor();
    expect(
      await step.evaluate((group: { contains(node: unknown): boolean; ownerDocument: { activeElement: unknown } }) =>
        group.contains(group.ownerDocument.activeElement),
      ),
    ).toBe(true);
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toBe('gripper.stp');
    expect(await readFile(await file.path(), 'utf8')).toBe('what was exported');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('offers OFB export only with an engine, and explains which one it waits for', { timeout: 90_000 }, async () => {
    const withClassCad = await startPdm({ settings: { PDM_OFB_WORKER: 'external' } });
    const visitExports = async (of: Pdm) => {
      const { id } = await assemblies(of.editor).draft([[await assemblies(of.editor).part({ name: 'Lever' }), 1]]);
      const visited = await visit(browser, of, 'editor', { path: `/documents/${id}` });
      return { ...visited, ofb: visited.page.getByRole('group', { name: 'OFB' }) };
    };
    try {
      const [without, external] = [await visitExports(pdm), await visitExports(withClassCad)];
      await without.page.getByRole('group', { name: 'STEP' }).getByRole('button', { name: 'Export STEP' }).waitFor();
      expect(await without.ofb.count()).toBe(0);
      expect(await barriers(without.page)).toEqual([]);

      await external.ofb
        .getByText('OFB files are written by a ClassCAD engine; the job waits until one is connected.')
        .waitFor();
      await external.ofb.getByRole('button', { name: 'Export OFB' }).click();
      await external.ofb.getByText('Export as OFB: waiting for an engine').waitFor();
      expect([...without.complaints, ...external.complaints]).toEqual([]);
      await Promise.all([without.context.close(), external.context.close()]);
    } finally {
      await withClassCad.close();
    }
  });

  it('explains a failed conversion and shows the message of the engine', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/', dark: true });
    await drop(page, '.find-list', 'not really.stp', 'no step at all');
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText(/waiting for an engine/).waitFor();
    const job = await claim();
    await pdm.worker.post(`/jobs/${job.id}/fail`, {
      error: { code: 'not_step', message: 'it does not start with ISO-10303-21;' },
      final: true,
    });
    const problem = uploads.getByRole('alert');
    await problem.waitFor();
    expect(await problem.innerText()).toMatch(/not a STEP file[\s\S]*does not start with ISO-10303-21;[\s\S]*not_step/);
    expect(await uploads.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    await uploads.getByRole('link', { name: /^PRT-/ }).click();
    await page.getByRole('article', { name: /not really/ }).waitFor();
    await page
      .getByRole('region', { name: 'Newest job' })
      .getByText(/not a STEP file/)
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows others who has checked out a draft, and lets an administrator force its check-in', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Held', kind: 'model' });
    const path = `/documents/${body.number}`;
    const ed = await visit(browser, pdm, 'editor', { path });
    await ed.page.getByRole('button', { name: 'Check out' }).click();
    await ed.page.getByRole('dialog').getByLabel('Note for others').fill('new ribs');
    await ed.page.getByRole('dialog').getByRole('button', { name: 'Check out' }).click();
    await ed.page.getByText(/Checked out by you until/).waitFor();
    await expect.poll(() => hasFocus(ed.page.getByRole('button', { name: 'Check in' }))).toBe(true);

    const admin = await visit(browser, pdm, 'admin', { path });
    await admin.page.getByText(/Checked out by Ed Editor until/).waitFor();
    await admin.page.getByText(/“new ribs”/).waitFor();
    await admin.page.getByRole('button', { name: 'Upload', exact: true }).focus();
    await admin.page.keyboard.press('Enter');
    await admin.page
      .getByRole('status')
      .getByText(/reserved by Ed Editor/)
      .waitFor();
    expect(await barriers(admin.page)).toEqual([]);
    await admin.page.getByRole('button', { name: 'Force check-in…' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Force check-in' }).click();
    await admin.page.getByText('Not checked out').waitFor();
    await ed.page.getByRole('button', { name: 'Check out' }).waitFor(); // updated by the event
    for (const { page } of [admin, ed])
      await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Check out' }))).toBe(true);
    expect([...ed.complaints, ...admin.complaints]).toEqual([]);
    await Promise.all([ed.context.close(), admin.context.close()]);
  });

  it('renames a document inline without overwriting a newer name, and explains the denial to viewers', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Old name', kind: 'assembly' });
    const path = `/documents/${body.id}`;
    const { page, context } = await visit(browser, pdm, 'editor', { path });
    await page.getByRole('button', { name: 'Rename' }).click();
    const field = page.getByRole('textbox', { name: 'Document name' });
    await pdm.editor.patch(path, { name: 'Theirs' });
    await page.getByRole('article', { name: /Theirs/ }).waitFor();
    await field.fill('Mine');
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .getByText(/changed/)
      .waitFor();
    expect((await pdm.viewer.get(path)).body.name).toBe('Theirs');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rename' }).click();
    await field.fill('Ours');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ours' }).waitFor();
    await context.close();

    const viewer = await visit(browser, pdm, 'viewer', { path });
    await viewer.page.getByRole('button', { name: 'Create version' }).focus();
    await viewer.page.keyboard.press('Enter');
    await viewer.page
      .getByRole('status')
      .getByText(/viewer cannot change documents/)
      .waitFor();
    expect(await viewer.page.getByRole('dialog').count()).toBe(0);
    await viewer.context.close();
  });

  it('asks for confirmation before it imports a STEP file dropped on an assembly', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Frame', kind: 'assembly' });
    const { page, context } = await visit(browser, pdm, 'editor', { path: `/documents/${body.id}` });
    await page
      .getByRole('region', { name: 'Files' })
      .getByText(/Drop a STEP assembly or an asm.json/)
      .waitFor();
    await drop(page, '.document-drop', 'frame.step', STEP);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page
      .getByRole('region', { name: 'Uploads' })
      .getByText(/waiting for an engine/)
      .waitFor();
    const [job] = (await pdm.viewer.get(`/jobs?documentId=${body.id}`)).body.items;
    expect(job).toMatchObject({ type: 'convert', format: 'SPLIT' });
    await context.close();
  });

  it('imports a model as an assembly, also if its parts cannot be counted', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Packed', kind: 'model' });
    await pdm.editor.upload(body.drafts[0].id, 'source', gzipSync(STEP), { fileName: 'packed.stpz' });
    const { page, context } = await visit(browser, pdm, 'editor', { path: `/documents/${body.id}` });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Import as an assembly…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import packed.stpz as an assembly' });
    await dialog.getByText(/^The import creates an assembly/).waitFor();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page
      .getByRole('region', { name: 'Uploads' })
      .getByText(/Import the STEP assembly/)
      .waitFor();
    expect((await pdm.viewer.get('/documents?q=packed&kind=assembly')).body.items).toHaveLength(1);
    await context.close();
  });

  it('asks how to import a STEP assembly dropped on a model or an assembly, with its counts', async () => {
    const step = stepAssembly([10, 20], [10, 20], [10, 30]);
    const model = (await pdm.editor.post('/documents', { name: 'Whole gear', kind: 'model' })).body;
    const { page, context } = await visit(browser, pdm, 'editor', { path: `/documents/${model.id}` });
    const question = page.getByRole('dialog', { name: 'Import gear.step' });
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await page.getByRole('region', { name: 'Files' }).waitFor();
    await drop(page, '.document-drop', 'gear.step', step);
    await question.getByText('gear.step: 2 parts in 3 places').waitFor();
    expect(await barriers(page)).toEqual([]);
    await question.getByLabel('Import as documents').click();
    await question.getByRole('button', { name: 'Import' }).click();
    await uploads.getByText(/Import the STEP assembly/).waitFor();
    expect((await pdm.viewer.get('/documents?q=gear&kind=assembly')).body.items).toHaveLength(1);
    await drop(page, '.document-drop', 'gear.step', step);
    await question.getByRole('button', { name: 'Import' }).click();
    await expect
      .poll(async () => (await pdm.viewer.get(`/jobs?documentId=${model.id}`)).body.items.length, { timeout: 15_000 })
      .toBe(1);

    const assembly = (await pdm.editor.post('/documents', { name: 'Frame', kind: 'assembly' })).body;
    await page.goto(`/documents/${assembly.id}`);
    await page.getByRole('region', { name: 'Files' }).waitFor();
    await drop(page, '.document-drop', 'gear.step', step);
    await page.getByRole('dialog').getByText('gear.step: 2 parts in 3 places').waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.goto('/jobs'); // a view that takes no files itself
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await drop(page, 'header.top', 'gear.step', step);
    await question.getByText('Into Unfiled.').waitFor();
    await context.close();
  });
});
