// Every view of the page, with data that is the same in each run.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { encodePng } from '../../scheduler/engines/occt/render/encode-png.ts';
import { writeArchive } from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { addressOf, assemblies, type Item } from './assemblies.ts';
import { type BoxNode, boxModel } from './box-model.ts';
import { sha256Of } from './content.ts';
import { repository } from './git-server.ts';
import type { Pdm } from './pdm.ts';
import { resultFile } from './result-files.ts';

/** A view: its path, what must be there before it is examined, and what opens it. */
export type View = {
  name: string;
  path: string;
  ready: (page: Page) => Locator;
  open?: (page: Page) => Promise<void>;
  /** Without a session. */
  signedOut?: true;
  /** At the first visit with this browser. */
  first?: true;
};

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { level: 1, name });
const dialog = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name });
const stage = (page: Page) => page.getByRole('application', { name: /^3D view/ });
const importStep = [1, 2, 3]
  .map((id) => `#${id} = NEXT_ASSEMBLY_USAGE_OCCURRENCE('${id}','n',$,\n #10,#${20 + (id % 2)},$);\n`)
  .join('');

export const VIEWS: readonly View[] = [
  { name: 'sign-in', path: '/', ready: (page) => page.getByLabel('Token'), signedOut: true },
  { name: 'first-visit', path: '/', ready: (page) => page.getByRole('region', { name: 'First steps' }), first: true },
  { name: 'list', path: '/', ready: (page) => page.getByRole('link', { name: 'Bearing housing' }) },
  { name: 'search', path: '/search?q=bolt', ready: (page) => page.getByRole('link', { name: /bolt/ }).first() },
  { name: 'model', path: '/documents/PRT-10', ready: stage },
  { name: 'assembly', path: '/documents/ASM-10', ready: stage },
  {
    name: 'empty-assembly',
    path: '/documents/ASM-30',
    ready: (page) => page.getByRole('button', { name: 'Add parts' }),
  },
  { name: 'files', path: '/documents/DOC-10', ready: (page) => page.getByText('drawing.txt').first() },
  { name: 'history', path: '/documents/PRT-10/history', ready: (page) => page.getByRole('row', { name: /^v1 / }) },
  { name: 'compare', path: '/documents/PRT-10/compare', ready: (page) => page.getByRole('region', { name: 'Files' }) },
  {
    name: 'bom',
    path: '/documents/ASM-10/bom',
    ready: (page) => page.getByRole('treegrid').getByRole('row', { name: /Hexagon bolt/ }),
  },
  { name: 'updates', path: '/documents/ASM-10/updates', ready: (page) => page.getByText('Hexagon bolt').first() },
  { name: 'where-used', path: '/documents/PRT-20/used', ready: (page) => page.getByText('Gearbox').first() },
  { name: 'document-jobs', path: '/documents/PRT-10/jobs', ready: (page) => page.getByRole('main').getByRole('table') },
  {
    name: 'document-audit',
    path: '/documents/PRT-10/audit',
    ready: (page) => page.getByRole('button', { name: /created/i }).first(),
  },
  { name: 'code', path: '/documents/COD-10/code', ready: (page) => page.getByRole('form', { name: 'Parameters' }) },
  { name: 'run', path: '/runs/RUN', ready: (page) => page.getByRole('list', { name: 'Created documents' }) },
  { name: 'reservations', path: '/reservations', ready: (page) => page.getByText('new ribs').first() },
  { name: 'jobs', path: '/jobs', ready: (page) => page.getByRole('main').getByRole('table') },
  { name: 'audit', path: '/audit', ready: (page) => page.getByRole('button', { name: /Document/ }).first() },
  { name: 'admin-overview', path: '/admin', ready: heading('Overview') },
  { name: 'admin-users', path: '/admin/users', ready: (page) => page.getByRole('row', { name: /Ed Editor/ }) },
  { name: 'admin-tokens', path: '/admin/tokens', ready: (page) => page.getByRole('row', { name: /Ed Editor/ }) },
  {
    name: 'admin-sessions',
    path: '/admin/sessions',
    ready: (page) => page.getByRole('button', { name: /End…/ }).first(),
  },
  { name: 'admin-engines', path: '/admin/engines', ready: heading(/Engines/) },
  { name: 'admin-webhooks', path: '/admin/webhooks', ready: (page) => page.getByText('Release board') },
  { name: 'admin-settings', path: '/admin/settings', ready: (page) => page.getByRole('row').nth(2) },
  { name: 'documentation', path: '/docs/guide', ready: heading('Using the page'), signedOut: true },
  {
    name: 'palette',
    path: '/',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('bolt');
    },
    ready: (page) => page.getByRole('option', { name: /Hexagon bolt/ }),
  },
  {
    name: 'shortcuts',
    path: '/jobs',
    open: (page) => page.keyboard.press('?'),
    ready: dialog('Keyboard shortcuts'),
  },
  {
    name: 'import',
    path: '/',
    open: async (page) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Upload' }).click();
      const file = (name: string, text: string) => ({ name, mimeType: 'model/step', buffer: Buffer.from(text) });
      await (await chooser).setFiles([
        file('pump.step', importStep),
        file('cover.step', 'ISO-10303-21;/* cover */'),
        file('housing.step', SOURCE),
      ]);
    },
    ready: dialog(/^Import /),
  },
  {
    name: 'components',
    path: '/documents/ASM-10/bom',
    open: (page) => page.getByRole('button', { name: 'Edit components…' }).click(),
    ready: (page) => page.getByRole('listbox', { name: 'Components' }),
  },
  {
    name: 'new-document',
    path: '/',
    open: (page) => page.getByRole('button', { name: 'New document' }).click(),
    ready: dialog(/document/i),
  },
  { name: 'not-found', path: '/documents/PRT-99', ready: heading(/not found/) },
];

