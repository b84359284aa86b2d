// Frames of the editor of an assembly while one of 300 parts is dragged in 3D, in a real browser. Target: 16.7 ms per
// frame with a graphics card. Without one, WebGL is rendered in software, and the script time of a frame is what counts.
import { boxModel } from '../test/support/box-model.ts';
import { startBrowser, visit } from '../test/support/browser.ts';
import { tipOfXArrow } from '../test/support/gizmo.ts';
import { createModelDocument, deliverGlb, uploadSource } from '../test/support/model-documents.ts';
import { findChromium } from '../test/support/needs.ts';
import { startPdm } from '../test/support/pdm.ts';

const PARTS = 300;
const MOVES = 120;

if (!findChromium()) {
  console.log('NOT RUN: Chromium is not installed');
  process.exit(0);
}
const [pdm, browser] = await Promise.all([startPdm(), startBrowser()]);
const { id, draftId, workspaceId } = await createModelDocument(pdm, 'Block');
await uploadSource(pdm, draftId, 'block');
await deliverGlb(pdm, draftId, 'block', await boxModel('Block', [{ name: 'Block', size: [8, 8, 8] }]));
await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {});
const { body: assembly } = await pdm.editor.post('/documents', { name: 'Grid of blocks', kind: 'assembly' });
const indexes = Array.from({ length: PARTS }, (_, at) => at);
const structure = {
  templates: indexes.map((at) => ({ ident: `t${at}`, reference: { location: `pdm://documents/${id}` } })),
  instances: indexes.map((at) => ({
    ident: `i${at}`,
    template: `t${at}`,
    transform: `[${(at % 20) * 12},${Math.floor(at / 20) * 12},0]`,
  })),
};
await pdm.editor.upload(assembly.workspaces[0].draftId, 'asm-json', JSON.stringify(structure), {
  fileName: 'asm.json',
});
const { page } = await visit(browser, pdm, 'editor', { path: `/documents/${assembly.id}/bom` });
page.setDefaultTimeout(120_000);
await page.getByRole('button', { name: 'Edit components…' }).click();
const dialog = page.getByRole('dialog', { name: /^Components of/ });
await dialog.locator('canvas').waitFor();
await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
const rows = await dialog.getByRole('listbox').getByRole('option').count();
const stage = dialog.getByRole('application');
await stage.focus();
await page.keyboard.press('2');
await dialog.getByRole('listbox').getByRole('option').first().click();
const [x, y] = await tipOfXArrow(page, stage);
await page.evaluate(`
  window.spent = [];
  window.intervals = [];
  const request = window.requestAnimationFrame.bind(window);
  let last = 0;
  window.requestAnimationFrame = (run) => request((time) => {
    const start = performance.now();
    run(time);
    window.spent.push(performance.now() - start);
    if (last) window.intervals.push(start - last);
    last = start;
  });
`);
await page.mouse.move(x, y);
await page.mouse.down();
for (let at = 0; at < MOVES; at++) await page.mouse.move(x + at * 2, y + at / 4);
await page.mouse.up();
await dialog.getByRole('button', { name: 'Undo', disabled: false }).waitFor(); // the part was dragged
const { spent, intervals } = JSON.parse(
  String(await page.evaluate('JSON.stringify({ spent: window.spent, intervals: window.intervals })')),
) as { spent: number[]; intervals: number[] };
const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]?.toFixed(1);
console.log(`${PARTS} parts, ${rows} rows rendered, ${MOVES} pointer moves, ${spent.length} frames`);
console.log(`script time of a frame: median ${at(spent, 0.5)} ms, 95 % ${at(spent, 0.95)} ms (target: ≤ 16.7)`);
console.log(`between frames: median ${at(intervals, 0.5)} ms, 95 % ${at(intervals, 0.95)} ms (rendered in software)`);
await browser.close();
await pdm.close();
process.exit(0);
