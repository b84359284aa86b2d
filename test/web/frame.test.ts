import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, CHROMIUM, startBrowser, visit } from '../support/browser.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

describe.skipIf(!CHROMIUM)(`what is around every view in a browser${CHROMIUM ? '' : ' (not run: there is no chromium)'}`, () => {
  let pdm: Pdm;
  let browser: Browser;
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser({ flat: true })]);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  it('leads whoever goes by keyboard past the head of the page', async () => {
    const { page, context, complaints } = await visit(browser, pdm);
    const skip = page.getByRole('link', { name: 'To the content' });
    await skip.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('names its places and the search on a small screen, too, where they are icons', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'admin', { touch: true });
    for (const name of ['Documents', 'Jobs', 'Audit', 'Administration']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('main').getByRole('heading').first().waitFor();
      expect(await barriers(page)).toEqual([]);
    }
    await page.getByRole('button', { name: /Search or do something/ }).click();
    await page.getByRole('combobox', { name: 'Search or do something' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says of an address that leads nowhere what is not there, in its title too, and calls each view of a document by its name', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model', number: 'BRA-1' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/documents/BRA-1/history' });
    await expect.poll(() => page.title()).toBe('BRA-1 Bracket – History · PDM');
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => page.title()).toBe('BRA-1 Bracket · PDM');
    const nowhere = ['/documents/BRA-2', `/documents/${body.id}?version=none`, '/folders/none', '/runs/none', '/documents/100%25'];
    for (const address of nowhere) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: /no (document|such)/ }).waitFor();
      expect(await page.title()).toBe('Not found · PDM');
      expect(await barriers(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('speaks the language of the page to a browser of another language, and leaves the keys of an input method to it', async () => {
    await pdm.editor.post('/documents', { name: '歯車', kind: 'model', number: 'GEA-1' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/documents/GEA-1/audit', locale: 'ja-JP' });
    await page.getByText('changed now by').waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search or do something' });
    await field.fill('歯車');
    await page.getByRole('option', { name: /GEA-1/ }).waitFor();
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await field.press('Escape');
    expect(new URL(page.url()).pathname).toBe('/documents/GEA-1/audit');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the explorer at /graphql asks, and completes what is typed, with its own scripts alone', async () => {
    const { page, context, complaints } = await visit(browser, pdm);
    await page.goto('/graphql');
    await page.getByRole('button', { name: /Execute query/ }).click();
    await page.getByText('"documents"').first().waitFor();
    await page.getByRole('region', { name: 'Operation Editor' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n{ docum');
    await page.getByRole('option', { name: /^document\b/ }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