const SOURCE = 'ISO-10303-21;/* housing */';
const HOUSING: readonly BoxNode[] = [
  { name: 'foot', size: [120, 80, 12] },
  { name: 'wall', size: [120, 14, 70], at: [0, 66, 12] },
  { name: 'rib', size: [12, 52, 40], at: [54, 14, 12] },
];
const MANIFEST = {
  name: 'rack',
  version: '1.2.0',
  entry: 'rack.mjs',
  description: 'A rack of boards.',
  params: {
    type: 'object',
    additionalProperties: false,
    properties: {
      width: { title: 'Width over all', type: 'number', unit: 'mm', minimum: 200, maximum: 3000, default: 800 },
      wood: { title: 'Wood', enum: ['oak', 'ash'], default: 'oak' },
      back: { title: 'With a back', type: 'boolean', default: false },
    },
  },
};
const RUN_RESULT = {
  engine: 'test/1.0.0',
  isolation: 'strict',
  documents: [{ key: 'board', kind: 'model', name: 'Board 800' }],
};

export type ViewData = {
  /** The path of a view. */
  pathOf(view: View): string;
  /** Replaces in the responses to this context what differs between runs: times, ids, ports, folders, versions. */
  steady(context: BrowserContext): Promise<void>;
  close(): void;
};

/** Returns the folder that the service must allow as a source of repositories. */
export const repositoryFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'pdm-views-')));

