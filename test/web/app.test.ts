import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('the application frame in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser({ flat: true })]);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  it('skips the page header with the keyboard', async () => {
    const { page, context, complaints } = await visit(browser, pdm);
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await skip.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows the first steps until they are closed', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('Look and measure').waitFor();
    await steps.getByRole('button', { name: 'Close the first steps' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'All documents' }).waitFor();
    expect(await steps.count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('opens the documentation, which is searched without a script', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { dark: true });
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Help' }).click();
    const help = await opened;
    await help.setViewportSize({ width: 390, height: 844 });
    await help.getByRole('link', { name: 'Operating' }).first().click();
    await help.getByRole('heading', { level: 1, name: 'Operating' }).waitFor();
    expect(await help.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await barriers(help)).toEqual([]);
    await help.getByRole('searchbox').fill('check-out');
    await help.keyboard.press('Enter');
    await help.getByRole('link', { name: 'Using the page › Check out and check in' }).click();
    await help.getByRole('heading', { name: /^Check out and check in/ }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('keeps accessible names for navigation and search on small screens', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'admin', { touch: true });
    for (const name of ['Documents', 'Jobs', 'Audit', 'Administration']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('main').getByRole('heading').first().waitFor();
      expect(await barriers(page)).toEqual([]);
    }
    await page.getByRole('button', { name: /Search or run a command/ }).click();
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('finds folders by words of their paths in the command palette', async () => {
    const { body: machines } = await pdm.editor.post('/folders', { name: 'Machines' });
    const { body: presses } = await pdm.editor.post('/folders', { name: 'Presses', parentId: machines.id });
    await pdm.editor.post('/folders', { name: 'Spare parts', parentId: presses.id });
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: '/jobs' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mach pres');
    const found = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { name: /Machines/ });
    await expect
      .poll(() => found.allInnerTexts())
      .toEqual([expect.stringMatching(/^Presses/), expect.stringMatching(/^Spare parts/)]);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Presses' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/folders/${presses.id}`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows the shortcuts with ?, and offers the actions of the open document in the palette', async () => {
    await pdm.editor.post('/documents', { name: 'Flange', kind: 'model', number: 'FLA-1' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/documents/FLA-1' });
    await page.getByRole('heading', { name: 'Flange' }).waitFor();
    await page.keyboard.press('?');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await shortcuts.getByText('Search or run a command').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await shortcuts.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('history of fla-1');
    await page.getByRole('option', { name: 'Go to history of FLA-1' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: /History/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('check out');
    await page.getByRole('option', { name: 'Check out main' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Check out main' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows a not-found page for unknown URLs and titles each document view', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model', number: 'BRA-1' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/documents/BRA-1/history' });
    await expect.poll(() => page.title(), { timeout: 15_000 }).toBe('BRA-1 Bracket – History · PDM');
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => page.title(), { timeout: 15_000 }).toBe('BRA-1 Bracket · PDM');
    const nowhere = [
      '/documents/BRA-2',
      `/documents/${body.id}?version=none`,
      '/folders/none',
      '/runs/none',
      '/documents/100%25',
    ];
    for (const address of nowhere) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: /not found/ }).waitFor();
      await expect.poll(() => page.title(), { timeout: 15_000 }).toBe('Not found · PDM');
      expect(await barriers(page)).toEqual([]);
    }
    // a view that renders twice before the next frame
    await page.evaluate(`(async () => {
      document.querySelector('header a[href="/jobs"]').click();
      const failed = () => [...document.querySelectorAll('.choice button')].find((each) => each.textContent === 'failed');
      for (let turn = 0; turn < 50 && !failed(); turn++) await null;
      failed().click();
      for (let turn = 0; turn < 50 && failed().ariaPressed !== 'true'; turn++) await null;
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    })()`);
    expect(await page.title()).toBe('Jobs · PDM');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('stays in English in other locales and leaves composition keys to the input method', async () => {
    await pdm.editor.post('/documents', { name: '歯車', kind: 'model', number: 'GEA-1' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', {
      path: '/documents/GEA-1/audit',
      locale: 'ja-JP',
    });
    await page.getByText('changed now by').waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search or run a command' });
    await field.fill('歯車');
    await page.getByRole('option', { name: /GEA-1/ }).waitFor();
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await field.press('Escape');
    expect(new URL(page.url()).pathname).toBe('/documents/GEA-1/audit');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('runs queries and completes input in the GraphQL explorer under its content security policy', async () => {
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

  it('keeps typed input across a new sign-in of the same user and discards it for another user', async () => {
    const { page, context } = await visit(browser, pdm, 'viewer');
    const { body: user } = await pdm.admin.post('/users', { name: 'Mika', role: 'editor' });
    const tokenOf = async () => (await pdm.admin.post('/tokens', { name: 'browser', userId: user.id })).body;
    const signInAgain = async (token: string) => {
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Escape'); // the dialog stays open
      await page.getByLabel('Token').fill(token);
      await page.keyboard.press('Enter');
    };
    const create = page.getByRole('dialog', { name: 'New document' }).getByRole('button', { name: 'Create' });

    const first = await tokenOf();
    await page.goto('about:blank');
    await page.goto(`/#token=${first.token}`);
    await page.getByRole('button', { name: 'New document' }).click();
    await page.getByLabel('Description').fill('Typed for a long time');
    await page.getByLabel('Name').fill('Bracket of Mika');
    expect((await pdm.admin.delete(`/tokens/${first.id}`)).status).toBe(204);
    // The page may already ask for a new sign-in, as its event stream ends too: a pointer could not reach the button.
    await create.dispatchEvent('click');
    await signInAgain('pdm_wrong');
    const second = await tokenOf();
    await signInAgain(second.token);
    await create.click();
    await page
      .getByRole('article', { name: /Bracket of Mika/ })
      .getByText('Typed for a long time')
      .waitFor();

    await page.getByRole('button', { name: 'Create version' }).click();
    await page.getByLabel('What changed').fill('Another user must not see this');
    await pdm.admin.delete(`/tokens/${second.id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Create version' }).dispatchEvent('click');
    await signInAgain(pdm.tokens.viewer);
    await page.getByRole('article', { name: /Bracket of Mika/ }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count(), { timeout: 15_000 }).toBe(0);
    await context.close();
  });
});
