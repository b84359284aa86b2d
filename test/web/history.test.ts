import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const SLOW = { timeout: 15_000 };
const PATIENT = { timeout: 90_000 }; // a browser on a busy machine

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('the history of a document in a browser'), PATIENT, () => {
  let pdm: Pdm;
  let browser: Browser;
  let part: { id: string; main: Workspace; fork: Workspace; versions: string[] };
  type Workspace = { id: string; draftId: string; name: string };
  const make = async ({ id, draftId }: Workspace, note: string): Promise<string> => {
    await pdm.editor.upload(draftId, 'attachment.note', note, { fileName: 'note.txt' });
    return (await pdm.editor.post(`/workspaces/${id}/versions`, { comment: note })).body.id;
  };
  // v1, v2 released as A, a fork from v2 with v3, v4 in main
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser()]);
    const { body } = await pdm.editor.post('/documents', { name: 'Bearing housing', kind: 'model' });
    const main = { ...body.workspaces[0], name: 'main' };
    const versions = [await make(main, 'first sketch'), await make(main, 'bolt circle wider')];
    await pdm.editor.post(`/versions/${versions[1]}/release`);
    const fork = (
      await pdm.editor.post(`/documents/${body.id}/workspaces`, { name: 'Lightweight', fromVersionId: versions[1] })
    ).body;
    versions.push(await make(fork, 'ribs'), await make(main, 'fillets'));
    part = { id: body.id, main, fork, versions };
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });
  const history = (more = '') => `/documents/${part.id}/history${more}`;

  it('draws a row for each draft and version with lines to their parents', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: history() });
    const grid = page.getByRole('grid', { name: /History/ });
    await grid.getByRole('row', { name: /^v1 / }).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('6');
    const rows = await grid.getByRole('row').allInnerTexts();
    expect(rows.map((text) => text.split('\n')[0])).toEqual(['Draft', 'Draft', 'v4', 'v3', 'v2', 'v1']);
    expect(await grid.getByRole('row', { name: /^v2/ }).innerText()).toContain('A');
    const counted: unknown = await page.evaluate(
      `['[data-kind=continues]', '[data-kind=fork]', '[data-type=draft]', '[data-type=version]'].map((name) => document.querySelectorAll('.gutter ' + name).length)`,
    );
    expect(counted).toEqual([4, 1, 2, 4]);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('opens version details and the action menu with the keyboard', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: history(), dark: true });
    const grid = page.getByRole('grid', { name: /History/ });
    await grid.getByRole('row', { name: /^v1 / }).waitFor();
    await grid.focus();
    for (let row = 0; row < 4; row++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Selected version' });
    await panel.getByRole('link', { name: 'note.txt' }).waitFor();
    expect(new URL(page.url()).searchParams.get('version')).toBe(part.versions[1]);
    expect(await panel.innerText()).toContain('bolt circle wider');
    expect(await barriers(page)).toEqual([]);

    await page.keyboard.press('m');
    const menu = page.getByRole('menu');
    const release = menu.getByRole('menuitem', { name: /^Release/ });
    await release.waitFor();
    expect(await release.getAttribute('aria-disabled')).toBe('true');
    expect(await release.innerText()).toMatch(/released/);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });

    for (let round = 0; round < 5; round++) {
      await page.keyboard.press('Enter');
      await panel.waitFor();
      await page.keyboard.press('m');
      await release.waitFor();
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('compares two marked versions and swaps the sides', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: history() });
    await page.getByRole('row', { name: /^v1 / }).click({ modifiers: ['Control'] });
    await page.getByRole('row', { name: /^v4/ }).getByRole('button', { name: 'Compare v4' }).click();
    await page.getByRole('link', { name: 'Compare v1 with v4' }).click();
    const files = page.getByRole('region', { name: 'Files' });
    expect(await files.getByRole('row', { name: /attachment.note/ }).innerText()).toContain('changed');
    const said = page.getByRole('region', { name: 'Comments' });
    expect(await said.getByRole('row', { name: /Comment/ }).innerText()).toMatch(/first sketch\s+fillets/);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Swap versions' }).click();
    await said.getByText(/fillets/).waitFor();
    await expect
      .poll(() => said.getByRole('row', { name: /Comment/ }).innerText(), SLOW)
      .toMatch(/fillets\s+first sketch/);
    await page.getByLabel('To: revision or number').fill('A');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('to'), SLOW).toBe(part.versions[1]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('finds a version by number, revision, or words of its comment', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', {
      path: `/documents/${part.id}/compare?from=${part.versions[3]}`,
    });
    await page.getByRole('combobox', { name: /^From/ }).selectOption({ label: 'Another version…' });
    const chooser = page.getByRole('dialog', { name: 'From: select version' });
    const options = chooser.getByRole('option');
    await options.filter({ hasText: 'first sketch' }).waitFor();
    expect((await options.allInnerTexts()).map((text) => text.split(/\s/)[0])).toEqual(['v4', 'v3', 'v2', 'v1']);
    await page.keyboard.type('2');
    await expect.poll(() => options.count(), SLOW).toBe(2);
    await chooser.getByRole('combobox').fill('a');
    await expect.poll(() => options.allInnerTexts(), SLOW).toEqual([expect.stringMatching(/^v2\s+A/)]);
    expect(await barriers(page)).toEqual([]);
    await chooser.getByRole('combobox').fill('v99');
    await chooser.getByText('No matching version.').waitFor();
    await chooser.getByRole('combobox').fill('SKETCH first');
    await expect.poll(() => options.allInnerTexts(), SLOW).toEqual([expect.stringMatching(/^v1/)]);
    await chooser.getByRole('combobox').fill('no such words');
    await chooser.getByText('No matching version.').waitFor();
    await chooser.getByRole('combobox').fill('v1');
    await options.filter({ hasText: 'first sketch' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('from'), SLOW).toBe(part.versions[0]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('lists the changes that a take-over would discard, and undoes the take-over', async () => {
    await pdm.editor.upload(part.fork.draftId, 'attachment.note', 'not in any version', { fileName: 'unsaved.txt' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: history() });
    await page.getByRole('row', { name: /^v4/ }).getByRole('button', { name: 'Actions for v4' }).click();
    await page.getByRole('menuitem', { name: 'Take over into a workspace…' }).click();
    const dialog = page.getByRole('dialog', { name: /Take over v4/ });
    const targets = dialog.getByLabel('Workspace');
    await targets.selectOption({ label: 'Lightweight' });
    expect(await targets.locator('option').allInnerTexts()).not.toContain('main'); // the version is from there
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await dialog.getByText('unsaved.txt').waitFor();
    await dialog.getByRole('alert').getByText('Create a version first, or select “Discard these changes”.').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Take over'); // the focus stays on the button
    await dialog.getByLabel('Discard these changes').check();
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await dialog.waitFor({ state: 'detached' });
    // the new line appears without a reload
    await page.locator('.gutter [data-kind=take_over]').waitFor({ state: 'attached' });
    const note = async () =>
      (await pdm.viewer.get(`/versions/${part.fork.draftId}/artifacts/attachment.note/file`)).bytes.toString();
    expect(await note()).toBe('fillets');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.gutter [data-kind=take_over]').waitFor({ state: 'detached' });
    expect(await note()).toBe('not in any version');
    // the browser logs every error response; the 409 is the expected warning
    expect(complaints.filter((each) => !each.includes('409'))).toEqual([]);
    await context.close();
  });

  it('returns the focus to the history after a dialog that was opened from a menu', async () => {
    const { page, context } = await visit(browser, pdm, 'editor', { path: history() });
    const grid = page.getByRole('grid', { name: /History/ });
    await grid.getByRole('row', { name: /^v1 / }).waitFor();
    await grid.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'New workspace from here…' }).press('Enter');
    await page.getByRole('dialog', { name: 'New workspace from v1' }).getByLabel('Name').fill('Left');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.role')).toBe('grid');
    await context.close();
  });

  it('creates a workspace from a version, and shows the changes of other users', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: history() });
    await page.getByRole('row', { name: /^v1 / }).getByRole('button', { name: 'Actions for v1' }).click();
    await page.getByRole('menuitem', { name: 'New workspace from here…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New workspace from v1' });
    await dialog.getByLabel('Name').fill('Other idea');
    await dialog.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('row', { name: /Other idea/ }).waitFor();
    await make(part.main, 'created by another user');
    await page.getByRole('row', { name: /created by another user/ }).waitFor();
    const [revision] = (await pdm.editor.get(`/documents/${part.id}/revisions`)).body.items;
    await pdm.admin.post(`/revisions/${revision.id}/obsolete`);
    await page.getByRole('row', { name: /^v2/ }).getByText('obsolete').waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
