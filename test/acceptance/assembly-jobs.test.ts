// Assembly jobs of the built-in engine: the resolved asm.json, assembling, exporting and splitting.
// A second STEP reader checks the exports.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkExpiry, signPath } from '../../subgraphs/core/platform/signed-link.ts';
import { assemblies, type Item } from '../support/assemblies.ts';
import { sha256Of } from '../support/content.ts';
import { startEngine } from '../support/engine.ts';
import { independentStepReader } from '../support/independent-step-reader.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { jobWhen } from '../support/job-when.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { createTableAssembly, reference, storeAsmJson, VOLUME } from '../support/table-assembly.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
let engine: { stop(): Promise<void> } | null = null;
beforeAll(async () => {
  pdm = await startPdm();
  make = assemblies(pdm.editor);
});
afterAll(async () => {
  await engine?.stop();
  expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  await pdm.close();
});

const storeAsm = (item: Item, asm: object) => storeAsmJson(pdm, item, asm);
const resolved = (id: string, as = pdm.viewer) => as.get(`/versions/${id}/asm-json/resolved`);
const waitForEnd = (jobId: string) => jobWhen(pdm, jobId);
const newestJob = async (id: string, type: string) =>
  (await pdm.viewer.get(`/versions/${id}/jobs`)).body.items.find((job: { type: string }) => job.type === type);
