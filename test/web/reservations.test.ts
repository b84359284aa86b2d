import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, CHROMIUM, startBrowser, visit } from '../support/browser.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

describe.skipIf(!CHROMIUM)(
  `asking for what somebody holds${CHROMIUM ? '' : ' (not run: there is no chromium)'}`,
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

    /** A document whose draft the editor holds. */
    async function held(name: string) {
      const { body } = await pdm.editor.post('/documents', { name, kind: 'model' });
      const [{ id: workspaceId }] = body.workspaces;
      await pdm.editor.post(`/workspaces/${workspaceId}/checkout`, { note: 'new ribs', ttlSeconds: 3600 });
      return { number: body.number as string, path: `/documents/${body.number}`, workspaceId: workspaceId as string };
    }

    it('the holder is told wherever he is, still knows it after a reload, gives it back, and the one who asked takes it', async () => {
      const { number, path } = await held('Bearing block');
      const ed = await visit(browser, pdm, 'editor', { path: '/jobs', dark: true });
      const reservations = ed.page.getByRole('link', { name: /drafts? you hold/ });
      await reservations.waitFor();
      const admin = await visit(browser, pdm, 'admin', { path });
      await admin.page.getByText(/Ed Editor holds it until/).waitFor();
      await admin.page.getByRole('button', { name: 'Ask for it…' }).click();
      const dialog = admin.page.getByRole('dialog', { name: 'Ask Ed Editor for main' });
      expect(await barriers(admin.page)).toEqual([]);
      await dialog.getByLabel('What Ed Editor should know').fill('ten minutes for a drawing');
      await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
      await admin.page
        .getByRole('list', { name: 'Asked for by' })
        .getByText('You asked for it: “ten minutes for a drawing”')
        .waitFor();
      await admin.page.getByRole('button', { name: 'Ask again…' }).waitFor();
      expect(await barriers(admin.page)).toEqual([]);

      const told = ed.page
        .getByRole('status')
        .getByText(`Administrator asks for ${number} (main): “ten minutes for a drawing”`);
      await told.waitFor();
      expect(await barriers(ed.page)).toEqual([]);
      await ed.page.reload();
      await reservations.getByText('1 asked for').waitFor();
      expect(await told.count()).toBe(0);
      await reservations.click();
      const mine = ed.page.getByRole('region', { name: 'You hold' }).getByRole('listitem').filter({ hasText: number });
      await mine.getByText('Administrator asks for it: “ten minutes for a drawing”').waitFor();
      expect(await barriers(ed.page)).toEqual([]);
      await mine.getByRole('button', { name: `Check in ${number} (main)` }).click();
      await mine.waitFor({ state: 'detached' });

      await admin.page.getByRole('status').getByText(`${number} (main) is free now.`).waitFor();
      await admin.page.getByRole('status').getByRole('button', { name: 'Check it out' }).click();
      await admin.page.getByText(/yours until/).waitFor();
      expect([...ed.complaints, ...admin.complaints]).toEqual([]);
      await Promise.all([ed.context.close(), admin.context.close()]);
    });

    it('is given back from the notice itself; a notice goes when it is so no longer; who was faster is told', async () => {
      const { number, path, workspaceId } = await held('Cover');
      const [ed, other] = [await visit(browser, pdm, 'editor', { path }), await visit(browser, pdm, 'editor')];
      await ed.page.getByText(/yours until/).waitFor();
      await other.page.getByRole('link', { name: /drafts? you hold/ }).waitFor();
      const admin = await visit(browser, pdm, 'admin', { path: `${path}/history` });
      await admin.page.getByRole('button', { name: 'What to do with Draft' }).click();
      await admin.page.getByRole('menuitem', { name: 'Ask Ed Editor for it…' }).click();
      await admin.page.getByRole('dialog').getByRole('button', { name: 'Ask', exact: true }).click();
      const words = `Administrator asks for ${number} (main).`;
      await other.page.getByRole('status').getByText(words).waitFor();
      await ed.page.getByRole('list', { name: 'Asked for by' }).getByText('Administrator asks for it').waitFor();
      const note = ed.page.locator('.note').filter({ hasText: words });
      await note.getByRole('button', { name: 'Check in' }).click();
      await ed.page.getByText('nobody holds it').waitFor();
      await other.page.getByText(words).waitFor({ state: 'detached' });
      await admin.page.getByRole('status').getByText(`${number} (main) is free now.`).waitFor();

      await pdm.editor.post(`/workspaces/${workspaceId}/checkout`, {});
      await admin.page.getByRole('link', { name: 'Show it' }).click();
      await admin.page.getByRole('button', { name: 'Ask for it…' }).click();
      await admin.page.getByRole('dialog').getByRole('button', { name: 'Ask', exact: true }).click();
      await admin.page.getByText('You asked for it').waitFor();
      await pdm.editor.post(`/workspaces/${workspaceId}/checkin`);
      await pdm.editor.post(`/workspaces/${workspaceId}/checkout`, {});
      await admin.page
        .getByRole('status')
        .getByText(/ Ed Editor holds it now\./)
        .waitFor();
      expect([...ed.complaints, ...other.complaints, ...admin.complaints]).toEqual([]);
      await Promise.all([ed, other, admin].map(({ context }) => context.close()));
    });

    it('is told of an end that comes before the page has looked again', async () => {
      const { path, workspaceId } = await held('Flange');
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path });
      await page.getByRole('button', { name: 'Ask for it…' }).click();
      let lookAgain = () => {};
      const ended = new Promise<void>((resolve) => {
        lookAgain = resolve;
      });
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes('MyReservations')) await ended;
        await route.continue();
      });
      await page.getByRole('dialog').getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText('You asked for it').waitFor();
      await pdm.editor.post(`/workspaces/${workspaceId}/checkin`);
      await page.getByText('nobody holds it').waitFor();
      lookAgain();
      await page
        .getByRole('status')
        .getByText(/is free now\./)
        .waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('that a reservation has run out is no event, and told all the same', async () => {
      const { number, workspaceId } = await held('Gasket');
      await pdm.admin.post(`/workspaces/${workspaceId}/checkout/ask`, {});
      const soon = { $set: { 'reservation.expiresAt': new Date(Date.now() + 4_000) } };
      await pdm.services.mongo.db.collection<{ _id: string }>('workspaces').updateOne({ _id: workspaceId }, soon);
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/reservations' });
      const asked = page.getByRole('region', { name: 'You asked for' });
      await asked.getByText(number).waitFor();
      await page.getByRole('status').getByText(`${number} (main) is free now.`).waitFor();
      await asked.getByText(number).waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('who had no page open when it became free is told by the next one, once', async () => {
      const { number, path, workspaceId } = await held('Hinge');
      const { page, context, complaints } = await visit(browser, pdm, 'admin', { path });
      await page.getByRole('button', { name: 'Ask for it…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText('You asked for it').waitFor();
      await page.goto(`${path}/history`);
      await page.getByText('asked for by').waitFor({ state: 'attached' });
      await page.goto('about:blank');
      await pdm.editor.post(`/workspaces/${workspaceId}/checkin`);

      await page.goto('/jobs');
      const told = page.getByRole('status').getByText(`${number} (main) is free now.`);
      await told.waitFor();
      await page.reload();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await told.count()).toBe(0);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('a viewer is told why not', async () => {
      const { path } = await held('Lid');
      const { page, context } = await visit(browser, pdm, 'viewer', { path });
      await page.getByRole('button', { name: 'Ask for it…' }).focus();
      await page.keyboard.press('Enter');
      await page
        .getByRole('status')
        .getByText(/viewer may not change documents/)
        .waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await context.close();
    });
  },
);
