// The user's commands against the service: what they print, what they do there, and how they end.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assemblies } from '../test/support/assemblies.ts';
import { type Pdm, startPdm } from '../test/support/pdm.ts';
import { typed } from './testing/typed.ts';

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

/** Types as the editor, who is signed in by the environment. */
const pdm = (words: string, more: Parameters<typeof typed>[1] = {}) =>
  typed(words.split(' '), { environment, ...more });
const json = async (words: string) => {
  const { out, err, exit } = await pdm(`${words} --json`);
  expect([exit, err]).toEqual([0, '']);
  return JSON.parse(out);
};
const numberIn = (out: string) => /(PRT|ASM)-\d{6}/.exec(out)?.[0] ?? '';
const fresh = async () => numberIn((await pdm(`upload ${step}`)).out);

describe('signing in', () => {
  const kept = () => join(folder, 'pdm', 'sign-in.json');
  const atHome = {
    environment: {
      get XDG_CONFIG_HOME() {
        return folder;
      },
    },
  };

  test('keeps address and token where only their owner reads them, until signing out', async () => {
    const signedIn = await typed(['login', `${service.url}/api/v1/`], {
      ...atHome,
      secret: ` ${service.tokens.viewer}\n`,
    });
    expect(signedIn).toEqual({
      exit: 0,
      err: '',
      out: `Signed in at ${service.url} as Vi Viewer (viewer); kept in ${kept()}.\n`,
    });
    expect([statSync(kept()).mode & 0o777, JSON.parse(readFileSync(kept(), 'utf8'))]).toEqual([
      0o600,
      { url: service.url, token: service.tokens.viewer },
    ]);
    expect((await typed(['whoami'], atHome)).out).toContain(
      `Vi Viewer (viewer) at ${service.url}, with a token until `,
    );
    expect((await typed(['logout'], atHome)).exit).toBe(0);
    expect(await typed(['whoami'], atHome)).toMatchObject({
      exit: 3,
      err: expect.stringContaining('You are not signed in. Run pdm login'),
    });
  });

  test('takes the link of the first start, and keeps nothing that does not open the service', async () => {
    expect(await typed(['login', `${service.url}/#token=${service.tokens.admin}`], atHome)).toMatchObject({ exit: 0 });
    const before = readFileSync(kept(), 'utf8');
    const wrong = await typed(['login', service.url, '--token', 'pdm_wrong'], atHome);
    expect(wrong).toEqual({
      exit: 1,
      out: '',
      err: 'pdm login: The token is unknown, expired or revoked. (unauthenticated)\n',
    });
    expect(readFileSync(kept(), 'utf8')).toBe(before);
  });

  test('a kept token goes to its own address alone, and one that others can read is not used', async () => {
    const elsewhere = { environment: { ...atHome.environment, PDM_URL: 'http://127.0.0.1:1' } };
    expect(await typed(['whoami'], elsewhere)).toMatchObject({
      exit: 3,
      err: expect.stringContaining('There is no token for http://127.0.0.1:1'),
    });
    chmodSync(kept(), 0o644);
    expect(await typed(['whoami'], atHome)).toMatchObject({
      exit: 3,
      err: expect.stringContaining('can be read by others'),
    });
  });
});

