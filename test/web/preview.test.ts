import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, startBrowser, visit } from '../support/browser.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>parent.ran = true</script><rect width="40" height="20" fill="teal"/></svg>`;
const DXF = [
  '0',
  'SECTION',
  '2',
  'ENTITIES',
  '0',
  'CIRCLE',
  '8',
  '0',
  '10',
  '5',
  '20',
  '5',
  '40',
  '5',
  '0',
  'HATCH',
  '8',
  '0',
  '0',
  'ENDSEC',
  '0',
  'EOF',
].join('\n');

/** Returns a PDF file with a filled rectangle on each page. */
function pdfOf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, n) => `${3 + 2 * n} 0 R`).join(' ');
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`];
  for (let n = 0; n < pages; n++) {
    const content = `0 0.5 0.5 rg 0 0 ${100 * (n + 1)} 100 re f`;
    objects.push(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents ${4 + 2 * n} 0 R>>`);
    objects.push(`<</Length ${content.length}>>stream\n${content}\nendstream`);
  }
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const offset = file.length;
    file += `${n + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${file}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`;
}

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('attachments in a browser'), () => {
  let pdm: Pdm;
  let browser: Browser;
  beforeAll(async () => {
    [pdm, browser] = await Promise.all([startPdm(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
  });

  it('shows PDF, SVG, DXF and text files, and offers them for download', { timeout: 90_000 }, async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
    const files = {
      'sheet.pdf': pdfOf(2),
      'logo.svg': SVG,
      'plan.dxf': DXF,
      'notes 図.txt': 'Deburr edges.',
      'x.zip': 'PK',
    };
    for (const [n, [fileName, content]] of Object.entries(files).entries())
      await pdm.editor.upload(body.workspaces[0].draftId, `attachment.f${n}`, content, { fileName });
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/documents/${body.id}` });
    const show = async (fileName: string) => {
      await page.getByRole('button', { name: `Show ${fileName}` }).click();
      return page.getByRole('dialog', { name: fileName });
    };
    const close = () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    const pdf = await show('sheet.pdf');
    await pdf.getByText('Page 1 of 2').waitFor();
    /** Whether the middle of the page is filled. */
    const isFilled = () =>
      pdf.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const data = canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
        return data !== undefined && data[3] === 255 && (data[0] ?? 255) < 50;
      });
    await pdf.getByRole('button', { name: 'Next' }).click();
    await expect.poll(isFilled).toBe(true);
    await pdf.getByRole('button', { name: 'Previous' }).click();
    await expect.poll(isFilled).toBe(false);
    expect(await barriers(page)).toEqual([]);
    await close();

    const svg = await show('logo.svg');
    await expect.poll(() => svg.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await close();

    const dxf = await show('plan.dxf');
    await dxf.getByText('Not shown: 1 HATCH.').waitFor();
    expect(await dxf.locator('svg path').getAttribute('d')).toMatch(/^M10 -5L/);
    await close();

    await page.getByRole('button', { name: 'notes 図.txt', exact: true }).click();
    const text = page.getByRole('dialog', { name: 'notes 図.txt' });
    await text.getByText('Deburr edges.').waitFor();
    expect(await text.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe('notes 図.txt');
    await close();
    expect(await page.getByRole('button', { name: 'Show x.zip' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('draws a small picture of each file, and stores the first as the thumbnail of the document', {
    timeout: 90_000,
  }, async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Drawing', kind: 'model' });
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/documents/${body.id}` });
    const files = { 'logo.svg': SVG, 'sheet.pdf': pdfOf(1), 'plan.dxf': DXF, 'notes.txt': 'Deburr edges.' };
    const [first, ...others] = Object.entries(files).map(([name, content]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    }));
    const input = page.getByRole('region', { name: 'Files' }).locator('input[type=file][multiple]');
    await input.setInputFiles([first ?? expect.fail()]);
    const thumbnail = async () => (await pdm.editor.get(`/documents/${body.id}`)).body.thumbnailUrl;
    await expect.poll(thumbnail, { timeout: 20_000 }).not.toBeNull();
    const picture = await thumbnail();
    await input.setInputFiles(others);

    const drawn = page.locator('.file-thumbnail canvas');
    await expect.poll(() => drawn.count(), { timeout: 30_000 }).toBe(4);
    /** The number of different colors of each picture: an empty one has a single color. */
    const colors = await drawn.evaluateAll((canvases) =>
      (canvases as HTMLCanvasElement[]).map((canvas) => {
        const image = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0))).size;
      }),
    );
    expect(Math.min(...colors)).toBeGreaterThan(1);
    expect(await thumbnail()).toBe(picture);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('stores no thumbnail of an empty drawing', { timeout: 60_000 }, async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Empty drawing', kind: 'model' });
    const { page, context } = await visit(browser, pdm, 'editor', { path: `/documents/${body.id}` });
    const input = page.getByRole('region', { name: 'Files' }).locator('input[type=file][multiple]');
    const file = (name: string, content: string) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    });
    await input.setInputFiles([file('empty.dxf', '0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n')]);
    await page.locator('.file-thumbnail[data-failed]').waitFor();
    await input.setInputFiles([file('notes.txt', 'Deburr edges.')]);
    const artifacts = async (): Promise<{ kind: string; fileName: string; createdAt: string }[]> =>
      (await pdm.editor.get(`/versions/${body.workspaces[0].draftId}/artifacts`)).body.items;
    const timeOf = async (name: string) => (await artifacts()).find(({ fileName }) => fileName === name)?.createdAt;
    await expect.poll(() => timeOf('thumbnail.png'), { timeout: 20_000 }).toBeDefined();
    const [picture = '', notes = ''] = await Promise.all([timeOf('thumbnail.png'), timeOf('notes.txt')]);
    expect(Date.parse(picture)).toBeGreaterThanOrEqual(Date.parse(notes));
    await context.close();
  });
});