/** Creates the data of all views. */
export async function createViewData(pdm: Pdm, root: string): Promise<ViewData> {
  const { editor, admin, worker } = pdm;
  const make = assemblies(editor);
  const folder = (await editor.post('/folders', { name: 'Machines' })).body;
  const inside = (await editor.post('/folders', { name: 'Gearboxes', parentId: folder.id })).body;
  must(await editor.post('/folders', { name: 'Fasteners' }));
  const model = (number: string, name: string): Promise<Item> => make.model({ number, name });
  const housing = await model('PRT-10', 'Bearing housing');
  const bolt = await model('PRT-20', 'Hexagon bolt M8 × 30');
  const shaft = await model('PRT-30', 'Drive shaft');
  const cover = await model('PRT-40', 'Cover');
  must(await editor.post('/documents/move', { ids: [housing.id, shaft.id, cover.id], folderId: inside.id }));

  await convert(pdm, housing, SOURCE, await boxModel('Bearing housing', HOUSING), 0);
  must(await editor.upload(housing.draftId, 'attachment.note', 'first sketch', { fileName: 'note.txt' }));
  await comment(pdm, housing, 'First sketch');
  must(await editor.upload(housing.draftId, 'attachment.note', 'bolt circle wider', { fileName: 'note.txt' }));
  const second = await comment(pdm, housing, 'Bolt circle wider');
  must(await editor.post(`/versions/${second}/release`, {}));
  must(await editor.post(`/documents/${housing.id}/workspaces`, { name: 'Lightweight', fromVersionId: second }));
  must(await editor.upload(housing.draftId, 'attachment.note', 'fillets', { fileName: 'note.txt' }));
  const third = await comment(pdm, housing, 'Fillets');
  await convert(pdm, bolt, 'bolt', await boxModel('Bolt', [{ name: 'bolt', size: [8, 8, 30] }]), 1);
  await make.release(bolt);
  await convert(pdm, shaft, 'shaft', await boxModel('Shaft', [{ name: 'shaft', size: [20, 20, 160] }]), 2);
  await make.version(shaft);

  const gearbox = await make.draft([], { number: 'ASM-10', name: 'Gearbox' });
  const asm = JSON.stringify({
    templates: [housing, bolt, shaft].map((item, i) => ({
      ident: `t${i}`,
      reference: { location: addressOf(item, item === bolt ? '@A' : '') },
    })),
    instances: [
      { ident: 'housing', template: 't0' },
      { ident: 'left bolt', template: 't1', transform: [10, 20, 12] },
      { ident: 'right bolt', template: 't1', transform: [100, 20, 12] },
      { ident: 'shaft', template: 't2', transform: [50, -40, 40] },
    ],
  });
  must(await editor.upload(gearbox.draftId, 'asm-json', asm, { fileName: 'gearbox.asm.json' }));
  const places: readonly BoxNode[] = [
    { name: 'housing', parts: HOUSING },
    { name: 'left bolt', size: [8, 8, 30], at: [10, 20, 12] },
    { name: 'right bolt', size: [8, 8, 30], at: [100, 20, 12] },
    { name: 'shaft', size: [20, 20, 160], at: [50, 30, 70] },
  ];
  await deliver(pdm, 'assemble', gearbox, asm, [['glb', await boxModel('Gearbox', places)]]);
  await make.version(gearbox);
  await make.release(bolt);
  await make.assembly([[gearbox, 2]], { number: 'ASM-20', name: 'Machine' });
  await fail(pdm, 'assemble', 'A part has no model.');
  await make.draft([], { number: 'ASM-30', name: 'Empty frame' });

  const files = await model('DOC-10', 'Drawing');
  must(await editor.upload(files.draftId, 'attachment.drawing', 'scale 1:2', { fileName: 'drawing.txt' }));
  must(await editor.upload(files.draftId, 'attachment.table', 'a,b\n1,2\n', { fileName: 'table.csv' }));

  const repo = repository(root, 'rack');
  Object.assign(process.env, { GIT_AUTHOR_DATE: '2026-03-02T09:00:00Z', GIT_COMMITTER_DATE: '2026-03-02T09:00:00Z' });
  repo.commit({ 'generator.json': JSON.stringify(MANIFEST), 'rack.mjs': 'export default () => [];' });
  const code = must(await editor.post('/documents', { number: 'COD-10', name: 'Rack generator', kind: 'code' })).body;
  must(await editor.put(`/versions/${code.workspaces[0].draftId}/code`, { repoUrl: repo.folder, ref: 'main' }));
  must(await editor.post(`/versions/${code.workspaces[0].draftId}/code/sync`, {}));
  const run = must(await editor.post(`/versions/${code.workspaces[0].draftId}/runs`, { params: { width: 800 } })).body;
  const runJob = await claim(pdm, 'run');
  const result = writeArchive([
    { path: 'result.json', bytes: Buffer.from(JSON.stringify(RUN_RESULT)) },
    { path: 'board/stp', bytes: Buffer.from('ISO-10303-21;') },
    { path: 'board/glb', bytes: resultFile('glb', 'board') },
    { path: 'board/properties', bytes: Buffer.from('{"volume":1}') },
    { path: 'board/thumbnail', bytes: cubePicture(0) },
  ]);
  must(await worker.send('POST', `/jobs/${runJob}/result`, result));

  must(await editor.upload(cover.draftId, 'source', 'no STEP file', { fileName: 'cover.step' }));
  await fail(pdm, 'convert', 'The file is no STEP file.');
  must(await admin.post(`/workspaces/${shaft.workspaceId}/checkout`, { note: 'new ribs', ttlSeconds: 7200 }));
  must(await editor.post(`/workspaces/${cover.workspaceId}/checkout`, { note: 'repair the file', ttlSeconds: 7200 }));
  const webhook = { name: 'Release board', url: 'https://example.com/hooks/pdm', types: ['version.released'] };
  must(await admin.post('/webhooks', webhook));
  return {
    pathOf: ({ path }) => {
      if (path.endsWith('/compare')) return `${path}?from=${second}&to=${third}`;
      return path.replace('RUN', run.id);
    },
    steady: (context) => steady(context, pdm.url, root),
    close: () => rmSync(root, { recursive: true }),
  };
}

async function comment({ editor }: Pdm, { workspaceId }: Item, text: string): Promise<string> {
  return must(await editor.post(`/workspaces/${workspaceId}/versions`, { comment: text })).body.id;
}

