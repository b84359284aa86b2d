import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeArchive } from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { barriers, hasFocus, startBrowser, visit } from '../support/browser.ts';
import { type Repository, repository } from '../support/git-server.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { resultFile } from '../support/result-files.ts';

const PARAMS = {
  type: 'object',
  additionalProperties: false,
  required: ['tag'],
  properties: {
    width: {
      title: 'Width over all',
      description: 'From edge to edge.',
      type: 'number',
      unit: 'mm',
      minimum: 200,
      maximum: 3000,
      default: 800,
    },
    wood: { title: 'Wood', enum: ['oak', 'ash'], default: 'oak' },
    back: { title: 'With a back', type: 'boolean', default: false },
    tag: { title: 'Tag', type: 'string', pattern: '^[A-Z]+$' },
    holes: { title: 'Holes', type: 'array', items: { type: 'number', unit: 'mm' } },
    feet: {
      title: 'Feet',
      type: 'object',
      required: ['height'],
      properties: { height: { title: 'Height', type: 'integer', minimum: 1 } },
    },
  },
};
const MANIFEST = {
  name: 'rack',
  version: '1.2.0',
  entry: 'rack.mjs',
  description: 'A rack of boards.',
  params: PARAMS,
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const RESULT = writeArchive([
  {
    path: 'result.json',
    bytes: Buffer.from(
      JSON.stringify({
        engine: 'test/1.0.0',
        isolation: 'strict',
        documents: [{ key: 'board', kind: 'model', name: 'Board 900' }],
      }),
    ),
  },
  { path: 'board/stp', bytes: Buffer.from('ISO-10303-21;') },
  { path: 'board/glb', bytes: resultFile('glb', 'board') },
  { path: 'board/properties', bytes: Buffer.from('{"volume":1}') },
  { path: 'board/thumbnail', bytes: PNG },
]);

const SLOW = { timeout: 15_000 };
const PATIENT = { timeout: 90_000 }; // a browser on a busy machine

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('code documents in a browser'), PATIENT, () => {
  let pdm: Pdm;
  let browser: Browser;
  let root: string;
  let repo: Repository;
  let code: { id: string; draft: string };
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'pdm-repositories-')));
    repo = repository(root, 'rack');
    repo.commit({ 'generator.json': JSON.stringify(MANIFEST), 'rack.mjs': 'export default () => [];' });
    [pdm, browser] = await Promise.all([startPdm({ settings: { PDM_GIT_ALLOWED_FOLDERS: root } }), startBrowser()]);
    const { body } = await pdm.editor.post('/documents', { name: 'Rack generator', kind: 'code' });
    code = { id: body.id, draft: body.workspaces[0].draftId };
  });
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
    if (root) rmSync(root, { recursive: true });
  });
  const tab = () => `/documents/${code.id}/code`;

  it('connects and synchronizes a repository, and shows errors of the manifest with their location', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: tab() });
    await page.getByRole('button', { name: 'Connect repository…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Repository').fill(repo.folder);
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('not fetched yet').waitFor();
    repo.commit({ 'generator.json': JSON.stringify({ ...MANIFEST, entry: 'no.mjs', units: 'inch' }) });
    await page.getByRole('button', { name: 'Synchronize' }).click();
    const problem = page.getByRole('alert');
    await problem.waitFor();
    expect(await problem.innerText()).toMatch(/\/entry[\s\S]*\/units/);
    const commit = repo.commit({ 'generator.json': JSON.stringify(MANIFEST) });
    await page.getByRole('button', { name: 'Synchronize' }).click();
    await page.getByText(commit.slice(0, 10)).first().waitFor();
    await page.getByRole('form', { name: 'Parameters' }).waitFor();
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
    await context.close();
  });

  it('has a form field for each parameter, and shows errors of the browser and of the service at the field', async () => {
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: tab(), dark: true });
    const form = page.getByRole('form', { name: 'Parameters' });
    const width = form.getByLabel('Width over all');
    await width.waitFor();
    expect(await width.inputValue()).toBe('800');
    expect(await form.getByLabel('Wood').innerText()).toContain('oak');
    await width.fill('90');
    const errorOf = (label: string) =>
      form
        .getByLabel(label, { exact: true })
        .evaluate(
          (field: {
            getAttribute(name: string): string | null;
            ownerDocument: { getElementById(id: string): { textContent: string } | null };
          }) =>
            (field.getAttribute('aria-describedby') ?? '')
              .split(' ')
              .map((id) => field.ownerDocument.getElementById(id)?.textContent)
              .join(' '),
        );
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => errorOf('Width over all'), SLOW).toContain('must be at least 200 mm');
    expect(await barriers(page)).toEqual([]);
    await width.fill('900');
    await form.getByLabel(/^Tag/).fill('oak');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await form
      .getByText(/pattern/)
      .first()
      .waitFor();
    await form.getByLabel(/^Tag/).fill('OAK');
    await form.getByLabel('Feet').check();
    await form.getByLabel(/^Height/).fill('40');
    await form.getByLabel('Holes').check();
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByRole('textbox', { name: /^Holes 1/ }).fill('12.5');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('article', { name: 'Run of Rack generator' }).waitFor();
    const [run] = (await pdm.viewer.get(`/versions/${code.draft}/runs`)).body.items;
    expect(run.params).toMatchObject({ width: 900, wood: 'oak', back: false, tag: 'OAK', feet: { height: 40 } });
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
    await context.close();
  });

  it('shows the progress of a run, then the created documents and their origin, and reuses its parameters', async () => {
    const [run] = (await pdm.viewer.get(`/versions/${code.draft}/runs`)).body.items;
    const { page, context, complaints } = await visit(browser, pdm, 'viewer', { path: `/runs/${run.id}` });
    await page.getByText('Waiting for a worker.').waitFor();
    const job = (
      await pdm.worker.post('/jobs/claim', { workerId: 'w', types: ['run'], environment: { engine: 'test' } })
    ).body;
    await pdm.worker.post(`/jobs/${job.id}/heartbeat`, { percent: 40, step: 'boards', log: ['two boards of oak'] });
    await page.getByText('40 % · boards').waitFor();
    await page.getByRole('log').getByText('two boards of oak').waitFor();
    expect((await pdm.worker.send('POST', `/jobs/${job.id}/result`, RESULT)).status).toBe(200);
    const created = page.getByRole('list', { name: 'Created documents' });
    await created.getByRole('link', { name: /Board 900/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    const provenance = await page.getByRole('link', { name: /Provenance/ }).getAttribute('href');
    expect((await pdm.viewer.get(String(provenance).replace('/api/v1', ''))).body.predicateType).toContain('slsa');
    await page.getByRole('link', { name: 'Run with other parameters' }).click();
    const width = page.getByRole('form', { name: 'Parameters' }).getByLabel('Width over all');
    await expect.poll(() => width.inputValue(), SLOW).toBe('900');
    await page
      .getByRole('region', { name: 'Runs' })
      .getByRole('link', { name: /Board 900/ })
      .waitFor();
    // a viewer sees the button disabled, with the reason
    const button = page.getByRole('button', { name: 'Run', exact: true });
    expect([await button.getAttribute('aria-disabled'), await button.getAttribute('title')]).toEqual([
      'true',
      'Viewers cannot run generators.',
    ]);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('cancels a waiting and a running job on the run page, retries a failed one, and keeps the focus', async () => {
    const requestRun = async () =>
      (await pdm.editor.post(`/versions/${code.draft}/runs`, { params: { tag: 'ASH' }, force: true })).body;
    const claim = async () =>
      (await pdm.worker.post('/jobs/claim', { workerId: 'w', types: ['run'], environment: { engine: 'test' } }))
        .body as { id: string };
    const first = await requestRun();
    const { page, context, complaints } = await visit(browser, pdm, 'editor', { path: `/runs/${first.id}` });
    const status = page.getByRole('group', { name: 'Status' });
    const cancel = status.getByRole('button', { name: 'Cancel' });
    await cancel.focus();
    await page.keyboard.press('Enter');
    await status.getByText('cancelled', { exact: true }).waitFor();
    await page.getByText('None: the run was cancelled.').waitFor();
    expect([await cancel.count(), await hasFocus(status)]).toEqual([0, true]);
    expect((await pdm.viewer.get(`/runs/${first.id}`)).body.job.status).toBe('cancelled');
    expect(await barriers(page)).toEqual([]);

    const second = await requestRun();
    await page.goto(`/runs/${second.id}`);
    const job = await claim();
    await status.getByText('running', { exact: true }).waitFor();
    await cancel.focus();
    await page.keyboard.press('Enter');
    await status.getByText('stopping').waitFor();
    expect([await cancel.count(), await hasFocus(status)]).toEqual([0, true]);
    expect((await pdm.worker.post(`/jobs/${job.id}/heartbeat`)).body.cancelRequested).toBe(true);
    await pdm.worker.post(`/jobs/${job.id}/fail`, { error: { code: 'stopped', message: 'Stopped.' } });
    await status.getByText('cancelled', { exact: true }).waitFor();

    const third = await requestRun();
    await page.goto(`/runs/${third.id}`);
    await status.getByText('waiting', { exact: true }).waitFor();
    await pdm.worker.post(`/jobs/${(await claim()).id}/fail`, {
      error: { code: 'generator_failed', message: 'No wood.' },
    });
    const again = status.getByRole('button', { name: 'Run again' });
    const viewer = await visit(browser, pdm, 'viewer', { path: `/runs/${third.id}` });
    expect(await viewer.page.getByRole('button', { name: 'Run again' }).getAttribute('aria-disabled')).toBe('true');
    await again.focus();
    await page.keyboard.press('Enter');
    await status.getByText('waiting', { exact: true }).waitFor();
    expect(await hasFocus(cancel)).toBe(true);
    expect((await pdm.viewer.get(`/runs/${third.id}`)).body.job).toMatchObject({
      status: 'waiting',
      cancelRequested: false,
    });
    expect([complaints, viewer.complaints]).toEqual([[], []]);
    await Promise.all([context.close(), viewer.context.close()]);
  });
});