const load = (location: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(location, { method, headers });

let files: Record<'leg' | 'screw', Buffer>;
let leg: Item;
let screw: Item;
let foot: Item;
let table: Item;
let tableVersion: string;

describe('the resolved asm.json before any conversion', () => {
  beforeAll(async () => {
    ({ leg, screw, foot, table, tableVersion, files } = await createTableAssembly(pdm, make));
  });

  test('lists each part that is not converted yet and reports that waiting helps', async () => {
    const { status, body } = await resolved(foot.draftId);
    expect([status, body.code, body.final]).toEqual([409, 'not_converted', false]);
    expect(body.detail).toBe(
      `template leg: ${leg.number} v1 has no STEP file yet: its conversion is waiting (and 1 more)`,
    );
    expect(body.references).toMatchObject([
      { path: '/templates/0/reference', location: `pdm://documents/${leg.number}`, number: leg.number, final: false },
      { path: '/templates/1/reference', number: screw.number },
    ]);
  });

  test('lists references that do not resolve, also inside templates', async () => {
    const draft = await make.draft([], { name: 'Open' });
    await storeAsm(draft, {
      templates: [
        { ident: 'pair', assembly: { templates: [{ ident: 'x', reference: { location: 'pdm://documents/NONE-1' } }] } },
      ],
    });
    const { status, body } = await resolved(draft.draftId);
    expect([status, body.code, body.final, body.errors[0].path]).toEqual([
      422,
      'unresolved_reference',
      true,
      '/templates/0/assembly/templates/0/reference',
    ]);
    expect(body.detail).toBe('template x: pdm://documents/NONE-1 does not resolve (There is no document NONE-1.)');
  });

  test('reports a model without a source as never convertible', async () => {
    const [bare, whole] = [await make.part({ name: 'Bare' }), await make.draft([], { name: 'Whole' })];
    await storeAsm(whole, { templates: [{ ident: 'b', ...reference(bare) }] });
    expect((await resolved(whole.draftId)).body).toMatchObject({
      code: 'not_converted',
      final: true,
      detail: `template b: ${bare.number} v1 has no STEP file, because it has no source`,
    });
  });

  test('exists only for assemblies that have an asm.json', async () => {
    expect((await resolved(leg.draftId)).body.code).toBe('wrong_kind');
    expect((await resolved((await make.draft([])).draftId)).status).toBe(404);
    expect((await resolved('ver_nothing')).status).toBe(404);
  });

  test('accepts an export only for an assembly and a known format, and reuses a waiting one', async () => {
    const requestExport = (id: string, body: object, as = pdm.editor) => as.post(`/versions/${id}/exports`, body);
    expect((await requestExport(leg.draftId, { format: 'STP' })).body.code).toBe('wrong_kind');
    expect((await requestExport(tableVersion, { format: 'IGES' })).status).toBe(400);
    expect((await requestExport(tableVersion, { format: 'STP' }, pdm.viewer)).status).toBe(403);
    const [first, second] = [
      await requestExport(tableVersion, { format: 'STP' }),
      await requestExport(tableVersion, { format: 'STP' }),
    ];
    expect([first.status, first.headers.get('location'), first.body.id]).toEqual([
      202,
      `/api/v1/jobs/${first.body.id}`,
      second.body.id,
    ]);
    expect(first.body).toMatchObject({ type: 'export', format: 'STP', status: 'waiting', environment: [] });
  });

  test('allows a worker to read the resolved asm.json only of the job it holds', async () => {
    const named = { workerId: 'w-1', environment: { engine: 'test' } };
    expect((await resolved(foot.draftId, pdm.worker)).body.code).toBe('not_your_job');
    const claimed = await pdm.worker.post('/jobs/claim', { ...named, types: ['assemble'] });
    expect(claimed.body.versionId).toBe(foot.draftId);
    expect((await resolved(foot.draftId, pdm.worker)).body.code).toBe('not_converted');
    expect((await resolved(table.draftId, pdm.worker)).body.code).toBe('not_your_job');
    const NOT_CONVERTED = { error: { code: 'not_converted', message: 'not yet' }, retryable: true };
    expect((await pdm.worker.post(`/jobs/${claimed.body.id}/fail`, NOT_CONVERTED)).body).toMatchObject({
      status: 'waiting',
      attempt: 1,
      maxAttempts: 4,
    });
  });
});

describe('with the built-in engine', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    engine = await startEngine(pdm);
  });

  test('measures and renders an assembly after its parts are converted', async () => {
    const job = await waitForEnd((await newestJob(table.draftId, 'assemble')).id);
    expect([job.status, job.error]).toEqual(['done', null]);
    const files = (await pdm.viewer.get(`/versions/${table.draftId}/artifacts`)).body.items;
    expect(
      files.map(({ kind, fileName, stale }: { kind: string; fileName: string; stale: boolean }) => [
        kind,
        fileName,
        stale,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['glb', 'table.glb', false],
        ['properties', 'table.properties.json', false],
        ['thumbnail', 'table.png', false],
      ]),
    );
    const properties = (await pdm.viewer.get(`/versions/${table.draftId}/artifacts/properties/file`)).body;
    expect(properties).toMatchObject({
      solids: 20,
      occurrences: 20,
      definitions: 2,
      products: 4,
      valid: true,
      warnings: [],
    });
    expect(properties.volume / (4 * VOLUME.leg + 16 * VOLUME.screw)).toBeCloseTo(1, 9);
    expect(properties.boundingBox).toMatchObject({
      min: [0, 0, -20].map((value) => expect.closeTo(value, 5)),
      max: [520, 330, 20].map((value) => expect.closeTo(value, 5)),
    });
  });

  test('exports the structure, the names and each part once', async () => {
    const requestExport = async () =>
      (await pdm.editor.post(`/versions/${tableVersion}/exports`, { format: 'STP' })).body;
    const exportJob = await requestExport();
    expect((await waitForEnd(exportJob.id)).error).toBeNull();
    const stp = (await pdm.viewer.get(`/versions/${tableVersion}/artifacts/stp/file`)).bytes;
    const text = stp.toString('latin1');
    const count = (pattern: RegExp) => text.match(pattern)?.length;
    expect([
      count(/MANIFOLD_SOLID_BREP\(/g),
      count(/= PRODUCT\(/g),
      count(/NEXT_ASSEMBLY_USAGE_OCCURRENCE\(/g),
    ]).toEqual([2, 4, 9]);
    const read = await independentStepReader(stp);
    expect(text).toMatch(/NEXT_ASSEMBLY_USAGE_OCCURRENCE\('[^']*','foot 500\/300'/);
    expect(read.names).toContain('Foot');
    expect(read.meshes).toBe(20);
    expect(read.box).toEqual([0, 0, -20, 520, 330, 20].map((value) => expect.closeTo(value, 3)));
    // The artifact is up to date, so the request returns the finished job.
    expect(await requestExport()).toMatchObject({ id: exportJob.id, status: 'done' });
  });

  test('splits an exported STEP file into one document per part and subassembly, with its origin', async () => {
    const stp = (await pdm.viewer.get(`/versions/${tableVersion}/artifacts/stp/file`)).bytes;
    const whole = await make.draft([], { name: 'Imported' });
    const { jobId } = (
      await pdm.editor.upload(whole.draftId, 'source', stp, { fileName: 'table.step', query: '&split=true' })
    ).body;
    expect(await waitForEnd(jobId)).toMatchObject({ status: 'done', format: 'SPLIT', environment: ['split:step'] });

    const bom = (await pdm.viewer.get(`/versions/${whole.draftId}/bom`)).body.items;
    expect(
      bom.map(({ level, kind, totalQuantity }: { level: number; kind: string; totalQuantity: number }) => [
        level,
        kind,
        totalQuantity,
      ]),
    ).toEqual([
      [1, 'assembly', 4],
      [2, 'model', 4],
      [2, 'model', 16],
    ]);
    for (const { documentId } of bom) {
      const { body } = await pdm.viewer.get(`/documents/${documentId}`);
      expect(body.importedFrom).toEqual({ documentId: whole.id, fileName: 'table.step', sha256: sha256Of(stp), jobId });
      expect(body.versions).toHaveLength(1);
    }
    const properties = (await pdm.viewer.get(`/versions/${whole.draftId}/artifacts/properties/file`)).body;
    expect(properties.volume / (4 * VOLUME.leg + 16 * VOLUME.screw)).toBeCloseTo(1, 6);
    expect((await resolved((await make.version(whole)).id)).status).toBe(200);
  });

  test('fails the assembly with the name of the part that cannot be converted', async () => {
    const [broken, whole] = [await make.model({ name: 'Broken' }), await make.draft([], { name: 'Whole' })];
    await pdm.editor.upload(broken.draftId, 'source', 'no STEP at all', { fileName: 'broken.step' });
    await make.version(broken);
    await waitForEnd((await newestJob(broken.draftId, 'convert')).id);
    const { jobId } = await storeAsm(whole, { templates: [{ ident: 'frame', ...reference(broken) }] });
    const { status, error } = await waitForEnd(jobId);
    expect([status, error.code, error.final]).toEqual(['failed', 'not_converted', true]);
    expect(error.message).toMatch(
      new RegExp(`^template frame: ${broken.number} v1 has no STEP file: its conversion failed \\(not_step: `),
    );
  });
});

describe('the links of the resolved asm.json', () => {
  let resolvedForm: { templates: { reference: Record<string, string> }[]; author: string };
  const first = (value: typeof resolvedForm) => value.templates[0]?.reference ?? {};
  beforeAll(async () => {
    resolvedForm = (await resolved(table.draftId)).body;
  });

  test('replaces references with links that describe their targets, and keeps the rest of the file', async () => {
    const version = (await pdm.viewer.get(`/documents/${foot.id}`)).body.versions[0].id;
    expect(resolvedForm.author).toBe('test');
    expect(first(resolvedForm)).toMatchObject({
      type: 'json',
      address: `pdm://documents/${foot.number}`,
      name: 'Foot',
      versionId: version,
      note: 'kept',
    });
    expect(first(resolvedForm).location).toMatch(new RegExp(`^${pdm.url}/api/v1/content/assemblies/${version}\\?`));
  });

  test('gives access to the nested assembly and the files of its parts without a token', async () => {
    const nested = (await (await load(first(resolvedForm).location ?? '')).json()) as typeof resolvedForm;
    const [part, other] = nested.templates.map(({ reference }) => reference);
    expect([part?.type, part?.sha256, other?.sha256]).toEqual(['stp', sha256Of(files.leg), sha256Of(files.screw)]);
    const response = await load(part?.location ?? '');
    expect(sha256Of(Buffer.from(await response.arrayBuffer()))).toBe(part?.sha256);
    expect(response.headers.get('etag')).toBe(`"${part?.sha256}"`);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; /);
    expect([response.headers.get('x-content-type-options'), response.headers.get('content-security-policy')]).toEqual([
      'nosniff',
      expect.stringContaining('sandbox'),
    ]);
    expect((await load(part?.location ?? '', { range: 'bytes=0-11' })).status).toBe(206);
    expect((await load(part?.location ?? '', { 'if-none-match': `"${part?.sha256}"` })).status).toBe(304);
    const head = await load(part?.location ?? '', {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(files.leg.length)]);
  });

  test('limits the links that a signed link gives access to by its own expiry', async () => {
    const versionId = first(resolvedForm).versionId ?? '';
    const expiresAt = new Date(Math.floor(Date.now() / 1000 + 120) * 1000);
    const path = `/api/v1/content/assemblies/${versionId}`;
    const nested = await load(pdm.url + signPath(pdm.services.links.key, path, 'asm.json', expiresAt));
    const { templates } = (await nested.json()) as typeof resolvedForm;
    expect(templates.map(({ reference }) => new URL(reference.location ?? '').searchParams.get('expires'))).toEqual(
      templates.map(() => String(expiresAt.getTime() / 1000)),
    );
    expect((await load(templates[0]?.reference.location ?? '')).status).toBe(200);
  });

  test('returns the same links in a second response, so that clients can cache the files', async () => {
    const { headers, body } = await resolved(table.draftId);
    expect(body).toEqual(resolvedForm);
    expect(
      (
        await pdm.viewer.get(`/versions/${table.draftId}/asm-json/resolved`, {
          'if-none-match': headers.get('etag') ?? '',
        })
      ).status,
    ).toBe(304);
  });

  test('rejects links after any change to them', async () => {
    const link = first(resolvedForm).location ?? '';
    const others = [
      link.replace(/signature=.{4}/, 'signature=AAAA'),
      link.replace('assemblies/ver_', 'assemblies/ver_x'),
      link.replace('expires=', 'expires=9'),
      link.replace(/\?.*/, ''),
    ];
    for (const other of others) {
      const response = await load(other);
      expect([
        response.status,
        response.headers.get('content-type'),
        ((await response.json()) as { code: string }).code,
      ]).toEqual([403, 'application/problem+json', 'bad_link']);
    }
  });

  test('rejects expired links, and returns 404 for unknown content', async () => {
    const sha256 = '0'.repeat(64);
    const loadSigned = (now: Date) =>
      load(pdm.url + signPath(pdm.services.links.key, `/api/v1/content/${sha256}`, 'part.stp', linkExpiry(now)));
    const statusAndCode = async (response: Response) => [
      response.status,
      ((await response.json()) as { code: string }).code,
    ];
    expect(await statusAndCode(await loadSigned(new Date(Date.now() - 2 * 3_600_000)))).toEqual([403, 'bad_link']);
    expect(await statusAndCode(await loadSigned(new Date()))).toEqual([404, 'not_found']);
  });

  test('shortens links in GraphQL to the requested expiry, and never extends them', async () => {
    const query =
      'query($id: ID!, $at: DateTime) { resolvedAsmJson(versionId: $id, origin: "https://pdm.example", linksExpireAt: $at) }';
    const expiryWith = async (at: string) => {
      const { body } = await pdm.viewer.graphql(query, { id: table.draftId, at });
      return Number(new URL(first(body.data.resolvedAsmJson).location ?? '').searchParams.get('expires')) * 1000;
    };
    expect(await expiryWith('2020-01-01T00:00:00Z')).toBe(Date.parse('2020-01-01T00:00:00Z'));
    expect(await expiryWith('9999-01-01T00:00:00Z')).toBeLessThan(Date.now() + 2 * 3_600_000);
  });

  test('uses the requested origin for links in GraphQL', async () => {
    const query = 'query($id: ID!) { resolvedAsmJson(versionId: $id, origin: "https://pdm.example/") }';
    const { body } = await pdm.viewer.graphql(query, { id: table.draftId });
    expect(first(body.data.resolvedAsmJson).location).toBe(
      first(resolvedForm).location?.replace(pdm.url, 'https://pdm.example'),
    );
  });
});