async function claim({ worker }: Pdm, type: string): Promise<string> {
  const body = { workerId: 'engine-1', types: [type], environment: { engine: 'occt' } };
  return must(await worker.post('/jobs/claim', body)).body.id;
}

async function convert(pdm: Pdm, item: Item, source: string, glb: Uint8Array, tone: number): Promise<void> {
  must(await pdm.editor.upload(item.draftId, 'source', source, { fileName: `${item.number}.step` }));
  await deliver(pdm, 'convert', item, source, [
    ['glb', glb],
    ['properties', JSON.stringify({ units: 'mm', volume: 115_200, area: 21_480, massUnits: 'kg', mass: 0.31 })],
    ['thumbnail', cubePicture(tone)],
  ]);
}

/** Claims the job of the item as a worker and delivers these results. */
async function deliver(
  pdm: Pdm,
  type: string,
  { draftId }: Item,
  input: string,
  results: readonly (readonly [kind: string, content: Uint8Array | string])[],
): Promise<void> {
  const id = await claim(pdm, type);
  const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of(input), 'x-job-attempt': '1' };
  for (const [kind, content] of results) must(await pdm.worker.upload(draftId, kind, content, { headers }));
  must(await pdm.worker.post(`/jobs/${id}/complete`, { attempt: 1, workerId: 'engine-1' }));
}

async function fail(pdm: Pdm, type: string, message: string): Promise<void> {
  const result = { attempt: 1, workerId: 'engine-1', error: { code: 'invalid_file', message }, final: true };
  must(await pdm.worker.post(`/jobs/${await claim(pdm, type)}/fail`, result));
}

/** Returns a PNG image of a cube. */
function cubePicture(tone: number): Buffer {
  const size = 128;
  const data = new Uint8ClampedArray(size * size * 4);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const [u, v] = [(x - 64) / 45, (y - 64) / 52];
      if (Math.abs(u) > 1 || Math.abs(v) > 1 - Math.abs(u) / 2) continue;
      const isTop = v < -Math.abs(u) / 2 + 0 && v + 1 > Math.abs(u) / 2 && v < Math.abs(u) / 2 - 0;
      const light = isTop ? 220 : u < 0 ? 170 : 130;
      data.set([light - 20 * tone, light, light - 20 * (2 - tone), 255], 4 * (y * size + x));
    }
  return encodePng({ width: size, height: size, data });
}

function must<Result extends { status: number; bytes: Buffer }>(answer: Result): Result {
  if (answer.status >= 300) throw new Error(`failed with ${answer.status}: ${answer.bytes}`);
  return answer;
}

/** The time of all events in the pictures; the clock of the page is 10 minutes later. */
const EPOCH = Date.UTC(2026, 2, 2, 9);
const HOUR = 3_600_000;
const ISO = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

async function steady(context: BrowserContext, url: string, root: string): Promise<void> {
  const start = Date.now();
  await context.clock.setFixedTime(EPOCH + 10 * 60_000);
  const steadyText = (text: string) =>
    text
      .replace(ISO, (at) => new Date(EPOCH + Math.round((Date.parse(at) - start) / HOUR) * HOUR).toISOString())
      .replaceAll(/(?<=Webhook )whk_\w+/g, 'whk_01a2b3c4')
      .replaceAll(/(?<="prefix":")\w+/g, 'pdm_a1b2c3d4')
      .replaceAll(/(?<="version":")\d+\.\d+\.\d+[^"]*(?=","storeFormat)/g, '1.0.0')
      .replaceAll(/(?<="node":")v?\d+\.[^"]*/g, 'v24.0.0')
      .replaceAll(root, '/srv/repositories')
      .replaceAll(url, 'https://pdm.example.com')
      .replaceAll(/\/tmp\/pdm-test-\w+/g, '/var/lib/pdm');
  await context.route(/\/(graphql|administration\/status)$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: steadyText(await response.text()) });
  });
  await context.route(/\/scheduler\/status$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), history: QUEUE_HISTORY } });
  });
}

const SAMPLES = Array.from({ length: 60 }, (_, i) => i);
const QUEUE_HISTORY = {
  everySeconds: 60,
  at: SAMPLES.map((i) => EPOCH / 1000 - 60 * (SAMPLES.length - i)),
  waiting: { convert: SAMPLES.map((i) => Math.max(0, 8 - Math.abs(i - 20))), assemble: SAMPLES.map((i) => +(i > 40)) },
  running: SAMPLES.map((i) => (i > 10 && i < 30 ? 2 : 0)),
  oldestWaitSeconds: SAMPLES.map((i) => (i > 10 && i < 30 ? 3 * (i - 10) : 0)),
};
