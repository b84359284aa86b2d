import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, assemblies, type Item } from '../support/assemblies.ts';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { sha256Of } from '../support/content.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const SLOW = { timeout: 60_000 };

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('bills of materials in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  let make: ReturnType<typeof assemblies>;
  let bolt: Item;
  let nut: Item;
  let hinge: Item;
  let gate: Item;
  // gate v1 ( 2 × hinge@v1 ( 3 × bolt@A, 1 × nut ), 4 × nut ); then the bolt has a revision B
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser()]);
    make = assemblies(pdm.editor);
    bolt = await make.model({ name: 'Hexagon bolt' });
    nut = await make.part({ name: 'ナット M8' });
    await weigh(bolt);
    await make.release(bolt);
    hinge = await make.assembly(
      [
        [addressOf(bolt, '@A'), 3],
        [nut, 1],
      ],
      { name: 'Hinge' },
    );
    gate = await make.assembly(
      [
        [addressOf(hinge, '@v1'), 2],
        [nut, 4],
      ],
      { name: 'Gate' },
    );
    await make.release(bolt);
  });
  /** Uploads properties as an engine would. */
  async function weigh({ draftId }: Item): Promise<void> {
    await pdm.editor.upload(draftId, 'source', 'bolt', { fileName: 'bolt.stp' });
    const claim = { workerId: 'w', types: ['convert'], environment: { engine: 'occt' } };
    const { body: job } = await pdm.worker.post('/jobs/claim', claim);
    const properties = {
      units: 'mm',
      massUnits: 'kg',
      mass: 0.1,
      occurrencesWithoutMass: 0,
      materials: [{ name: 'Steel', density: 7850, occurrences: 1, mass: 0.1 }],
    };
    const headers = {
      'x-generator': 'test/1',
      'x-input-sha256': sha256Of('bolt'),
      'x-job-attempt': String(job.attempt),
    };
    const stored = await pdm.worker.upload(draftId, 'properties', JSON.stringify(properties), { headers });
    if (stored.status !== 201) throw new Error(`The properties were rejected: ${stored.bytes}`);
    await pdm.worker.post(`/jobs/${job.id}/complete`, { attempt: job.attempt, workerId: 'w' });
  }
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  it('shows the tree with totals and outdated lines, with keyboard navigation and search', SLOW, async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${gate.id}/bom` });
    const grid = page.getByRole('treegrid', { name: `Bill of materials of ${gate.number}` });
    const row = (name: string | RegExp) => grid.getByRole('row', { name });
    await row(/Hexagon bolt/).waitFor();
    expect(await row(/Hinge/).innerText()).toMatch(/v1[\s\S]*pinned[\s\S]*contains outdated[\s\S]*2[\s\S]*2/);
    expect(await row(/Hexagon bolt/).innerText()).toMatch(/Rev A · v1[\s\S]*pinned[\s\S]*outdated[\s\S]*3[\s\S]*6/);
    expect(
      await row(/ナット M8/)
        .first()
        .getAttribute('aria-level'),
    ).toBe('2');

    await grid.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await row(/Hexagon bolt/).count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await row(/Hexagon bolt/).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('searchbox', { name: 'Search the bill of materials' }).fill('bolt hex');
    await page.getByText('2 of 4 lines').waitFor();
    await page.getByRole('searchbox', { name: 'Search the bill of materials' }).fill('');

    await page.getByRole('button', { name: 'Flat' }).click();
    await page.getByText('2 lines').waitFor();
    expect(await row(/ナット M8/).innerText()).toMatch(/6/);
    expect(new URL(page.url()).searchParams.get('mode')).toBe('flat');
    await page.goBack();
    await page.getByText('4 lines').waitFor();

    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()]);
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv.split('\n')[0]).toContain('Total quantity');
    expect(csv).toContain('ナット M8');
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows the columns that the user chooses, also at the next visit', SLOW, async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${gate.id}/bom` });
    const grid = page.getByRole('treegrid', { name: `Bill of materials of ${gate.number}` });
    await grid.getByRole('row', { name: /Hexagon bolt/ }).waitFor();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Newest revision' }).check();
    await grid.getByRole('row', { name: /Hexagon bolt.*Rev B/s }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Material' }).check();
    await page.getByRole('checkbox', { name: 'Total mass' }).check();
    await grid.getByRole('row', { name: /Hexagon bolt.*Steel.*600 g/s }).waitFor(); // 6 of 100 g
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${gate.number}-bom.xlsx`);
    const sheet = (await readFile(await file.path())).toString('latin1'); // the archive is not compressed
    expect(sheet).toMatch(/Hexagon bolt.*Steel.*>0\.1<.*>0\.6</s);
    await page.reload();
    await grid.getByRole('columnheader', { name: 'Newest revision' }).waitFor();
    await grid.getByRole('row', { name: /Hexagon bolt.*Rev B/s }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows where a part is used, level by level, and opens a use with Enter', SLOW, async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', {
      path: `/documents/${bolt.id}/used`,
      dark: true,
    });
    const grid = page.getByRole('treegrid', { name: 'Where used' });
    await grid.getByRole('row', { name: /Gate/ }).waitFor();
    expect(await grid.getByRole('row', { name: /Hinge/ }).getAttribute('aria-level')).toBe('1');
    expect(await grid.getByRole('row', { name: /Gate/ }).getAttribute('aria-level')).toBe('2');
    await page.getByRole('button', { name: 'Direct' }).click();
    await grid.getByRole('row', { name: /Draft in main/ }).waitFor();
    expect(await grid.getByRole('row', { name: /Gate/ }).count()).toBe(0);
    await page.getByLabel('Uses of').selectOption('B');
    await page.getByText('This version is not used.').waitFor();
    await page.getByLabel('Uses of').selectOption('A');
    await grid.getByRole('row', { name: /Hinge/ }).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await grid.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('treegrid', { name: `Bill of materials of ${hinge.number}` }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it(
    'updates a selected reference to the newest release, and replaces a part in all drafts after a preview',
    SLOW,
    async () => {
      const washer = await make.part({ name: 'Washer' });
      const { page, context, complaints } = await visit(browser, pdm, 'editor', {
        path: `/documents/${hinge.id}/updates`,
      });
      await page.getByText('1 of 2 references have updates.').waitFor();
      await page.getByRole('button', { name: 'Update to newest release (0)' }).press('Enter');
      await page.getByText('Select references to update.').waitFor();
      await page.getByRole('checkbox', { name: `Select ${bolt.number}` }).check();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Update to newest release (1)' }).click();
      await page.getByText('All references are up to date.').waitFor();
      const { body } = await pdm.viewer.get(`/versions/${hinge.draftId}/references`);
      expect(body.items.map(({ location }: { location: string }) => location)).toEqual([
        addressOf(bolt, '@B'),
        addressOf(nut),
      ]);

      await page.goto(`${pdm.url}/documents/${nut.id}/used`);
      await page.getByRole('button', { name: 'Replace in all drafts…' }).click();
      const dialog = page.getByRole('dialog');
      const other = dialog.getByRole('combobox', { name: 'Document to use instead' });
      const found = dialog.getByRole('option');
      await other.click(); // the list is closed until something is typed, so Escape closes the dialog
      expect(await other.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Replace in all drafts…' }).click();
      await other.fill('no such part');
      await dialog.getByText('No other document found.').waitFor();
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').getByText('Document no such part not found.').waitFor();
      await other.fill(nut.number); // the document itself is not offered
      await dialog.getByText('No other document found.').waitFor();
      await other.fill('wash'); // by name, with the keyboard
      await found.getByText('Washer').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await dialog.getByText('1 reference').first().waitFor();
      expect([await other.inputValue(), await found.count(), await dialog.getByRole('alert').count()]).toEqual([
        washer.number,
        0,
        0,
      ]);
      expect(await barriers(page)).toEqual([]);
      await other.fill(bolt.number); // the preview belonged to another document
      expect(await dialog.getByRole('button', { name: /^Replace/ }).allInnerTexts()).toEqual(['Replace']);
      await found.getByText('Bolt').waitFor();
      await page.keyboard.press('Escape'); // closes only the list
      await other.fill('');
      await other.fill(washer.number.toLowerCase()); // a typed number needs no choice from the list
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Replace in 2 drafts' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(`Replaced ${nut.number} with ${washer.number} in 2 drafts.`).waitFor();
      expect((await pdm.viewer.get(`/versions/${gate.draftId}/references`)).body.items[1].location).toBe(
        addressOf(washer),
      );
      expect(complaints).toEqual([]);
      await context.close();
    },
  );
});
