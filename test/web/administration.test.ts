import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const browserNeed = needs('chromium');
const embedded = needs('embedded store');
describe.skipIf(browserNeed.isMissing)(
  browserNeed.title('sign-in, jobs, audit and administration in a browser'),
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

    it('rejects a wrong token with a message, accepts a valid one, and does not store it in the page', async () => {
      const page = await browser.newPage({ baseURL: pdm.url });
      await page.goto('/jobs');
      await page.getByLabel('Token').fill('pdm_wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('Token').fill(pdm.tokens.viewer);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      const stored: unknown = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
      );
      expect(stored).not.toContain(pdm.tokens.viewer);
      expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Token').waitFor();
      await page.close();
    });

    it('signs in with a link and removes the token from the address bar', async () => {
      const { page, context, complaints } = await visit(browser, pdm, 'admin');
      expect(page.url()).not.toContain('token');
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('signs in with a link that is pasted into a tab with the sign-in form', async () => {
      const page = await browser.newPage({ baseURL: pdm.url });
      await page.goto('/jobs');
      await page.getByLabel('Token').waitFor();
      await page.evaluate(`location.hash = 'token=${pdm.tokens.viewer}'`); // changes the fragment without a reload
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      expect(page.url()).not.toContain('token');
      await page.close();
    });

    it('revokes a token and deletes a webhook after a confirmation in the page', async () => {
      const { body: user } = await pdm.admin.post('/users', { name: 'Robot', role: 'viewer' });
      await pdm.admin.post('/tokens', { name: 'Old machine', userId: user.id });
      await pdm.admin.post('/webhooks', { name: 'Chat', url: 'https://example.com/hooks/pdm' });
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/admin/tokens' });
      const dialog = page.getByRole('dialog');
      const token = page.getByRole('row', { name: /Old machine/ });
      await token.getByRole('button', { name: 'Revoke…' }).click();
      expect(await barriers(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await token.getByRole('button', { name: 'Revoke…' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Token “Old machine” revoked.').waitFor();
      await token.waitFor({ state: 'detached' });
      await page.goto('/admin/webhooks');
      await page.getByRole('button', { name: 'Delete…' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No webhooks yet.').waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('shows storage, refused sign-ins and settings, and ends a session', async () => {
      await fetch(`${pdm.url}/api/v1/me`, { headers: { authorization: `Bearer pdm_refused1_${'x'.repeat(32)}` } });
      const other = await visit(browser, pdm, 'viewer');
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/admin' });
      await page.getByRole('heading', { name: 'Files of documents' }).waitFor();
      await page.getByText('No scheduled backup.').waitFor();
      await page.getByRole('cell', { name: 'pdm_refused1…' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByRole('row', { name: /REVISION_SCHEME.*asme default/ }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'Sessions', exact: true }).click();
      await page
        .getByRole('row', { name: /Vi Viewer/ })
        .first()
        .getByRole('button', { name: 'End…' })
        .click();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
      await page.getByText(/Session of .* ended\./).waitFor();
      await other.page.reload();
      await other.page.getByLabel('Token').waitFor();
      expect(complaints).toEqual([]);
      await Promise.all([context.close(), other.context.close()]);
    });

    it.skipIf(embedded.isMissing)(embedded.title('shows the last good backup'), async () => {
      const target = mkdtempSync(join(tmpdir(), 'pdm-backups-'));
      const own = await startPdm({ settings: { PDM_BACKUP_DIR: target } });
      await expect.poll(async () => (await own.admin.get('/backup-status')).body.count, { timeout: 20_000 }).toBe(1);
      const { page, context, complaints } = await visit(browser, own, 'admin', { path: '/admin' });
      const facts = page.locator('dl', { hasText: 'Last good backup' });
      await facts.getByText(/B, of which .*B new/).waitFor();
      await facts.getByText(/, every 24 h 0 min/).waitFor();
      await facts.getByText(target).waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
      await own.close();
      rmSync(target, { recursive: true });
    });

    it('creates a user with a token, blocks the user, and records both in the audit log', async () => {
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/admin/users' });
      await page.getByRole('button', { name: 'New user' }).click();
      await page.getByLabel('Name').fill('山田 太郎');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      const line = page.getByRole('row').filter({ hasText: '山田 太郎' });
      await page.getByRole('dialog', { name: 'New token for 山田 太郎' }).getByLabel('Purpose').fill('Notebook');
      await page.getByRole('button', { name: 'Create' }).click();
      const token = await page.getByRole('textbox', { name: 'Token' }).inputValue();
      expect(token).toMatch(/^pdm_/);
      expect((await fetch(`${pdm.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
      await page.getByRole('button', { name: 'Copy sign-in link' }).waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await line.getByRole('button', { name: 'Block' }).click();
      await line.getByText('blocked').waitFor();
      expect((await fetch(`${pdm.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);

      await page.getByRole('link', { name: 'Audit' }).click();
      await page.getByText('user.created').first().waitFor();
      await page.getByRole('button', { name: 'Verify the log' }).click();
      await page.getByText('intact').waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('filters the audit log by user and by action, found by label or name', async () => {
      for (let n = 0; n < 110; n++) await pdm.admin.post('/users', { name: `Visitor ${n}`, role: 'viewer' });
      await pdm.editor.post('/documents', { name: 'Of the editor', kind: 'model', number: 'LOG-1' });
      await pdm.admin.post('/documents', { name: 'Of the administrator', kind: 'model', number: 'LOG-2' });
      const { name, id } = (await pdm.editor.get('/me')).body;
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/audit' });
      const line = (number: string) => page.getByRole('button', { name: new RegExp(`Document ${number} `) });
      const queryParam = (field: string) => new URL(page.url()).searchParams.get(field);
      await line('LOG-2').waitFor();

      const user = page.getByRole('combobox', { name: 'User' });
      const choice = page.getByRole('option');
      await user.click();
      await page.getByText(/^1\d more. Type to narrow the list\.$/).waitFor();
      await user.pressSequentially('visitor 69');
      await expect.poll(() => choice.allInnerTexts()).toEqual(['Visitor 69']);
      await user.fill(name.slice(0, 5).toUpperCase());
      await expect.poll(() => choice.first().getAttribute('aria-selected')).toBe('true');
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await line('LOG-2').waitFor({ state: 'detached' });
      await line('LOG-1').waitFor();
      expect([queryParam('actor'), await user.inputValue(), await choice.count()]).toEqual([id, name, 0]);
      await page.reload();
      await expect.poll(() => user.inputValue()).toBe(name);

      const action = page.getByRole('combobox', { name: 'Action' });
      await action.click();
      const borderWidth = await page.evaluate(
        'getComputedStyle(document.querySelector(".choices:not([hidden])")).borderTopWidth',
      );
      expect(borderWidth, 'the list has a border').toBe('1px');
      await action.fill('obsolete'); // no such record exists
      await expect
        .poll(() => choice.allInnerTexts())
        .toEqual([expect.stringMatching(/^Revision obsoleted\s+revision\.obsoleted$/)]);
      await action.fill('no such action');
      await page.getByText('No matching action.').waitFor();
      await action.fill('document.cr');
      await choice.getByText('Document created').click();
      await line('LOG-1').waitFor();
      expect([queryParam('action'), await action.inputValue()]).toEqual(['document.created', 'Document created']);

      await action.fill('revi');
      await page.keyboard.press('Escape'); // text without a choice changes nothing
      await page.keyboard.press('Tab');
      expect([queryParam('action'), await action.inputValue()]).toEqual(['document.created', 'Document created']);
      await user.fill('');
      await page.keyboard.press('Tab');
      await line('LOG-2').waitFor();
      expect([queryParam('actor'), await user.inputValue()]).toEqual([null, 'all users']);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('shows new jobs live, and lets an editor but not a viewer cancel them', async () => {
      const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: '/jobs' });
      await page.getByText('No matching jobs.').waitFor();
      const { body: document } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
      await pdm.editor.upload(document.drafts[0].id, 'source', 'not a STEP file', { fileName: 'part.stp' });
      await page.getByRole('link', { name: 'Convert the CAD file' }).click();
      const panel = page.getByRole('complementary', { name: 'Selected job' });
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

    it('reports an unreachable service and a failed sign-out, and recovers', async () => {
      const { page, context } = await visit(browser, pdm, 'admin', { path: '/' });
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Jobs' }).click();
      const problem = page.getByRole('main').getByRole('alert');
      await problem.getByText('Cannot reach the service.').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page
        .getByRole('status')
        .getByText(/may not be saved/)
        .waitFor();
      expect(await barriers(page)).toEqual([]);
      await context.setOffline(false);
      if (await problem.count()) await problem.getByRole('button', { name: 'Try again' }).click();
      await problem.waitFor({ state: 'detached' });
      await page.getByRole('main').getByRole('table').waitFor();
      expect(await page.title()).toBe('Jobs · PDM');
      await context.close();
    });

    it('has no accessibility violations on these pages, in light and dark mode', { timeout: 90_000 }, async () => {
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

    it('transfers less than 130 kB for the first view, without the 3D library', async () => {
      const { page, context } = await visit(browser, pdm, 'viewer');
      const transferred: unknown = await page.evaluate(
        'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)',
      );
      expect(Number(transferred)).toBeGreaterThan(5_000);
      expect(Number(transferred)).toBeLessThan(130_000);
      await context.close();
    });
  },
);
