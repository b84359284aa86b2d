import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { barriers, startBrowser, type Visit, visit } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

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
  const stepFile = (name: string) => ({ name, mimeType: 'model/step', buffer: Buffer.from('ISO-10303-21;') });
  const choose = async (...names: string[]) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload' }).click();
    await (await chooser).setFiles(names.map(stepFile));
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
