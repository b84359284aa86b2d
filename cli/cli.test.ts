// User commands against a running service: output, effects and exit codes.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assemblies } from '../test/support/assemblies.ts';
import { createModelDocument, deliverGlb, uploadSource } from '../test/support/model-documents.ts';
import { type Pdm, startPdm } from '../test/support/pdm.ts';
import { resultFile } from '../test/support/result-files.ts';
import { runCli } from './testing/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'pdm-cli-'));
const step = join(folder, 'block.step');

let service: Pdm;
let environment: Record<string, string>;
beforeAll(async () => {
  service = await startPdm();
  environment = { PDM_URL: service.url, PDM_TOKEN: service.tokens.editor };
  writeFileSync(step, 'ISO-10303-21; a block');
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command as the editor, with the credentials in the environment. */
const pdm = (words: string, options: Parameters<typeof runCli>[1] = {}) =>
  runCli(words.split(' '), { environment, ...options });
const json = async (words: string) => {
  const { out, err, exit } = await pdm(`${words} --json`);
  expect([exit, err]).toEqual([0, '']);
  return JSON.parse(out);
};
const numberIn = (out: string) => /(PRT|ASM)-\d{6}/.exec(out)?.[0] ?? '';
const uploadNew = async () => numberIn((await pdm(`upload ${step}`)).out);

describe('login', () => {
  const credentialsFile = join(folder, 'pdm', 'sign-in.json');
  const withConfig = { environment: { XDG_CONFIG_HOME: folder } };

  test('stores the URL and token in a file readable only by its owner, until logout', async () => {
    const signedIn = await runCli(['login', `${service.url}/api/v1/`], {
      ...withConfig,
      secret: ` ${service.tokens.viewer}\n`,
    });
    expect(signedIn).toEqual({
      exit: 0,
      err: '',
      out: `Signed in to ${service.url} as Vi Viewer (viewer). Token stored in ${credentialsFile}.\n`,
    });
    expect([statSync(credentialsFile).mode & 0o777, JSON.parse(readFileSync(credentialsFile, 'utf8'))]).toEqual([
      0o600,
      { url: service.url, token: service.tokens.viewer },
    ]);
    expect((await runCli(['whoami'], withConfig)).out).toContain(
      `Vi Viewer (viewer) at ${service.url}, token valid until `,
    );
    expect((await runCli(['logout'], withConfig)).exit).toBe(0);
    expect(await runCli(['whoami'], withConfig)).toMatchObject({
      exit: 3,
      err: expect.stringContaining('You are not signed in. Run "pdm login"'),
    });
  });

  test('accepts the sign-in link of the first start, and does not store a rejected token', async () => {
    expect(await runCli(['login', `${service.url}/#token=${service.tokens.admin}`], withConfig)).toMatchObject({
      exit: 0,
    });
    const before = readFileSync(credentialsFile, 'utf8');
    const wrong = await runCli(['login', service.url, '--token', 'pdm_wrong'], withConfig);
    expect(wrong).toEqual({
      exit: 1,
      out: '',
      err: 'pdm login: The token is unknown, expired or revoked. (unauthenticated)\n',
    });
    expect(readFileSync(credentialsFile, 'utf8')).toBe(before);
  });

  test('sends a stored token only to its own address, and rejects a file readable by other users', async () => {
    const elsewhere = { environment: { ...withConfig.environment, PDM_URL: 'http://127.0.0.1:1' } };
    expect(await runCli(['whoami'], elsewhere)).toMatchObject({
      exit: 3,
      err: expect.stringContaining('No token for http://127.0.0.1:1'),
    });
    chmodSync(credentialsFile, 0o644);
    expect(await runCli(['whoami'], withConfig)).toMatchObject({
      exit: 3,
      err: expect.stringContaining('readable by other users'),
    });
  });
});

test('uploads a file to a new document, versions and releases it, and downloads the same bytes', async () => {
  const { body: blocksFolder } = await service.editor.post('/folders', { name: 'Blocks' });
  const { exit, out } = await runCli(['upload', step, '--new', '--name', 'Block, small', '--folder', 'blocks'], {
    environment,
  });
  const number = numberIn(out);
  expect([exit, out]).toEqual([
    0,
    expect.stringMatching(
      /^Created PRT-\d+ "Block, small"\.\nUploaded block\.step \(21 B\) to the draft of PRT-\d+, SHA-256 \w{64}\.\nQueued job job_\w+\. /,
    ),
  ]);
  expect((await service.viewer.get(`/documents/${number}`)).body).toMatchObject({
    kind: 'model',
    folderId: blocksFolder.id,
  });

  expect(await pdm(`version ${number} --comment First`)).toEqual({
    exit: 0,
    err: '',
    out: `Created ${number}@v1 "V1".\n`,
  });
  expect(await pdm(`release ${number}`)).toEqual({
    exit: 0,
    err: '',
    out: `Released ${number}@v1 as ${number}@A.\n`,
  });
  expect((await pdm(`show ${number}`)).out).toMatch(/V1 +A +V1 .* Ed Editor +First\n$/);
  expect((await pdm(`list ${number}`)).out).toMatch(new RegExp(`\n${number} +Block, small +model `));

  const target = join(folder, 'back.step');
  expect((await pdm(`download ${number}@A -o ${target}`)).exit).toBe(0);
  expect(readFileSync(target, 'utf8')).toBe(readFileSync(step, 'utf8'));
  expect(await pdm(`download ${number} -o ${target}`)).toMatchObject({
    exit: 3,
    err: `pdm download: ${target} already exists; use --force to overwrite it.\n`,
  });
  expect((await pdm(`download ${number}@v1 -o -`)).out).toBe(readFileSync(step, 'utf8'));
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test.each([
  ['of the maximum length of a file name', '部'.repeat(83), `${'部'.repeat(83)}.stp`],
  [
    'longer than a file name, without splitting a character or the extension',
    '部'.repeat(196),
    `${'部'.repeat(83)}.stp`,
  ],
])('downloads a file with a name %s', async (_length, uploadedName, name) => {
  const { body } = await service.editor.post('/documents', { name: 'Part', kind: 'model' });
  expect(
    (await service.editor.upload(body.drafts[0].id, 'source', 'a part', { fileName: `${uploadedName}.stp` })).status,
  ).toBe(201);
  const into = mkdtempSync(join(folder, 'long-'));
  expect(await pdm(`download ${body.number} --draft -o ${into}`)).toMatchObject({ exit: 0, err: '' });
  expect(readdirSync(into)).toEqual([name]);
  expect(readFileSync(join(into, name), 'utf8')).toBe('a part');
});

test('reports a missing output folder in one line', async () => {
  const nowhere = join(folder, 'nowhere', 'block.step');
  expect(await pdm(`download ${await uploadNew()} --draft -o ${nowhere}`)).toMatchObject({
    exit: 3,
    err: expect.stringMatching(/^pdm download: .*ENOENT.*\n$/),
  });
});

test('prints the message and code of an API error, or the whole problem with --json', async () => {
  const number = await uploadNew();
  expect(await pdm(`release ${number}`)).toEqual({
    exit: 1,
    out: '',
    err: `pdm release: ${number} has no versions. Create one with "pdm version ${number}".\n`,
  });
  await pdm(`version ${number}`);
  await pdm(`release ${number}`);
  expect(await pdm(`release ${number}@v1`)).toEqual({
    exit: 1,
    out: '',
    err: 'pdm release: Version 1 is already released as A. (already_released)\n',
  });
  const { exit, err } = await pdm(`release ${number}@v1 --json`);
  expect([exit, JSON.parse(err)]).toEqual([
    1,
    expect.objectContaining({ code: 'already_released', status: 409, label: 'A' }),
  ]);
  expect(await pdm('show PRT-999999')).toMatchObject({ exit: 1, err: expect.stringMatching(/\(not_found\)\n$/) });
});

test('exits with 2 if the command line is invalid, with 3 if the service is unreachable', async () => {
  for (const words of [
    'fly',
    'show',
    'show PRT-000001@v1',
    'list --limit 0',
    'bom X --csv --json',
    'upload x --to Y --new',
    'completion csh',
    'audit',
  ])
    expect([words, (await pdm(words)).exit]).toEqual([words, words.startsWith('upload') ? 3 : 2]);
  expect((await pdm(`upload ${step} --to X --new`)).exit).toBe(2);
  const unreachable = { environment: { PDM_URL: 'http://127.0.0.1:1', PDM_TOKEN: 'x' } };
  expect(await pdm('whoami', unreachable)).toEqual({
    exit: 3,
    out: '',
    err: expect.stringMatching(/^pdm whoami: Cannot connect to http:\/\/127\.0\.0\.1:1 \(/),
  });
  expect(JSON.parse((await pdm('whoami --json', unreachable)).err)).toMatchObject({ code: 'error' });
});

test('--wait prints the log of the job and the generated files, and exits with 1 if the job fails', async () => {
  const runJob = async (end: (id: string, inputSha256: string, versionId: string) => Promise<unknown>) => {
    for (;;) {
      const { body } = await service.worker.post('/jobs/claim', {
        workerId: 'w',
        environment: { engine: 'occt' },
        waitSeconds: 5,
      });
      const { document } = (await service.worker.get(`/jobs/${body.id}/context`)).body;
      if (document.name === 'waited') return end(body.id, body.inputSha256, body.versionId);
      await service.worker.post(`/jobs/${body.id}/complete`, {});
    }
  };
  const completed = runJob(async (id, sha256, versionId) => {
    const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256 };
    await service.worker.upload(versionId, 'glb', resultFile('glb', 'block'), { fileName: 'block.glb', headers });
    await service.worker.post(`/jobs/${id}/complete`, { log: ['found: 1 solid \u001b[2J'] });
  });
  const { exit, out, err } = await pdm(`upload ${step} --name waited --wait`);
  await completed;
  expect([exit, err]).toEqual([0, '  found: 1 solid \uFFFD[2J\n']);
  expect(out).toMatch(/\n {2}glb {2}block\.glb {2}\d+ B\n$/);

  const failed = runJob((id) =>
    service.worker.post(`/jobs/${id}/fail`, {
      error: { code: 'not_step', message: 'It is no STEP file.' },
      final: true,
    }),
  );
  const result = await pdm(`upload ${step} --to ${numberIn(out)} --wait --json`);
  await failed;
  expect([result.exit, JSON.parse(result.out)]).toEqual([
    1,
    expect.objectContaining({ job: expect.objectContaining({ status: 'failed' }), generated: [] }),
  ]);
  expect((await pdm(`jobs ${numberIn(out)} --status failed`)).out).toContain('It is no STEP file.');
});

test('lists the faces of a model and measures between two of them', async () => {
  const { id, draftId } = await createModelDocument(service, 'Drilled');
  await uploadSource(service, draftId, 'drilled');
  const hole = (x: number) => ({
    ...{ kind: 'cylinder', accuracy: 'exact', inner: true, at: [x, 0, 0], direction: [0, 0, 1], radius: 4 },
    ...{ area: 10, areaError: 0, triangles: null },
  });
  const part = { name: 'Plate', mesh: 0, faces: [hole(0), hole(30)], edges: [] };
  const placements = [{ part: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] }];
  const data = { units: 'mm', chordError: 0.05, parts: [part], placements };
  await deliverGlb(service, draftId, 'drilled', resultFile('glb', 'drilled'), { measure: JSON.stringify(data) });
  const lines = async (command: string) => (await pdm(command)).out.split('\n').map((line) => line.replace(/ +/g, ' '));
  expect(await lines(`measure ${id} --draft`)).toEqual([
    expect.stringMatching(/^Entity/),
    '0/face/0 Plate hole 8 10 exact',
    '0/face/1 Plate hole 8 10 exact',
    '',
  ]);
  const between = `measure ${id} --draft --from 0/face/0 --to 0/face/1`;
  expect(await lines(between)).toContain('between both distance 30 mm exact');
  expect((await json(between)).values).toMatchObject([{ quantity: 'distance', value: 30, accuracy: 'exact' }]);
  expect((await pdm(`measure ${id} --draft --to 0/face/1`)).err).toContain('--to requires --from.');
});

test('lists the named views of a draft or version', async () => {
  const { id, draftId } = await createModelDocument(service, 'Sectioned');
  expect((await pdm(`views ${id} --draft`)).out).toBe(`No named views of ${id}.\n`);
  const camera = { position: [100, -100, 50], target: [0, 0, 0] };
  const scene = { camera, hidden: ['lid'], sections: [{ axis: 'y', at: 12.5 }] };
  const view = (await service.editor.post(`/versions/${draftId}/views`, { name: 'Cut open', scene })).body;
  const [, line] = (await pdm(`views ${id} --draft`)).out.split('\n').map((each) => each.replace(/ +/g, ' '));
  expect(line).toBe(`${view.id} Cut open 1 1 ${view.createdBy.name}`);
  expect((await json(`views ${id} --draft`)).items).toMatchObject([{ id: view.id, scene: { hidden: ['lid'] } }]);
});

test('prints a bill of materials as an indented list, flat, as CSV and as JSON, and where a part is used', async () => {
  const make = assemblies(service.editor);
  const screw = await make.part({ name: 'Screw' });
  const leg = await make.assembly([[screw, 4]], { name: 'Leg' });
  const table = await make.draft([[leg, 4]], { name: 'Table' });
  const lines = (out: string) => out.split('\n').map((line) => line.replace(/ +/g, ' '));
  expect(lines((await pdm(`bom ${table.number} --draft`)).out).slice(3)).toEqual([
    `1 ${leg.number} Leg v1 4 4`,
    ` 1 ${screw.number} Screw v1 4 16`,
    '',
  ]);
  expect((await pdm(`bom ${table.number}`)).err).toContain('Use --draft to read the draft.');
  expect((await pdm('bom NOPE-1')).err).not.toContain('--draft');
  expect((await pdm('list nothing-is-called-this')).out).toBe('No documents found.\n');
  await make.version(table);
  expect((await json(`bom ${table.number} --flat`)).items).toMatchObject([{ number: screw.number, totalQuantity: 16 }]);
  expect((await pdm(`bom ${table.number} --csv`)).out).toBe(
    (
      await service.viewer.get(`/versions/${(await json(`bom ${table.number}`)).versionId}/bom?format=csv`)
    ).bytes.toString(),
  );
  const used = (await pdm(`where-used ${screw.number} --all-levels --no-drafts`)).out;
  expect(
    lines(used)
      .filter((line) => /Leg|Table/.test(line))
      .map((line) => /Leg|Table/.exec(line)?.[0]),
  ).toEqual(['Leg', 'Table']);
});

test('marks restored drafts and versions in the history', async () => {
  const number = await uploadNew();
  const { workspaces } = (await service.editor.get(`/documents/${number}`)).body;
  const { id } = await json(`version ${number}`);
  await pdm(`version ${number}`);
  await service.editor.post(`/workspaces/${workspaces[0].id}/restore`, { versionId: id });
  const text = async () => (await pdm(`history ${number}`)).out.replace(/ {2}\d{4}-.*$/gm, '');
  expect(await text()).toBe('○─╮  draft  (main)  restored from v1\n● │  v2\n●─╯  v1\n');
  await pdm(`version ${number}`);
  expect(await text()).toBe('○    draft  (main)\n●─╮  v3  restored from v1\n● │  v2\n●─╯  v1\n');
});

test('draws the history of a document, in color only on a terminal that supports it', async () => {
  const number = await uploadNew();
  const { workspaces } = (await service.editor.get(`/documents/${number}`)).body;
  const { id } = await json(`version ${number} --comment First`);
  await service.editor.post(`/documents/${number}/workspaces`, { name: 'what-if', fromVersionId: id });
  await pdm(`version ${number} --workspace what-if`);
  await pdm(`release ${number}@v1`);
  const text = (out: string) => out.replace(/ {2}\d{4}-.*$/gm, '');
  expect(text((await pdm(`history ${number}`)).out)).toBe(
    `○    draft  (main)\n│ ○  draft  (what-if)\n│ ●  v2\n◉─╯  v1  [A]  First\n`,
  );
  expect(text((await pdm(`history ${number} --ascii --limit 3`)).out)).toBe(
    `o    draft  (main)\n| o  draft  (what-if)\n| *  v2\n: :\n`,
  );
  expect((await json(`history ${number}`)).lanes[0]).toMatchObject({ lane: 0, id: workspaces[0].id });
  const isColored = async (more: Record<string, string>) =>
    (await pdm(`history ${number}`, { isTTY: true, environment: { ...environment, ...more } })).out.includes('\u001b[');
  expect([await isColored({}), await isColored({ NO_COLOR: '1' }), await isColored({ TERM: 'dumb' })]).toEqual([
    true,
    false,
    false,
  ]);
});

test('checks out and checks in a draft, and shows the holder to other users', async () => {
  const number = await uploadNew();
  expect((await pdm(`checkout ${number} --note mine`)).out).toMatch(
    /^Checked out the draft of .* \(main\) until \d{4}-/,
  );
  const other = { environment: { ...environment, PDM_TOKEN: service.tokens.admin } };
  expect(await pdm(`upload ${step} --to ${number}`, other)).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/Ed Editor.*\(workspace_reserved\)\n$/),
  });
  expect((await pdm(`request-checkin ${number} --note soon`, other)).out).toMatch(
    /^Asked Ed Editor to check in the draft of .* \(main\), reserved until \d{4}-/,
  );
  expect((await pdm('reservations')).out).toMatch(
    new RegExp(`^Your reservations .*Requested by\\s*\n${number} .* main .* Administrator \\(soon\\)\n`),
  );
  expect((await pdm('reservations', other)).out).toMatch(
    new RegExp(`^Your requests .*\n${number} .* main .* Ed Editor\\s*\n$`),
  );
  expect((await pdm(`show ${number}`)).out).toMatch(/Ed Editor until .*, check-in requested by Administrator/);
  expect((await pdm(`checkin ${number}`)).out).toBe(`Checked in the draft of ${number} (main).\n`);
  expect((await pdm('reservations', other)).out).toBe('You have no reservations and no check-in requests.\n');
  expect(await pdm(`request-checkin ${number}`, other)).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/is not reserved.*\(not_reserved_by_other\)\n$/),
  });
});

