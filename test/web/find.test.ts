import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asmJson } from '../support/assemblies.ts';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { dropFile, stepAssembly } from '../support/dropped-files.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('the document list in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  let screws: { id: string };
  let washers: { id: string };
  // 84 screws in a nested folder, and a document whose name contains the number of a screw
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser()]);
    const standard = (await pdm.editor.post('/folders', { name: 'Standard parts' })).body;
    screws = (await pdm.editor.post('/folders', { name: 'Screws', parentId: standard.id })).body;
    washers = (await pdm.editor.post('/folders', { name: 'Washers', parentId: standard.id })).body;
    for (let at = 0; at < 84; at++) {
      const number = `SCR-${String(at).padStart(3, '0')}`;
      expect(
        (await pdm.editor.post('/documents', { name: `Screw ${at}`, kind: 'model', number, folderId: screws.id }))
          .status,
      ).toBe(201);
    }
    await pdm.editor.post('/documents', { name: 'SCR-007 replacement', kind: 'assembly' });
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  it('searches while typing with exact numbers first, updates the URL, and explains denied actions to viewers', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer');
    const grid = page.getByRole('grid', { name: 'Documents' });
    await grid.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('scr-007');
    await page.getByRole('heading', { name: /All documents 2/ }).waitFor();
    const rows = await grid.getByRole('row').allInnerTexts();
    expect(rows.slice(1).map((text) => /Screw 7|replacement/.exec(text)?.[0])).toEqual(['Screw 7', 'replacement']);
    expect(new URL(page.url()).searchParams.get('q')).toBe('scr-007');
    await page.getByRole('button', { name: 'assembly' }).click();
    await page.getByRole('heading', { name: /All documents 1/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: /All documents 2/ }).waitFor();
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByText(/found for “no such thing”/).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'New document' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Viewers cannot create documents.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('loads more pages during keyboard navigation and opens a document with Enter', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', {
      path: `/folders/${screws.id}?sort=number`,
      dark: true,
    });
    const grid = page.getByRole('grid', { name: 'Documents' });
    await grid.getByRole('row', { name: /SCR-000/ }).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('85');
    expect(await grid.getByRole('row').count()).toBeLessThan(60);
    await grid.focus();
    // if the second page arrives after the key press, the active row is the last one of the first page
    const active = () =>
      page.evaluate<string>(
        'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.innerText ?? ""',
      );
    await expect
      .poll(() => page.keyboard.press('End').then(active), { timeout: 15_000, interval: 200 })
      .toMatch(/^SCR-083/);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'SCR-083 Screw 83' }).waitFor();
    await page.goBack(); // restores the scroll position
    await grid.getByRole('row', { name: /SCR-083/ }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('loads more pages after a reload dropped the pending page', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: '/' });
    const requested = Promise.withResolvers<void>();
    const readAgain = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (/"cursor":"/.test(route.request().postData() ?? '')) {
        requested.resolve();
        await readAgain.promise;
      }
      await route.continue();
    });
    await page.goto(`/folders/${screws.id}?sort=number`);
    const grid = page.getByRole('grid', { name: 'Documents' });
    await grid.getByRole('row', { name: /SCR-000/ }).waitFor();
    await grid.focus();
    await page.keyboard.press('End'); // reaching the end loads the next page
    await requested.promise;
    expect((await pdm.editor.patch('/documents/SCR-079', { name: 'Changed meanwhile' })).status).toBe(200);
    await grid.getByRole('row', { name: /SCR-079 Changed meanwhile/ }).waitFor();
    readAgain.resolve();
    await grid.getByRole('row', { name: /SCR-083/ }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('navigates folders with arrow keys, and creates, renames and deletes a folder', async () => {
    const { page, context, complaints } = await visit(browser, pdm);
    const tree = page.getByRole('tree', { name: 'Folders' });
    const standard = tree.getByRole('treeitem', { name: /Standard parts/ });
    await standard.waitFor();
    await tree.getByRole('treeitem', { name: /All documents/ }).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
    expect(await standard.getAttribute('aria-expanded')).toBe('false');
    expect(await tree.getByRole('treeitem', { name: /Screws/ }).count()).toBe(0);
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: /^Screws 84/ }).waitFor();
    await page.keyboard.press('F2');
    await page.getByRole('dialog').getByLabel('Name').fill('Screws and bolts');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: /^Screws and bolts/ }).waitFor();
    await page.getByRole('button', { name: 'New folder', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Empty');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('No documents yet.').waitFor();
    await tree.getByRole('treeitem', { name: /^Empty/ }).focus();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: /^Screws and bolts/ }).waitFor();
    await tree.getByRole('treeitem', { name: /^Empty/ }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('asks how to import a STEP assembly that is dropped on a folder, with its counts', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor');
    const step = stepAssembly([10, 20], [10, 20], [20, 30]);
    const drop = (where: Locator) => dropFile(where, 'gearbox.step', step);
    const dialog = page.getByRole('dialog', { name: 'Import gearbox.step' });
    await drop(page.getByRole('treeitem', { name: /Washers/ }));
    await dialog.getByText('gearbox.step: 1 part in 2 places').waitFor();
    await dialog.getByText('Into Washers.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import' }).click();
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText(/Import the STEP assembly/).waitFor();
    const found = (await pdm.viewer.get('/documents?q=gearbox')).body.items;
    expect(found).toMatchObject([{ kind: 'assembly', folderId: washers.id }]);

    await drop(page.getByRole('banner')); // as on the list: into the folder that is shown
    await dialog.getByText('Into Unfiled.').waitFor();
    await dialog.getByText('The same file already exists:').waitFor();
    await dialog.getByLabel('Keep as one model').click();
    await dialog.getByRole('button', { name: 'Import anyway' }).click();
    await uploads.getByText(/Convert the CAD file/).waitFor();
    expect((await pdm.viewer.get('/documents?q=gearbox&kind=model')).body.items).toMatchObject([{ folderId: null }]);
    for (const { id } of (await pdm.viewer.get('/documents?q=gearbox')).body.items)
      await pdm.editor.delete(`/documents/${id}`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('archives and checks out several documents with undo, and opens the menu of a row', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', {
      path: `/folders/${screws.id}?sort=number`,
    });
    const grid = page.getByRole('grid', { name: 'Documents' });
    const row = (number: string) => grid.getByRole('row', { name: new RegExp(number) });
    for (const number of ['SCR-010', 'SCR-011']) await row(number).locator('.document-check').click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('Archived 2 documents.').waitFor();
    await row('SCR-010').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('SCR-011').waitFor();
    expect((await pdm.viewer.get('/documents/SCR-010')).body.archived).toBe(false);

    await row('SCR-012').getByText('draft').click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions for SCR-012' });
    await menu.getByRole('menuitem', { name: 'Check out' }).waitFor();
    const reasonOf = async (item: string) =>
      (await menu.getByRole('menuitem', { name: item }).locator('small').allInnerTexts()).join();
    expect([await reasonOf('Check out'), await reasonOf('Check in'), await reasonOf('Release…')]).toEqual([
      '',
      'SCR-012 is not checked out by you in its main workspace.',
      'SCR-012 has no version that is not released yet.',
    ]);
    expect(await barriers(page)).toEqual([]);
    await menu.getByRole('menuitem', { name: 'Check out' }).click();
    await page.getByText('Checked out SCR-012.').waitFor();
    await row('SCR-012')
      .getByText(/you until/)
      .waitFor();
    await grid.focus();
    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: 'Check in' }).click();
    const checkedIn = page.locator('.toast').filter({ hasText: 'Checked in SCR-012.' });
    await checkedIn.getByRole('button', { name: 'Undo' }).click();
    await row('SCR-012')
      .getByText(/you until/)
      .waitFor();
    await row('SCR-012').getByText('draft').click({ button: 'right' });
    expect(await reasonOf('Check out')).toBe('SCR-012 is checked out by you.');
    await menu.getByRole('menuitem', { name: 'Check in' }).click();
    await checkedIn.waitFor();
    const download = async (button: Locator, item: string) => {
      await button.click({ button: item.includes('ZIP') ? 'right' : 'left' });
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      return readFile(await file.path());
    };
    const exportButton = page.getByRole('button', { name: 'Export the list' });
    const csv = (await download(exportButton, 'CSV')).toString();
    expect(csv.split('\r\n').filter((line) => line.startsWith('SCR-'))).toHaveLength(84);
    const workbook = unzipSync(await download(exportButton, 'Excel (XLSX)'));
    expect(strFromU8(workbook['xl/worksheets/sheet1.xml']!).match(/>SCR-/g)).toHaveLength(84);
    const [draft] = (await pdm.viewer.get('/documents/SCR-012')).body.drafts;
    await pdm.editor.upload(draft.id, 'attachment.notes', 'Torque 12 Nm', { fileName: 'notes.txt' });
    const archive = unzipSync(await download(row('SCR-012'), 'Download files (ZIP)'));
    expect(Object.entries(archive).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
      ['SCR-012/notes.txt', 'Torque 12 Nm'],
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('filters by state and check-out, saves the search, and lists starred and recent documents', async () => {
    const { workspaces } = (await pdm.viewer.get('/documents/SCR-030')).body;
    await pdm.editor.post(`/workspaces/${workspaces[0].id}/checkout`, {});
    const { page, context, complaints } = await visit(browser, pdm, 'editor');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Check-out' }).selectOption('Checked out by me');
    await page.getByRole('combobox', { name: 'State' }).selectOption('Not released');
    await page.getByRole('heading', { name: /All documents 1$/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save search…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('My drafts');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Screw 30' }).click();
    await page.getByRole('button', { name: 'Star SCR-030' }).click();
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await page.getByRole('region', { name: 'Starred' }).getByRole('link', { name: 'Screw 30' }).waitFor();
    await page.getByRole('region', { name: 'Recent' }).getByRole('link', { name: 'Screw 30' }).waitFor();
    await page.getByRole('region', { name: 'Saved searches' }).getByRole('link', { name: 'My drafts' }).click();
    await page.getByRole('heading', { name: /All documents 1$/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Creator' }).selectOption('Created by me');
    await page.getByRole('checkbox', { name: 'With failed jobs' }).check();
    await page.getByRole('link', { name: 'With and without failed jobs' }).click();
    await page.getByRole('heading', { name: /All documents 1$/ }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('releases several documents after showing what is released and all warnings, and takes the releases back', async () => {
    const createVersion = async (number: string) => {
      const { workspaces } = (await pdm.viewer.get(`/documents/${number}`)).body;
      await pdm.editor.post(`/workspaces/${workspaces[0].id}/versions`, {});
    };
    const assembly = (await pdm.editor.post('/documents', { number: 'SCR-02A', name: 'Set', kind: 'assembly' })).body;
    const structure = asmJson([['pdm://documents/SCR-021']]);
    await pdm.editor.upload(assembly.drafts[0].id, 'asm-json', structure, { fileName: 'asm.json' });
    for (const number of ['SCR-020', 'SCR-021', 'SCR-02A']) await createVersion(number);
    const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/search?q=SCR-02&sort=number' });
    const reads: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('query ReleaseWarnings')) reads.push(request.url());
    });
    const grid = page.getByRole('grid', { name: 'Documents' });
    await grid.getByRole('row', { name: /SCR-022/ }).waitFor();
    await grid.focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'More…' }).click();
    await page.getByRole('menuitem', { name: 'Release…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Release 3 documents' });
    await dialog.getByText(/have no version that is not released yet/).waitFor();
    await dialog
      .getByRole('list', { name: 'Warnings' })
      .getByText('SCR-02A: SCR-021 version 1 is not released.')
      .waitFor();
    expect(reads).toHaveLength(1);
    await dialog.getByLabel('Comment').fill('together');
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Release' }).click();
    const released = page.locator('.toast').filter({ hasText: 'Released 3 documents.' });
    await released.waitFor();
    const revisionsOf = async (number: string) => (await pdm.viewer.get(`/documents/${number}/revisions`)).body.items;
    expect(await revisionsOf('SCR-020')).toMatchObject([{ comment: 'together' }]);
    await released.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Took back 3 releases.').waitFor();
    expect(await revisionsOf('SCR-020')).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows the shape of the list while it loads, and dims the rows of an earlier search', async () => {
    const { page, context } = await visit(browser, pdm, 'editor', { path: '/jobs' });
    let hold = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query FindDocuments')) await hold.promise;
      await route.continue();
    });
    await page.goto(`/folders/${screws.id}`);
    await page.getByText('Loading documents…').waitFor({ state: 'attached' });
    expect(await page.locator('.skeleton-row').count()).toBe(8);
    expect(await barriers(page)).toEqual([]);
    hold.resolve();
    const grid = page.getByRole('grid', { name: 'Documents' });
    await grid.getByRole('row', { name: /SCR-/ }).first().waitFor();
    expect(await page.locator('.skeleton-row').count()).toBe(0);
    hold = Promise.withResolvers<void>();
    await page.getByRole('searchbox').fill('nothing like this');
    await page.locator('.document-list[aria-busy="true"]').waitFor();
    expect(await barriers(page)).toEqual([]);
    hold.resolve();
    await grid.waitFor({ state: 'detached' });
    await page.unroute('**/graphql');
    await context.close();
  });

  it('takes no file where it cannot be used, instead of leaving the page to open it', async () => {
    const { page, context } = await visit(browser, pdm, 'viewer', { path: '/jobs' });
    const isPrevented = await page.evaluate(`['dragover', 'drop'].map((type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.step'));
      return !document.querySelector('header').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    })`);
    expect(isPrevented).toEqual([true, true]);
    await context.close();
  });

  it('moves the selection by drag and drop with undo, and by dialog', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', {
      path: `/folders/${screws.id}?sort=number`,
    });
    const grid = page.getByRole('grid', { name: 'Documents' });
    const row = (number: string) => grid.getByRole('row', { name: new RegExp(number) });
    await row('SCR-001').getByText('draft').click();
    await row('SCR-003')
      .getByText('draft')
      .click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await row('SCR-002')
      .getByText('draft')
      .dragTo(page.getByRole('treeitem', { name: /Washers/ }));
    await page.getByText('Moved 3 documents to Washers.').waitFor();
    await row('SCR-001').waitFor({ state: 'detached' });
    expect(
      (await pdm.viewer.get(`/documents?folderId=${washers.id}&sort=number`)).body.items.map(
        ({ number }: { number: string }) => number,
      ),
    ).toEqual(['SCR-001', 'SCR-002', 'SCR-003']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('SCR-002').waitFor();
    await row('SCR-004').locator('.document-check').click();
    await page.getByRole('button', { name: 'Move…' }).click();
    await page.getByRole('dialog').getByLabel('Folder').selectOption({ label: 'Unfiled' });
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await row('SCR-004').waitFor({ state: 'detached' });
    expect((await pdm.viewer.get('/documents/SCR-004')).body.folderId).toBeNull();
    await page.getByText('Moved 4 documents to Unfiled.').waitFor(); // the undo has restored the selection
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('SCR-004').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
