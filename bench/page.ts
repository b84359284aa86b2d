// How long the web page takes to be there, and how it scrolls through ten thousand versions, in a real browser. Run by
// `node launch.mjs bench/page.ts`. Aims: the list in sight and ready within 2 s; no scrolled frame without its rows. Peers of the same run: a bare
// page of the same service, and an empty page of the same height.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { collection } from '../subgraphs/core/store/query/scope.ts';
import { CHROMIUM, startBrowser, visit } from '../test/support/browser.ts';
import { startPdm } from '../test/support/pdm.ts';

const VERSIONS = 10_000;
const ROUNDS = 7;
const FRAMES = 240;
const STEP = 100; // pixels a frame: a wheel that is turned fast

if (!CHROMIUM) {
  console.log('not run: there is no chromium on this machine');
  process.exit(0);
}
const [pdm, browser] = await Promise.all([startPdm(), startBrowser({ flat: true })]);
const { page, context } = await visit(browser, pdm, 'editor');

const documentId = await longHistory();
for (let i = 0; i < 60; i++) await pdm.editor.post('/documents', { name: `Part ${i}`, kind: 'model' });

const bare = await opening(page, '/api/v1/docs', 'Search');
const first = await opening(page, '/', 'Part 59');
console.log(
  `the list of documents is there after ${first.toFixed(0)} ms (aim: 2,000), ${(first / bare).toFixed(1)} times a bare page (${bare.toFixed(0)} ms)`,
);
console.log(
  `the history of ${VERSIONS.toLocaleString('en')} versions is there after ${(await opening(page, history(), `v${VERSIONS}`)).toFixed(0)} ms`,
);

console.log(`the first version is there ${(await farEnd(page)).toFixed(0)} ms after the key End`);

const scrolled = await scrolling(page, '.history-grid, [role=grid]', '[role=row]');
await page.goto('about:blank');
await page.setContent(
  `<div style="height:90vh;overflow:auto" role="grid"><div style="height:${VERSIONS * 34}px">&nbsp;</div></div>`,
);
const empty = await scrolling(page, '[role=grid]', 'div');
console.log(
  `scrolled by ${STEP} px a frame: a frame every ${scrolled.median.toFixed(1)} ms, 95 % within ${scrolled.most.toFixed(1)} ms; an empty page ${empty.median.toFixed(1)} and ${empty.most.toFixed(1)} ms`,
);
console.log(`frames without rows in sight: ${scrolled.blank} of ${FRAMES} (aim: 0)`);
await context.close();
await browser.close();
await pdm.close();

function history(): string {
  return `/documents/${documentId}/history`;
}

// the time from the address to the words in sight, the median of some openings with a warm cache as one has it on the second day
async function opening(page: Page, path: string, words: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    await page.goto(path, { waitUntil: 'commit' });
    await (words === 'Search' ? page.getByLabel('Search') : page.getByText(words, { exact: true })).first().waitFor();
    times.push(performance.now() - begun);
  }
  return median(times);
}

// the time from the key to the row at the other end, read from the service; the median of some
async function farEnd(page: Page): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(history());
    await page.getByText(`v${VERSIONS}`, { exact: true }).first().waitFor();
    const begun = performance.now();
    await page.getByRole('grid').press('End');
    await page.locator(`[data-row="${VERSIONS}"] .by`).waitFor();
    times.push(performance.now() - begun);
  }
  await page.goto(history());
  await page.getByText(`v${VERSIONS}`, { exact: true }).first().waitFor();
  return median(times);
}

async function scrolling(
  page: Page,
  box: string,
  row: string,
): Promise<{ median: number; most: number; blank: number }> {
  const measured: unknown = await page.evaluate(`new Promise((resolve) => {
    const scrolls = (element) => element && element.scrollHeight > element.clientHeight + 10;
    const box = [...document.querySelectorAll(${JSON.stringify(box)})].flatMap((one) => [one, ...one.querySelectorAll('*')]).find(scrolls);
    const times = []; let blank = 0; let before = performance.now();
    const frame = (now) => {
      times.push(now - before); before = now;
      const { top, height, left, width } = box.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!seen || !seen.closest(${JSON.stringify(row)})) blank++;
      if (times.length >= ${FRAMES}) return resolve(JSON.stringify({ times: times.slice(1), blank }));
      box.scrollTop += ${STEP};
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
  const { times, blank }: { times: number[]; blank: number } = JSON.parse(String(measured));
  assert(times.length >= FRAMES - 2);
  return { median: median(times), most: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0, blank };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

// one version made as people make it, then ten thousand like it behind one another
async function longHistory(): Promise<string> {
  const { body } = await pdm.editor.post('/documents', { name: 'Long-lived', kind: 'model' });
  const [{ id: workspaceId, draftId }] = body.workspaces;
  await pdm.editor.upload(draftId, 'attachment.note', 'a note', { fileName: 'note.txt' });
  const { body: made } = await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {
    comment: 'a comment of usual length',
  });
  const scope = { db: pdm.services.mongo.db };
  const versions = collection(scope, 'versions');
  const record = await versions.findOne({ _id: made.id });
  assert(record);
  const idOf = (n: number) => (n === 1 ? made.id : `${made.id.slice(0, -5)}${String(n).padStart(5, '0')}`);
  const more = Array.from({ length: VERSIONS - 1 }, (_, i) => ({
    ...record,
    _id: idOf(i + 2),
    n: i + 2,
    basedOnVersionId: idOf(i + 1),
    parents: [idOf(i + 1)],
  }));
  for (let from = 0; from < more.length; from += 1_000) await versions.insertMany(more.slice(from, from + 1_000));
  await collection(scope, 'documents').updateOne({ _id: body.id }, { $set: { lastVersion: VERSIONS } });
  await collection(scope, 'workspaces').updateOne({ _id: workspaceId }, { $set: { newestVersionId: idOf(VERSIONS) } });
  await versions.updateOne({ _id: draftId }, { $set: { basedOnVersionId: idOf(VERSIONS), parents: [idOf(VERSIONS)] } });
  return body.id;
}
