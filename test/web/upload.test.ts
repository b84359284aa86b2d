import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { barriers, startBrowser, type Visit, visit } from '../support/browser.ts';
import { deliverGlb } from '../support/model-documents.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { resultFile } from '../support/result-files.ts';

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('uploading in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser({ flat: true })]);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });
  beforeEach(async () => {
    visited = await visit(browser, pdm);
    ({ page } = visited);
  });
  afterEach(() => visited.context.close());

  const FILES = '**/api/v1/versions/*/artifacts*';
  const contentOf = (name: string) => Buffer.from(`ISO-10303-21;/* ${name} */`);
  const stepFile = (name: string) => ({ name, mimeType: 'model/step', buffer: contentOf(name) });
  const chooseWith = async (button: string, ...names: string[]) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).click();
    await (await chooser).setFiles(names.map(stepFile));
  };
  const dialog = () => page.getByRole('dialog', { name: /^Import / });
  const choose = async (...names: string[]) => {
    await chooseWith('Upload', ...names);
    if (names.length > 1)
      await dialog()
        .getByRole('button', { name: /^Import \d+ files?$/ })
        .click();
  };
  const found = async (q: string) => (await pdm.editor.get(`/documents?q=${q}`)).body.items;
  const tray = () => page.getByRole('region', { name: 'Uploads' });

  it('deletes the document of a cancelled upload, in progress or waiting', async () => {
    await page.route(FILES, () => {}); // no response
    await choose('one.step', 'two.step', 'three.step', 'four.step');
    await tray().getByText('Waiting', { exact: true }).waitFor();
    await tray().getByRole('button', { name: 'Cancel four.step' }).click();
    await tray().getByText('Cancelled. Nothing was stored.').waitFor();
    await tray().getByRole('link', { name: /^PRT-/ }).nth(2).waitFor();
    for (const name of ['one', 'two', 'three'])
      await tray()
        .getByRole('button', { name: `Cancel ${name}.step` })
        .click();
    await expect.poll(() => tray().getByText('Cancelled. Nothing was stored.').count(), { timeout: 15_000 }).toBe(4);
    expect(await tray().getByRole('link').count()).toBe(0);
    for (const name of ['one', 'two', 'three', 'four']) expect(await found(name)).toEqual([]);
    expect(await barriers(page)).toEqual([]);
  });

  it('keeps the document of a cancelled upload if it was changed meanwhile', async () => {
    await page.route(FILES, () => {});
    await choose('shared.step');
    await tray().getByRole('link', { name: /^PRT-/ }).waitFor();
    const [document] = await found('shared');
    expect((await pdm.editor.patch(`/documents/${document.id}`, { description: 'Mine now' })).status).toBe(200);
    await tray().getByRole('button', { name: 'Cancel shared.step' }).click();
    await tray().getByText('Cancelled. The file was not stored.').waitFor();
    expect(await found('shared')).toHaveLength(1);
  });

  it('retries a failed upload into the document created for it', async () => {
    await page.route(FILES, (route) => route.abort(), { times: 1 });
    await choose('broken-off.step');
    await tray()
      .getByText(/the connection was lost/)
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await tray().getByRole('button', { name: 'Try again' }).click();
    const [{ id }] = await found('broken-off');
    const [draft] = (await pdm.editor.get(`/documents/${id}`)).body.drafts;
    await expect
      .poll(async () => (await pdm.editor.get(`/versions/${draft.id}/artifacts`)).body.items.length, {
        timeout: 15_000,
      })
      .toBe(1);
    expect(await found('broken-off')).toHaveLength(1);
  });

  it('recognizes files that already exist before it uploads them', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Known part', kind: 'model' });
    await pdm.editor.upload(body.drafts[0].id, 'source', contentOf('known.step'), { fileName: 'known.step' });
    await chooseWith('Upload', 'known.step', 'fresh.step', 'notes.txt');
    await dialog().getByText('1 of 2 files already exists.').waitFor();
    await dialog().getByRole('link', { name: body.number }).waitFor();
    await dialog()
      .getByText(/Skipped notes.txt/)
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Import 1 file' }).click();
    await tray().getByRole('link', { name: /^PRT-/ }).waitFor();
    expect(await found('fresh')).toHaveLength(1);
    expect(await pdm.editor.get('/documents?q=known')).toMatchObject({ body: { items: [{ id: body.id }] } });

    await chooseWith('Upload', 'known.step');
    await dialog().getByText('The same file already exists:').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Import anyway' }).click();
    await expect.poll(async () => (await found('known')).length, { timeout: 15_000 }).toBe(2);
  });

  it('continues an import after a reload, with each file once', async () => {
    await page.route(FILES, () => {}); // no response
    await choose('left-a.step', 'left-b.step', 'left-c.step');
    await tray().getByRole('link', { name: /^PRT-/ }).nth(2).waitFor();
    await tray().getByText('0 of 3 files stored').waitFor();
    expect(await barriers(page)).toEqual([]);
    page.once('dialog', (confirmation) => void confirmation.accept());
    await page.reload();
    await tray()
      .getByText(/3 files are left: left-a.step, left-b.step, left-c.step/)
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.unroute(FILES);
    await chooseWith('Choose files', 'left-a.step', 'left-c.step', 'other.step');
    await page.getByText('Not part of the import: other.step').waitFor();
    await tray()
      .getByText(/1 file is left: left-b.step/)
      .waitFor();
    const filesOf = async (name: string) => {
      const documents = await found(name);
      if (documents.length !== 1) throw new Error(`${documents.length} documents`);
      const { drafts } = (await pdm.editor.get(`/documents/${documents[0].id}`)).body;
      return (await pdm.editor.get(`/versions/${drafts[0].id}/artifacts`)).body.items.length;
    };
    for (const name of ['left-a', 'left-c'])
      await expect.poll(() => filesOf(name), { timeout: 15_000 }).toBeGreaterThan(0);
    await choose('left-b.step'); // also when it is imported like a new file
    await expect.poll(() => filesOf('left-b'), { timeout: 15_000 }).toBeGreaterThan(0);
    await tray()
      .getByText(/An import was interrupted/)
      .waitFor({ state: 'detached' });
  });

  it('imports a dropped folder again after one of its folders could not be created', async () => {
    const files = await page.evaluateHandle(`(() => {
      const folder = (name, ...inner) => ({ name, isDirectory: true, createReader: () => ({
        readEntries: (resolve) => resolve(inner.splice(0)),
      }) });
      const file = (name) => ({ name, isFile: true, file: (resolve) => resolve(new File([name], name)) });
      const dropped = folder('Gears', file('wheel.step'), folder('Pins', file('pin.step')));
      DataTransferItem.prototype.webkitGetAsEntry = () => dropped;
      const all = new DataTransfer();
      all.items.add(new File([''], 'Gears'));
      return all;
    })()`);
    let creations = 0;
    await page.route('**/graphql', async (route) => {
      const isCreation = route.request().postData()?.includes('mutation CreateFolder');
      if (isCreation) creations += 1;
      if (!isCreation || creations !== 2) return route.fallback();
      await route.fulfill({ json: { errors: [{ message: 'Not now.', extensions: { code: 'internal' } }] } });
    });
    for (const type of ['dragover', 'drop'])
      await page.getByRole('banner').dispatchEvent(type, { dataTransfer: files });
    await dialog().getByText('with 2 new folders').waitFor();
    await dialog().getByRole('button', { name: 'Import 2 files' }).click();
    await dialog().getByText('Not now.').waitFor();
    await dialog().getByRole('button', { name: 'Import 2 files' }).click();
    await expect.poll(async () => (await found('pin')).length, { timeout: 15_000 }).toBe(1);
    const paths: string[] = (await pdm.editor.get('/folders')).body.items.map(({ path }: { path: string }) => path);
    expect(paths.filter((path) => /Gears/.test(path)).sort()).toEqual(['Gears', 'Gears/Pins']);
  });

  it('clears an upload whose job has ended before the list shows it', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query GetJob(')) await released;
      await route.fallback();
    });
    await choose('quick.step');
    await expect.poll(async () => (await found('quick')).length, { timeout: 15_000 }).toBe(1);
    const [{ id }] = await found('quick');
    const draftId = (await pdm.editor.get(`/documents/${id}`)).body.drafts[0].id;
    await expect
      .poll(async () => (await pdm.editor.get(`/versions/${draftId}/jobs`)).body.items.length, { timeout: 15_000 })
      .toBe(1);
    await deliverGlb(pdm, draftId, contentOf('quick.step').toString(), resultFile('glb', 'quick'));
    release();
    await tray().getByText('quick.step').waitFor({ state: 'detached' });
  });

  it('tries interrupted uploads again when the network is back', async () => {
    await page.route(FILES, (route) => route.abort());
    await choose('net-a.step', 'net-b.step');
    await tray()
      .getByText(/the connection was lost/)
      .nth(1)
      .waitFor();
    await tray().getByRole('button', { name: 'Try all 2 again' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.unroute(FILES);
    await page.evaluate('dispatchEvent(new Event("online"))');
    await tray()
      .getByText(/the connection was lost/)
      .first()
      .waitFor({ state: 'detached' });
    await tray()
      .getByText(/Convert the CAD file/)
      .first()
      .waitFor();
  });

  it('asks for confirmation before leaving the page only during an upload', async () => {
    await page.route(FILES, () => {});
    await choose('long.step');
    await tray().getByRole('link', { name: /^PRT-/ }).waitFor();
    const confirmation = page.waitForEvent('dialog');
    const leaving = page.close({ runBeforeUnload: true });
    const dialog = await confirmation;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await leaving;
    await tray().getByRole('button', { name: 'Cancel long.step' }).click();
    await tray().getByText('Cancelled. Nothing was stored.').waitFor();
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
  });
});
