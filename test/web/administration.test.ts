import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, CHROMIUM, startBrowser, visit } from '../support/browser.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

describe.skipIf(!CHROMIUM)(
  `signing in, jobs, audit and administration in a browser${CHROMIUM ? '' : ' (not run: there is no chromium)'}`,
  () => {
    let pdm: Pdm;
    let browser: Browser;
    beforeAll(async () => {
      [pdm, browser] = await Promise.all([startPdm(), startBrowser({ flat: true })]);
    });
    afterAll(async () => {
      await browser?.close();
      await pdm?.close();
    });

    it('a token is asked for, a wrong one is refused in words, a right one opens the page and is kept nowhere in it', async () => {
      const page = await browser.newPage({ baseURL: pdm.url });
      await page.goto('/jobs');
      await page.getByLabel('Token').fill('pdm_wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('Token').fill(pdm.tokens.viewer);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      const kept: unknown = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
      );
      expect(kept).not.toContain(pdm.tokens.viewer);
      expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Token').waitFor();
      await page.close();
    });

    it('the link of the first start signs in and leaves no token in the address bar', async () => {
      const { page, context, complaints } = await visit(browser, pdm, 'admin');
      expect(page.url()).not.toContain('token');
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('a user is made, gets a token that is shown once, and is blocked, and the log tells of it', async () => {
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/admin/users' });
      await page.getByRole('button', { name: 'New user' }).click();
      await page.getByLabel('Name').fill('山田 太郎');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      const line = page.getByRole('row').filter({ hasText: '山田 太郎' });
      await line.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('What it is for').fill('Notebook');
      await page.getByRole('button', { name: 'Make' }).click();
      const token = await page.getByRole('textbox', { name: 'Token' }).inputValue();
      expect(token).toMatch(/^pdm_/);
      expect((await fetch(`${pdm.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
      await page.getByRole('button', { name: 'I have it' }).click();
      await line.getByRole('button', { name: 'Block' }).click();
      await line.getByText('blocked').waitFor();
      expect((await fetch(`${pdm.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);

      await page.getByRole('link', { name: 'Audit' }).click();
      await page.getByText('user.created').first().waitFor();
      await page.getByRole('button', { name: 'Verify the log' }).click();
      await page.getByText('as it was written').waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('the log is filtered by whom one finds by name, and by what was done: of all that is recorded, in words or as the log names it', async () => {
      for (let n = 0; n < 110; n++) await pdm.admin.post('/users', { name: `Visitor ${n}`, role: 'viewer' });
      await pdm.editor.post('/documents', { name: 'Of the editor', kind: 'model', number: 'LOG-1' });
      await pdm.admin.post('/documents', { name: 'Of the administrator', kind: 'model', number: 'LOG-2' });
      const { name, id } = (await pdm.editor.get('/me')).body;
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/audit' });
      const line = (number: string) => page.getByRole('button', { name: new RegExp(`Document ${number} `) });
      const inAddress = (field: string) => new URL(page.url()).searchParams.get(field);
      await line('LOG-2').waitFor();

      const who = page.getByRole('combobox', { name: 'Who' });
      const choice = page.getByRole('option');
      await who.click();
      await page.getByText(/^1\d more: type a few letters\.$/).waitFor();
      await who.pressSequentially('visitor 69');
      await expect.poll(() => choice.allInnerTexts()).toEqual(['Visitor 69']);
      await who.fill(name.slice(0, 5).toUpperCase());
      await expect.poll(() => choice.first().getAttribute('aria-selected')).toBe('true');
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await line('LOG-2').waitFor({ state: 'detached' });
      await line('LOG-1').waitFor();
      expect([inAddress('actor'), await who.inputValue(), await choice.count()]).toEqual([id, name, 0]);
      await page.reload();
      await expect.poll(() => who.inputValue()).toBe(name);

      const what = page.getByRole('combobox', { name: 'What' });
      await what.click();
      const framed = await page.evaluate(
        'getComputedStyle(document.querySelector(".choices:not([hidden])")).borderTopWidth',
      );
      expect(framed, 'the list stands out from what lies behind it').toBe('1px');
      await what.fill('obsolete'); // nothing of the kind has been done
      await expect
        .poll(() => choice.allInnerTexts())
        .toEqual([expect.stringMatching(/^Revision made obsolete\s+revision\.obsoleted$/)]);
      await what.fill('no such deed');
      await page.getByText('Nothing is called so.').waitFor();
      await what.fill('document.cr');
      await choice.getByText('Document created').click();
      await line('LOG-1').waitFor();
      expect([inAddress('action'), await what.inputValue()]).toEqual(['document.created', 'Document created']);

      await what.fill('revi');
      await page.keyboard.press('Escape'); // what is not chosen changes nothing
      await page.keyboard.press('Tab');
      expect([inAddress('action'), await what.inputValue()]).toEqual(['document.created', 'Document created']);
      await who.fill('');
      await page.keyboard.press('Tab');
      await line('LOG-2').waitFor();
      expect([inAddress('actor'), await who.inputValue()]).toEqual([null, 'everybody']);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('a job appears by itself, and can be cancelled by an editor and not by a viewer', async () => {
      const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/jobs' });
      await page.getByText('There are no such jobs.').waitFor();
      const { body: document } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
      await pdm.editor.upload(document.drafts[0].id, 'source', 'not a STEP file', { fileName: 'part.stp' });
      await page.getByRole('link', { name: 'Read the file and draw it' }).click();
      const panel = page.getByRole('complementary', { name: 'The chosen job' });
      await panel.getByText('waiting', { exact: true }).waitFor();
      const viewer = await visit(browser, pdm, 'viewer', { path: new URL(page.url()).pathname });
      expect(await viewer.page.getByRole('button', { name: 'Cancel', exact: true }).getAttribute('aria-disabled')).toBe(
        'true',
      );
      await panel.getByRole('button', { name: 'Cancel', exact: true }).click();
      await panel.getByText('cancelled', { exact: true }).first().waitFor();
      expect([complaints, viewer.complaints]).toEqual([[], []]);
      await Promise.all([context.close(), viewer.context.close()]);
    });

    it('a service that is away is told in words where one looks, and signing out says that it did not work; then it goes on', async () => {
      const { page, context } = await visit(browser, pdm, 'admin', { path: '/' });
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Jobs' }).click();
      const problem = page.getByRole('main').getByRole('alert');
      await problem.getByText('The service cannot be reached.').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page
        .getByRole('status')
        .getByText(/was not saved/)
        .waitFor();
      expect(await barriers(page)).toEqual([]);
      await context.setOffline(false);
      if (await problem.count()) await problem.getByRole('button', { name: 'Try again' }).click();
      await problem.waitFor({ state: 'detached' });
      await page.getByRole('main').getByRole('table').waitFor();
      expect(await page.title()).toBe('Jobs · PDM');
      await context.close();
    });

    it('nothing on these pages keeps anybody out, in light and in dark', async () => {
      for (const dark of [false, true]) {
        const { page, context, complaints } = await visit(browser, pdm, 'admin', { dark });
        for (const path of ['/jobs', '/audit', '/admin/users', '/admin/tokens', '/admin/engines', '/admin/webhooks']) {
          await page.goto(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          expect([path, dark, await barriers(page)]).toEqual([path, dark, []]);
        }
        expect(complaints).toEqual([]);
        await context.close();
      }
    });

    it('the first view is under 300 kB as it is sent, without the part that draws in three dimensions', async () => {
      const { page, context } = await visit(browser, pdm, 'viewer');
      const sent: unknown = await page.evaluate(
        'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)',
      );
      expect(Number(sent)).toBeGreaterThan(5_000);
      expect(Number(sent)).toBeLessThan(300_000);
      await context.close();
    });
  },
);
