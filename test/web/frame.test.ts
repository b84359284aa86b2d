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
});
