// The operator's command as it is typed: what it prints, and how it ends.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStore } from '../embedded/process/supervisor.ts';
import { connectMongo } from '../subgraphs/core/store/mongo.ts';
import { client } from '../test/support/client.ts';
import { startProcess } from '../test/support/service-process.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'pdm-operate-'));
const checkpoints = join(dataDir, 'outside');
const home = join(import.meta.dirname, '..');
const environment = {
  ...process.env,
  MONGODB_URL: '',
  PDM_DATA_DIR: dataDir,
  PDM_CHECKPOINT_FILE: '',
  PDM_LOG: 'json',
  PDM_ROLES: 'store,api,sweeps',
};

function pdm(words: string, settings: Record<string, string> = {}): { code: number | null; out: string; err: string } {
  const child = spawnSync(
    process.execPath,
    ['--disable-proto=throw', 'app/pdm.ts', ...words.split(' ').filter(Boolean)],
    {
      cwd: home,
      env: { ...environment, ...settings },
      encoding: 'utf8',
    },
  );
  return { code: child.status, out: child.stdout, err: child.stderr };
}

const serve = (settings: Record<string, string> = {}) => startProcess(dataDir, { ...environment, ...settings });

/** Does something to the database that the service would never do. */
async function behindItsBack(
  deed: (db: Awaited<ReturnType<typeof connectMongo>>['db']) => Promise<unknown>,
): Promise<void> {
  const store = await startStore({ dataDir: join(dataDir, 'store'), log: () => undefined, onFatal: () => undefined });
  const mongo = await connectMongo(store.uri);
  await deed(mongo.db);
  await mongo.close();
  await store.stop();
}

let inUse: ReturnType<typeof pdm>;
let servicePid = 0;
let warned = '';
let key = '';
beforeAll(async () => {
  const service = await serve({ PDM_CHECKPOINT_FILE: checkpoints, PDM_PROT: '1' });
  servicePid = service.pid;
  const admin = client(`${service.url}/api/v1`, service.token());
  for (const name of ['Bracket', 'Plate'])
    expect((await admin.post('/documents', { name, kind: 'model' })).status).toBe(201);
  inUse = pdm('check');
  warned = service.output.join('');
  expect(await service.end('SIGTERM')).toBe(0);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('nothing is touched while the service runs: the process to stop is named', () => {
  expect(inUse).toMatchObject({ code: 3, out: '' });
  expect(inUse.err).toMatch(
    new RegExp(`^pdm check: The data folder .* is in use by process ${servicePid}; stop that process first\\.\n`),
  );
});

test('a setting that there is not is told at the start, with the nearest that there is', () => {
  expect(warned).toContain('PDM_PROT is no setting and is ignored. Did you mean PDM_PORT?');
});

test('without a store there is nothing to work on, and nothing is made', () => {
  const missing = join(dataDir, 'nowhere');
  expect(pdm('check', { PDM_DATA_DIR: missing })).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining(`There is no store in ${missing}.`),
  });
  expect(() => readFileSync(missing)).toThrow('ENOENT');
});

test('where the file of the store is lost no new one is made and called sound', () => {
  const lost = join(dataDir, 'lost');
  mkdirSync(join(lost, 'store'), { recursive: true });
  for (const words of [
    'check',
    'audit verify',
    'token create --role admin --name x',
    `backup ${join(dataDir, 'copy')}`,
  ])
    expect([words, pdm(words, { PDM_DATA_DIR: lost })]).toMatchObject([
      words,
      { code: 3, out: '', err: expect.stringContaining('There is no store in') },
    ]);
  expect(readdirSync(join(lost, 'store'))).toEqual([]);
});

test('the usage is told when asked for, and with 2 when the command line makes no sense', () => {
  expect(pdm('help')).toMatchObject({ code: 0, out: expect.stringContaining('worker-check') });
  for (const words of [
    'fly',
    'token create --role king --name x',
    `token create --role viewer --name ${'x'.repeat(201)}`,
  ])
    expect([words, pdm(words).code]).toEqual([words, 2]);
  expect(pdm('check', { PDM_PORT: 'x' })).toMatchObject({ code: 78, err: expect.stringContaining('PDM_PORT') });
});