test('a file makes a document, becomes a version, is released, and comes back byte for byte', async () => {
  const { body: folderOfThem } = await service.editor.post('/folders', { name: 'Blocks' });
  const { exit, out } = await typed(['upload', step, '--new', '--name', 'Block, small', '--folder', 'blocks'], {
    environment,
  });
  const number = numberIn(out);
  expect([exit, out]).toEqual([
    0,
    expect.stringMatching(
      /^PRT-\d+ "Block, small" is made\.\nblock\.step \(21 B\) is in the draft of PRT-\d+, SHA-256 \w{64}\.\nJob job_\w+ /,
    ),
  ]);
  expect((await service.viewer.get(`/documents/${number}`)).body).toMatchObject({
    kind: 'model',
    folderId: folderOfThem.id,
  });

  expect(await pdm(`version ${number} --comment First`)).toEqual({
    exit: 0,
    err: '',
    out: `${number}@v1 "V1" is made.\n`,
  });
  expect(await pdm(`release ${number}`)).toEqual({
    exit: 0,
    err: '',
    out: `${number}@v1 is released as ${number}@A.\n`,
  });
  expect((await pdm(`show ${number}`)).out).toMatch(/V1 +A +V1 .* Ed Editor +First\n$/);
  expect((await pdm(`list ${number}`)).out).toMatch(new RegExp(`\n${number} +Block, small +model `));

  const target = join(folder, 'back.step');
  expect((await pdm(`download ${number}@A -o ${target}`)).exit).toBe(0);
  expect(readFileSync(target, 'utf8')).toBe(readFileSync(step, 'utf8'));
  expect(await pdm(`download ${number} -o ${target}`)).toMatchObject({
    exit: 3,
    err: `pdm download: ${target} is there already; --force replaces it.\n`,
  });
  expect((await pdm(`download ${number}@v1 -o -`)).out).toBe(readFileSync(step, 'utf8'));
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test.each([
  ['as long as a disk takes one', '部'.repeat(83), `${'部'.repeat(83)}.stp`],
  ['longer than that, without cutting a letter or the ending', '部'.repeat(196), `${'部'.repeat(83)}.stp`],
])('a file with a name %s is fetched under it', async (_length, given, name) => {
  const { body } = await service.editor.post('/documents', { name: 'Part', kind: 'model' });
  expect(
    (await service.editor.upload(body.drafts[0].id, 'source', 'a part', { fileName: `${given}.stp` })).status,
  ).toBe(201);
  const into = mkdtempSync(join(folder, 'long-'));
  expect(await pdm(`download ${body.number} --draft -o ${into}`)).toMatchObject({ exit: 0, err: '' });
  expect(readdirSync(into)).toEqual([name]);
  expect(readFileSync(join(into, name), 'utf8')).toBe('a part');
});

test('a file that has nowhere to go is told of in one line', async () => {
  const nowhere = join(folder, 'nowhere', 'block.step');
  expect(await pdm(`download ${await fresh()} --draft -o ${nowhere}`)).toMatchObject({
    exit: 3,
    err: expect.stringMatching(/^pdm download: .*ENOENT.*\n$/),
  });
});

test('what the service refuses is told in its words with its code: in a sentence, or as it is with --json', async () => {
  const number = await fresh();
  expect(await pdm(`release ${number}`)).toEqual({
    exit: 1,
    out: '',
    err: `pdm release: ${number} has no version yet. Make one with pdm version ${number}.\n`,
  });
  await pdm(`version ${number}`);
  await pdm(`release ${number}`);
  expect(await pdm(`release ${number}@v1`)).toEqual({
    exit: 1,
    out: '',
    err: 'pdm release: Version 1 is released already, as A. (already_released)\n',
  });
  const { exit, err } = await pdm(`release ${number}@v1 --json`);
  expect([exit, JSON.parse(err)]).toEqual([
    1,
    expect.objectContaining({ code: 'already_released', status: 409, label: 'A' }),
  ]);
  expect(await pdm('show PRT-999999')).toMatchObject({ exit: 1, err: expect.stringMatching(/\(not_found\)\n$/) });
});

test('a command line that makes no sense ends with 2, a service that is not there with 3', async () => {
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
  const nowhere = { environment: { PDM_URL: 'http://127.0.0.1:1', PDM_TOKEN: 'x' } };
  expect(await pdm('whoami', nowhere)).toEqual({
    exit: 3,
    out: '',
    err: expect.stringMatching(/^pdm whoami: Nothing answers at http:\/\/127\.0\.0\.1:1 \(/),
  });
  expect(JSON.parse((await pdm('whoami --json', nowhere)).err)).toMatchObject({ code: 'unable' });
});

test('--wait shows the log of the job and what it made; a failed one ends with 1', async () => {
  const worked = async (end: (id: string, inputSha256: string, versionId: string) => Promise<unknown>) => {
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
  const made = worked(async (id, sha256, versionId) => {
    const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256 };
    await service.worker.upload(versionId, 'glb', 'glTF', { fileName: 'block.glb', headers });
    await service.worker.post(`/jobs/${id}/complete`, { log: ['found: 1 solid \u001b[2J'] });
  });
  const { exit, out, err } = await pdm(`upload ${step} --name waited --wait`);
  await made;
  expect([exit, err]).toEqual([0, '  found: 1 solid \uFFFD[2J\n']);
  expect(out).toMatch(/\n {2}glb {2}block\.glb {2}4 B\n$/);

  const failed = worked((id) =>
    service.worker.post(`/jobs/${id}/fail`, {
      error: { code: 'not_step', message: 'It is no STEP file.' },
      final: true,
    }),
  );
  const answer = await pdm(`upload ${step} --to ${numberIn(out)} --wait --json`);
  await failed;
  expect([answer.exit, JSON.parse(answer.out)]).toEqual([
    1,
    expect.objectContaining({ job: expect.objectContaining({ status: 'failed' }), made: [] }),
  ]);
  expect((await pdm(`jobs ${numberIn(out)} --status failed`)).out).toContain('It is no STEP file.');
});

test('a bill of material: every line, flat, as CSV and as JSON; and who uses a part', async () => {
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
  expect((await pdm(`bom ${table.number}`)).err).toContain('Its draft is meant with --draft.');
  await make.version(table);
  expect((await json(`bom ${table.number} --flat`)).items).toMatchObject([{ number: screw.number, totalQuantity: 16 }]);
  expect((await pdm(`bom ${table.number} --csv`)).out).toBe(
    (
      await service.viewer.get(`/versions/${(await json(`bom ${table.number}`)).versionId}/bom?format=csv`)
    ).bytes.toString(),
  );
  const used = (await pdm(`where-used ${screw.number} --all --no-drafts`)).out;
  expect(
    lines(used)
      .filter((line) => /Leg|Table/.test(line))
      .map((line) => /Leg|Table/.exec(line)?.[0]),
  ).toEqual(['Leg', 'Table']);
});

test('the history of a document, drawn; colours only on a terminal that wants them', async () => {
  const number = await fresh();
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
  const coloured = async (more: Record<string, string>) =>
    (await pdm(`history ${number}`, { isTTY: true, environment: { ...environment, ...more } })).out.includes('\u001b[');
  expect([await coloured({}), await coloured({ NO_COLOR: '1' }), await coloured({ TERM: 'dumb' })]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a draft is reserved and given back; whose it is is told to the others', async () => {
  const number = await fresh();
  expect((await pdm(`checkout ${number} --note mine`)).out).toMatch(/ is reserved for you until \d{4}-/);
  const other = { environment: { ...environment, PDM_TOKEN: service.tokens.admin } };
  expect(await pdm(`upload ${step} --to ${number}`, other)).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/Ed Editor.*\(workspace_reserved\)\n$/),
  });
  expect((await pdm(`ask ${number} --note soon`, other)).out).toMatch(
    /^Ed Editor is asked for the draft of .* \(main\), reserved until \d{4}-/,
  );
  expect((await pdm('held')).out).toMatch(
    new RegExp(`^You hold .*Asked for by\\s*\n${number} .* main .* Administrator \\(soon\\)\n`),
  );
  expect((await pdm('held', other)).out).toMatch(
    new RegExp(`^You asked for .*\n${number} .* main .* Ed Editor\\s*\n$`),
  );
  expect((await pdm(`show ${number}`)).out).toMatch(/Ed Editor until .*, asked for by Administrator/);
  expect((await pdm(`checkin ${number}`)).out).toBe(`The draft of ${number} (main) is free.\n`);
  expect((await pdm('held', other)).out).toBe('You hold no draft, and have asked for none.\n');
  expect(await pdm(`ask ${number}`, other)).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/Check it out.*\(nobody_to_ask\)\n$/),
  });
});

test('repeated under its key, nothing is done twice', async () => {
  const number = await fresh();
  const [one, two] = [await json(`version ${number} --key night-17`), await json(`version ${number} --key night-17`)];
  expect([two.id, (await json(`show ${number}`)).versions]).toEqual([
    one.id,
    [expect.objectContaining({ id: one.id })],
  ]);
  const [first, again] = [await json(`upload ${step} --key night-18`), await json(`upload ${step} --key night-18`)];
  expect([again.document.id, again.artifact.id]).toEqual([first.document.id, first.artifact.id]);
});

test('watch shows what was done to a document and what is done, each once, until it is interrupted', async () => {
  const number = await fresh();
  const interrupt = new AbortController();
  let asked = false;
  const seen = (out: string) => {
    if (out.includes('artifact.uploaded') && !asked) {
      asked = true;
      void pdm(`checkout ${number}`);
    }
    if (out.includes('workspace.checked_out')) interrupt.abort();
  };
  const { exit, out, err } = await pdm(`watch ${number} --after 0 --json`, { signal: interrupt.signal, seen });
  const actions = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).action);
  expect([exit, err, actions]).toEqual([0, '', ['document.created', 'artifact.uploaded', 'workspace.checked_out']]);
});