test('commands repeated with the same idempotency key take effect once', async () => {
  const number = await uploadNew();
  const [one, two] = [
    await json(`version ${number} --idempotency-key night-17`),
    await json(`version ${number} --idempotency-key night-17`),
  ];
  expect([two.id, (await json(`show ${number}`)).versions]).toEqual([
    one.id,
    [expect.objectContaining({ id: one.id })],
  ]);
  const [first, again] = [
    await json(`upload ${step} --idempotency-key night-18`),
    await json(`upload ${step} --idempotency-key night-18`),
  ];
  expect([again.document.id, again.artifact.id]).toEqual([first.document.id, first.artifact.id]);
});

test('watch prints past and new changes to a document once each, until interrupted', async () => {
  const number = await uploadNew();
  const interrupt = new AbortController();
  let checkedOut = false;
  const onOutput = (out: string) => {
    if (out.includes('artifact.uploaded') && !checkedOut) {
      checkedOut = true;
      void pdm(`checkout ${number}`);
    }
    if (out.includes('workspace.checked_out')) interrupt.abort();
  };
  const { exit, out, err } = await pdm(`watch ${number} --after 0 --json`, { signal: interrupt.signal, onOutput });
  const actions = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).action);
  expect([exit, err, actions]).toEqual([0, '', ['document.created', 'artifact.uploaded', 'workspace.checked_out']]);
});