test('a store that nobody touched is sound, and its log is good with the checkpoints from outside', () => {
  expect(pdm('check --read-data')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^sound: \d+ invariants hold, every byte was read\.\n$/),
    err: '',
  });
  const { code, out } = pdm(`audit verify --checkpoint ${checkpoints}`);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^good: \d+ records in 3 chains, \d+ sealed, 0 wait to be; [1-9]\d* checkpoints in the store, [1-9]\d* from outside\.\nlog pdm\/audit\/\S+ · root \S+\nkey \S+\n$/,
  );
  key = /^key (\S+)$/m.exec(out)?.[1] ?? '';
  expect(JSON.parse(pdm('audit verify --json --document PRT-000001').out)).toMatchObject({
    verdict: 'good',
    chains: 1,
    records: 1,
    outside: 0,
  });
  expect(JSON.parse(pdm('audit verify --json --since 1').out)).toMatchObject({
    verdict: 'good',
    records: expect.any(Number),
    pending: 0,
  });
});

test('the log is exported into a new file, which another verifier finds good', () => {
  const file = join(dataDir, 'export.jsonl');
  expect(pdm(`audit export ${file}`)).toEqual({ code: 0, out: `The audit log is in ${file}.\n`, err: '' });
  const given = ['tools/verify-audit.py', file, '--key', key, '--checkpoint', checkpoints];
  const { error, status, stdout } = spawnSync('python3', given, { cwd: home, encoding: 'utf8' });
  if (error) return console.warn('skipped: there is no python3 for the other verifier');
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^good: /)]);
});

test('a token made by the operator opens the service', async () => {
  const { code, out } = pdm('token create --role editor --name ci --days 7');
  expect([code, out]).toEqual([0, expect.stringMatching(/^pdm_\w{8}_\w{32,}\n$/)]);
  const service = await serve();
  const { body } = await client(`${service.url}/api/v1`, out.trim()).get('/me');
  expect(body).toMatchObject({ name: 'ci', role: 'editor' });
  expect(await service.end('SIGTERM')).toBe(0);
});

describe('what was done behind the back of the service', () => {
  test('is found and named: by the check with 1, by the verification with 1', async () => {
    await behindItsBack((db) =>
      db.collection('audit').updateOne({ documentId: { $ne: null } }, { $set: { summary: 'Nothing happened.' } }),
    );
    expect(pdm('check')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^I13 {2}aud_\w+ {2}Record aud_\w+ is not as it was written\.\nOne fault;/),
    });
    expect(pdm('audit verify')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^TAMPERED, first of all aud_\w+: /),
    });
  });

  test('without the key, or with a checkpoint that cannot be read, it cannot be told: 3', async () => {
    await behindItsBack(async (db) => {
      for (const record of await db.collection('audit').find({ summary: 'Nothing happened.' }).toArray())
        await db.collection('audit').deleteOne(record);
      for (const name of ['audit', 'auditSeals', 'auditPending', 'auditTree', 'auditCheckpoints', 'chains'])
        await db.collection(name).deleteMany({});
    });
    expect(pdm(`audit verify --checkpoint ${checkpoints}`)).toMatchObject({
      code: 1,
      out: expect.stringContaining('A checkpoint from outside covers'),
    });
    const service = await serve();
    await client(`${service.url}/api/v1`, service.token()).post('/folders', { name: 'New' });
    expect(await service.end('SIGTERM')).toBe(0);
    renameSync(join(dataDir, 'audit-key'), join(dataDir, 'kept-key'));
    expect(pdm('audit verify')).toMatchObject({
      code: 3,
      out: expect.stringMatching(/^cannot tell: .*\n {2}\? {2}The key that signs/),
    });
    renameSync(join(dataDir, 'kept-key'), join(dataDir, 'audit-key'));
    writeFileSync(join(dataDir, 'empty'), '');
    expect(pdm(`audit verify --checkpoint ${join(dataDir, 'empty')}`)).toMatchObject({
      code: 3,
      err: expect.stringContaining('holds no checkpoint'),
    });
  });
});
