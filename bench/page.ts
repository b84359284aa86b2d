// Load time of the web page and scrolling through ten thousand versions in a real browser, compared to a minimal page
// of the same service and an empty page of the same height. Targets: the document list is visible within 2 s; no frame
// without rows while scrolling.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { collection } from '../subgraphs/core/store/query/scope.ts';
import { startBrowser, visit } from '../test/support/browser.ts';
import { findChromium } from '../test/support/needs.ts';
import { startPdm } from '../test/support/pdm.ts';

const VERSIONS = 10_000;
const ROUNDS = 7;
const FRAMES = 240;
const STEP = 100; // pixels per frame: a fast mouse wheel

if (!findChromium()) {
  console.log('NOT RUN: Chromium is not installed');
  process.exit(0);
}
const [pdm, browser] = await Promise.all([startPdm(), startBrowser({ flat: true })]);
const { page, context } = await visit(browser, pdm, 'editor');

const documentId = await createLongHistory();
for (let i = 0; i < 60; i++) await pdm.editor.post('/documents', { name: `Part ${i}`, kind: 'model' });

const minimal = await loadTime(page, '/api/v1/docs', 'Search');
const first = await loadTime(page, '/', 'Part 59');
console.log(
  `document list: ${first.toFixed(0)} ms (target: ≤ 2000), ${(first / minimal).toFixed(1)} times a minimal page (${minimal.toFixed(0)} ms)`,
);
console.log(
  `history of ${VERSIONS.toLocaleString('en')} versions: ${(await loadTime(page, historyPath(), `v${VERSIONS}`)).toFixed(0)} ms`,
);

console.log(`first version after pressing End: ${(await jumpToEnd(page)).toFixed(0)} ms`);

const scrolled = await scroll(page, '.history-grid, [role=grid]', '[role=row]');
await page.goto('about:blank');
await page.setContent(
  `<div style="height:90vh;overflow:auto" role="grid"><div style="height:${VERSIONS * 34}px">&nbsp;</div></div>`,
);
const empty = await scroll(page, '[role=grid]', 'div');
console.log(
  `scrolling by ${STEP} px per frame: frame time p50 ${scrolled.median.toFixed(1)} ms, p95 ${scrolled.p95.toFixed(1)} ms; empty page ${empty.median.toFixed(1)} and ${empty.p95.toFixed(1)} ms`,
);
console.log(`frames without rows: ${scrolled.blank} of ${FRAMES} (target: 0)`);
await context.close();
await browser.close();
await pdm.close();

function historyPath(): string {
  return `/documents/${documentId}/history`;
}

// Median time from navigation to visible text, with a warm cache.
async function loadTime(page: Page, path: string, text: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await page.goto(path, { waitUntil: 'commit' });
    await (text === 'Search' ? page.getByLabel('Search') : page.getByText(text, { exact: true })).first().waitFor();
    times.push(performance.now() - start);
  }
  return median(times);
}

// Median time from the key press to the row at the other end, which is fetched from the service.
async function jumpToEnd(page: Page): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(historyPath());
    await page.getByText(`v${VERSIONS}`, { exact: true }).first().waitFor();
    const start = performance.now();
    await page.getByRole('grid').press('End');
    await page.locator(`[data-row="${VERSIONS}"] .by`).waitFor();
    times.push(performance.now() - start);
  }
  await page.goto(historyPath());
  await page.getByText(`v${VERSIONS}`, { exact: true }).first().waitFor();
  return median(times);
}

async function scroll(page: Page, box: string, row: string): Promise<{ median: number; p95: number; blank: number }> {
  const measured: unknown = await page.evaluate(`new Promise((resolve) => {
    const scrolls = (element) => element && element.scrollHeight > element.clientHeight + 10;
    const box = [...document.querySelectorAll(${JSON.stringify(box)})].flatMap((element) => [element, ...element.querySelectorAll('*')]).find(scrolls);
    const times = []; let blank = 0; let before = performance.now();
    const frame = (now) => {
      times.push(now - before); before = now;
      const { top, height, left, width } = box.getBoundingClientRect();
      const element = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!element || !element.closest(${JSON.stringify(row)})) blank++;
      if (times.length >= ${FRAMES}) return resolve(JSON.stringify({ times: times.slice(1), blank }));
      box.scrollTop += ${STEP};
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
  const { times, blank }: { times: number[]; blank: number } = JSON.parse(String(measured));
  assert(times.length >= FRAMES - 2);
  return { median: median(times), p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0, blank };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

// Creates one version through the API and inserts copies of it up to VERSIONS.
async function createLongHistory(): Promise<string> {
  const { body } = await pdm.editor.post('/documents', { name: 'Long-lived', kind: 'model' });
  const [{ id: workspaceId, draftId }] = body.workspaces;
  await pdm.editor.upload(draftId, 'attachment.note', 'a note', { fileName: 'note.txt' });
  const { body: version } = await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {
    comment: 'a comment of usual length',
  });
  const scope = { db: pdm.services.mongo.db };
  const versions = collection(scope, 'versions');
  const record = await versions.findOne({ _id: version.id });
  assert(record);
  const idOf = (n: number) => (n === 1 ? version.id : `${version.id.slice(0, -5)}${String(n).padStart(5, '0')}`);
  const copies = Array.from({ length: VERSIONS - 1 }, (_, i) => ({
    ...record,
    _id: idOf(i + 2),
    n: i + 2,
    basedOnVersionId: idOf(i + 1),
    parents: [idOf(i + 1)],
  }));
  for (let from = 0; from < copies.length; from += 1_000) await versions.insertMany(copies.slice(from, from + 1_000));
  await collection(scope, 'documents').updateOne({ _id: body.id }, { $set: { lastVersion: VERSIONS } });
  await collection(scope, 'workspaces').updateOne({ _id: workspaceId }, { $set: { newestVersionId: idOf(VERSIONS) } });
  await versions.updateOne({ _id: draftId }, { $set: { basedOnVersionId: idOf(VERSIONS), parents: [idOf(VERSIONS)] } });
  return body.id;
}
