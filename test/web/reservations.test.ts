import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('check-in requests in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser({ flat: true })]);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  /** Creates a document whose draft the editor has checked out. */
  async function createReserved(name: string) {
    const { body } = await pdm.editor.post('/documents', { name, kind: 'model' });
    const [{ id: workspaceId }] = body.workspaces;
    await pdm.editor.post(`/workspaces/${workspaceId}/checkout`, { note: 'new ribs', ttlSeconds: 3600 });
    return { number: body.number as string, path: `/documents/${body.number}`, workspaceId: workspaceId as string };
  }

  it('extends all reservations from one of several tabs, also while they are hidden', async () => {
    const [first, second] = [await createReserved('Flange'), await createReserved('Hub')];
    const { context, page, complaints } = await visit(browser, pdm, 'editor', { path: '/jobs' });
    await context.clock.install();
    await context.addInitScript(() => {
      Object.defineProperties(Document.prototype, { visibilityState: { value: 'hidden' }, hidden: { value: true } });
    });
    const other = await context.newPage();
    const extended: string[] = [];
    for (const tab of [page, other])
      tab.on('request', (request) => {
        const { query, variables } = JSON.parse(request.postData() ?? '{}');
        if (String(query).includes('heartbeatCheckout')) extended.push(variables.id);
      });
    await Promise.all([page.goto(first.path), other.goto(second.path)]);
    const label = () => page.getByRole('link', { name: /drafts? checked out by you/ }).innerText();
    await expect.poll(label, { timeout: 15_000 }).toMatch(/^\d/);
    const until = () => Promise.all([page, other].map((tab) => tab.getByText(/Checked out by you until/).innerText()));
    const before = await until();
    await context.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('heartbeatCheckout')) return route.continue();
      const json = await (await route.fetch()).json();
      json.data.heartbeatCheckout.expiresAt = new Date(Date.now() + 20 * 3_600_000).toISOString();
      await route.fulfill({ json });
    });
    const both = [first.workspaceId, second.workspaceId];
    const counts = () => both.map((id) => extended.filter((each) => each === id).length);
    await context.clock.fastForward('05:31');
    await expect.poll(counts, { timeout: 15_000 }).toEqual([1, 1]);
    // the tab that did not send the requests is notified
    await expect
      .poll(async () => (await until()).some((text, tab) => text === before[tab]), { timeout: 15_000 })
      .toBe(false);
    await context.clock.fastForward('05:31');
    await expect.poll(counts, { timeout: 15_000 }).toEqual([2, 2]);
    expect(complaints).toEqual([]);
    for (const id of both) await pdm.editor.post(`/workspaces/${id}/checkin`, {});
    await context.close();
  });

  it('says that a check-out has expired', async () => {
    const { number, workspaceId } = await createReserved('Spacer');
    await pdm.editor.post(`/workspaces/${workspaceId}/checkout/heartbeat`, { ttlSeconds: 60 });
    const { context, page } = await visit(browser, pdm, 'editor', { path: '/jobs' });
    await context.clock.install();
    let isHeld = true;
    await page.route('**/graphql', async (route) => {
      const body = route.request().postData() ?? '';
      if (body.includes('heartbeatCheckout')) return route.abort();
      const response = await route.fetch();
      const json = await response.json();
      if (json.data?.myReservations && !isHeld) json.data.myReservations.held = [];
      await route.fulfill({ response, json });
    });
    await page.goto('/jobs');
    await page.getByRole('link', { name: /drafts? checked out by you/ }).waitFor();
    isHeld = false;
    await context.clock.fastForward('01:10');
    const toast = page.getByRole('status').getByText(`Your check-out of ${number} (main) has expired.`);
    await toast.waitFor();
    expect(await barriers(page)).toEqual([]);
    await pdm.editor.post(`/workspaces/${workspaceId}/checkin`, {});
    await context.close();
  });

  it('notifies the holder of a request in any view and after a reload, and the requester of the check-in', async () => {
    const { number, path } = await createReserved('Bearing block');
    const ed = await visit(browser, pdm, 'editor', { path: '/jobs', dark: true });
    const reservations = ed.page.getByRole('link', { name: /drafts? checked out by you/ });
    await reservations.waitFor();
    const admin = await visit(browser, pdm, 'admin', { path });
    await admin.page.getByText(/Checked out by Ed Editor until/).waitFor();
    await admin.page.getByRole('button', { name: 'Request check-in…' }).click();
    const dialog = admin.page.getByRole('dialog', { name: 'Request check-in from Ed Editor' });
    expect(await barriers(admin.page)).toEqual([]);
    await dialog.getByLabel('Message').fill('ten minutes for a drawing');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await admin.page
      .getByRole('list', { name: 'Check-in requests' })
      .getByText('You requested check-in: “ten minutes for a drawing”')
      .waitFor();
    await admin.page.getByRole('button', { name: 'Request again…' }).waitFor();
    expect(await barriers(admin.page)).toEqual([]);

    const message = ed.page
      .getByRole('status')
      .getByText(`Administrator requests check-in of ${number} (main): “ten minutes for a drawing”`);
    await message.waitFor();
    expect(await barriers(ed.page)).toEqual([]);
    await ed.page.reload();
    await reservations.getByText('1 requested').waitFor();
    expect(await message.count()).toBe(0);
    await reservations.click();
    const mine = ed.page
      .getByRole('region', { name: 'Checked out by you' })
      .getByRole('listitem')
      .filter({ hasText: number });
    await mine.getByText('Administrator requests check-in: “ten minutes for a drawing”').waitFor();
    expect(await barriers(ed.page)).toEqual([]);
    await mine.getByRole('button', { name: `Check in ${number} (main)` }).click();
    await mine.waitFor({ state: 'detached' });

    await admin.page.getByRole('status').getByText(`${number} (main) is available now.`).waitFor();
    await admin.page.getByRole('status').getByRole('button', { name: 'Check out' }).click();
    await admin.page.getByText(/Checked out by you until/).waitFor();
    expect([...ed.complaints, ...admin.complaints]).toEqual([]);
    await Promise.all([ed.context.close(), admin.context.close()]);
  });

  it('checks in from the toast, dismisses outdated toasts, and names the next holder', async () => {
    const { number, path, workspaceId } = await createReserved('Cover');
    const [ed, other] = [await visit(browser, pdm, 'editor', { path }), await visit(browser, pdm, 'editor')];
    await ed.page.getByText(/Checked out by you until/).waitFor();
    await other.page.getByRole('link', { name: /drafts? checked out by you/ }).waitFor();
    const admin = await visit(browser, pdm, 'admin', { path: `${path}/history` });
    await admin.page.getByRole('button', { name: 'Actions for Draft' }).click();
    await admin.page.getByRole('menuitem', { name: 'Request check-in from Ed Editor…' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
    const words = `Administrator requests check-in of ${number} (main).`;
    await other.page.getByRole('status').getByText(words).waitFor();
    await ed.page
      .getByRole('list', { name: 'Check-in requests' })
      .getByText('Administrator requests check-in')
      .waitFor();
    const toast = ed.page.locator('.toast').filter({ hasText: words });
    await toast.getByRole('button', { name: 'Check in' }).click();
    await ed.page.getByText('Not checked out').waitFor();
    await other.page.getByText(words).waitFor({ state: 'detached' });
    await admin.page.getByRole('status').getByText(`${number} (main) is available now.`).waitFor();

    await pdm.editor.post(`/workspaces/${workspaceId}/checkout`, {});
    await admin.page.getByRole('link', { name: 'Show' }).click();
    await admin.page.getByRole('button', { name: 'Request check-in…' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
    await admin.page.getByText('You requested check-in').waitFor();
    await pdm.editor.post(`/workspaces/${workspaceId}/checkin`);
    await pdm.editor.post(`/workspaces/${workspaceId}/checkout`, {});
    await admin.page
      .getByRole('status')
      .getByText(/is now checked out by Ed Editor\./)
      .waitFor();
    expect([...ed.complaints, ...other.complaints, ...admin.complaints]).toEqual([]);
    await Promise.all([ed, other, admin].map(({ context }) => context.close()));
  });

  it('reports a reservation that ended before the requests were reloaded', async () => {
    const { path, workspaceId } = await createReserved('Flange');
    const { page, context, complaints } = await visit(browser, pdm, 'admin', { path });
    await page.getByRole('button', { name: 'Request check-in…' }).click();
    let reload = () => {};
    const ended = new Promise<void>((resolve) => {
      reload = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('MyReservations')) await ended;
      await route.continue();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
    await page.getByText('You requested check-in').waitFor();
    await pdm.editor.post(`/workspaces/${workspaceId}/checkin`);
    await page.getByText('Not checked out').waitFor();
    reload();
    await page
      .getByRole('status')
      .getByText(/is available now\./)
      .waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('reports the expiry of a reservation, which emits no event', async () => {
    const { number, workspaceId } = await createReserved('Gasket');
    await pdm.admin.post(`/workspaces/${workspaceId}/request-checkin`, {});
    const soon = { $set: { 'reservation.expiresAt': new Date(Date.now() + 4_000) } };
    await pdm.services.mongo.db.collection<{ _id: string }>('workspaces').updateOne({ _id: workspaceId }, soon);
    const { page, context, complaints } = await visit(browser, pdm, 'admin', { path: '/reservations' });
    const requests = page.getByRole('region', { name: 'Your check-in requests' });
    await requests.getByText(number).waitFor();
    await page.getByRole('status').getByText(`${number} (main) is available now.`).waitFor();
    await requests.getByText(number).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('reports once that a reservation ended while no page was open', async () => {
    const { number, path, workspaceId } = await createReserved('Hinge');
    const { page, context, complaints } = await visit(browser, pdm, 'admin', { path });
    await page.getByRole('button', { name: 'Request check-in…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
    await page.getByText('You requested check-in').waitFor();
    await page.goto(`${path}/history`);
    await page.getByText('check-in requested by').waitFor({ state: 'attached' });
    await page.goto('about:blank');
    await pdm.editor.post(`/workspaces/${workspaceId}/checkin`);

    await page.goto('/jobs');
    const message = page.getByRole('status').getByText(`${number} (main) is available now.`);
    await message.waitFor();
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect(await message.count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('explains to a viewer why a request is not allowed', async () => {
    const { path } = await createReserved('Lid');
    const { page, context } = await visit(browser, pdm, 'viewer', { path });
    await page.getByRole('button', { name: 'Request check-in…' }).focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .getByText(/viewer cannot change documents/)
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });
});
