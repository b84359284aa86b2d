// Operator commands in a child process: output and exit codes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStore } from '../embedded/process/supervisor.ts';
import { connectMongo } from '../subgraphs/core/store/mongo.ts';
import { client } from '../test/support/client.ts';
import { needs } from '../test/support/needs.ts';
import { startProcess } from '../test/support/service-process.ts';

const python = needs('python3');

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

function pdm(
  command: string,
  settings: Record<string, string> = {},
): { code: number | null; out: string; err: string } {
  const child = spawnSync(
    process.execPath,
    ['--disable-proto=throw', 'app/pdm.ts', ...command.split(' ').filter(Boolean)],
    {
      cwd: home,
      env: { ...environment, ...settings },
      encoding: 'utf8',
    },
  );
  return { code: child.status, out: child.stdout, err: child.stderr };
}

const serve = (settings: Record<string, string> = {}) => startProcess(dataDir, { ...environment, ...settings });

/** Changes the database without the service. */
async function tamper(change: (db: Awaited<ReturnType<typeof connectMongo>>['db']) => Promise<unknown>): Promise<void> {
  const store = await startStore({ dataDir: join(dataDir, 'store'), log: () => undefined, onFatal: () => undefined });
  const mongo = await connectMongo(store.uri);
  await change(mongo.db);
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

test('rejects a data folder in use, and names the process to stop', () => {
  expect(inUse).toMatchObject({ code: 3, out: '' });
  expect(inUse.err).toMatch(
    new RegExp(`^pdm check: The data folder .* is in use by process ${servicePid}; stop that process first\\.\n`),
  );
});

test('the service warns about an unknown setting and suggests the nearest one', () => {
  expect(warned).toContain('Unknown setting PDM_PROT is ignored. Did you mean PDM_PORT?');
});

test('reports a missing data folder without creating it', () => {
  const missing = join(dataDir, 'nowhere');
  expect(pdm('check', { PDM_DATA_DIR: missing })).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining(`There is no store in ${missing}.`),
  });
  expect(() => readFileSync(missing)).toThrow('ENOENT');
});

test('reports a missing store file without creating a new store', () => {
  const lost = join(dataDir, 'lost');
  mkdirSync(join(lost, 'store'), { recursive: true });
  for (const command of [
    'check',
    'audit verify',
    'token create --role admin --name x',
    `backup ${join(dataDir, 'copy')}`,
  ])
    expect([command, pdm(command, { PDM_DATA_DIR: lost })]).toMatchObject([
      command,
      { code: 3, out: '', err: expect.stringContaining('There is no store in') },
    ]);
  expect(readdirSync(join(lost, 'store'))).toEqual([]);
});

test('prints help, exits with 2 if the command line is invalid, and with 78 if a setting is', () => {
  expect(pdm('help')).toMatchObject({ code: 0, out: expect.stringContaining('worker-check') });
  for (const command of [
    'fly',
    'token create --role king --name x',
    `token create --role viewer --name ${'x'.repeat(201)}`,
  ])
    expect([command, pdm(command).code]).toEqual([command, 2]);
  expect(pdm('check', { PDM_PORT: 'x' })).toMatchObject({ code: 78, err: expect.stringContaining('PDM_PORT') });
});

test('check and audit verify pass on an intact store, also with external checkpoints', () => {
  expect(pdm('check --read-data')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok: \d+ invariants hold, all file contents were read\.\n$/),
    err: '',
  });
  const { code, out } = pdm(`audit verify --checkpoint ${checkpoints}`);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^intact: \d+ records in 3 chains, \d+ sealed, 0 pending; [1-9]\d* checkpoints in the store, [1-9]\d* external; [1-9]\d* stored records compared\.\nlog pdm\/audit\/\S+ · root \S+\nkey \S+\n$/,
  );
  key = /^key (\S+)$/m.exec(out)?.[1] ?? '';
  expect(JSON.parse(pdm('audit verify --json --document PRT-000001').out)).toMatchObject({
    verdict: 'intact',
    chains: 1,
    records: 1,
    externalCheckpoints: 0,
  });
  expect(JSON.parse(pdm('audit verify --json --since 1').out)).toMatchObject({
    verdict: 'intact',
    records: expect.any(Number),
    pending: 0,
  });
});

function verifyInPython(file: string) {
  const args = ['tools/verify-audit.py', file, '--key', key, '--checkpoint', checkpoints];
  return spawnSync('python3', args, { cwd: home, encoding: 'utf8' });
}

const exported = (option: string) => join(dataDir, `export${option.trim()}.jsonl`);

test.each(['', '--records '])('exports the audit log: audit export %sFILE', (option) => {
  const file = exported(option);
  const out = `Exported the audit log to ${file}.\n`;
  expect(pdm(`audit export ${option}${file}`)).toEqual({ code: 0, out, err: '' });
});

test.skipIf(python.isMissing).each(['', '--records '])(
  python.title('the Python verifier accepts the file of audit export %sFILE'),
  (option) => {
    const { status, stdout } = verifyInPython(exported(option));
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^intact: /)]);
  },
);

test('token create prints a token that the service accepts', async () => {
  const { code, out } = pdm('token create --role editor --name ci --days 7');
  expect([code, out]).toEqual([0, expect.stringMatching(/^pdm_\w{8}_\w{32,}\n$/)]);
  const service = await serve();
  const { body } = await client(`${service.url}/api/v1`, out.trim()).get('/me');
  expect(body).toMatchObject({ name: 'ci', role: 'editor' });
  expect(await service.end('SIGTERM')).toBe(0);
});

test('audit verify exits with 3 without the key, or with a file that contains no checkpoint', () => {
  renameSync(join(dataDir, 'audit-key'), join(dataDir, 'moved-key'));
  expect(pdm('audit verify')).toMatchObject({
    code: 3,
    out: expect.stringMatching(/^unknown: .*\n {2}\? {2}No key of this log is available/),
  });
  renameSync(join(dataDir, 'moved-key'), join(dataDir, 'audit-key'));
  writeFileSync(join(dataDir, 'empty'), '');
  expect(pdm(`audit verify --checkpoint ${join(dataDir, 'empty')}`)).toMatchObject({
    code: 3,
    err: expect.stringContaining('contains no checkpoint'),
  });
});

describe('a store changed without the service', () => {
  const message = /documents doc_\w+: the log has "(\w+)" for name, but the store has "Forged"/;

  test('fails check and audit verify, which name the record and the field', async () => {
    await tamper((db) => db.collection('documents').updateOne({ number: 'PRT-000001' }, { $set: { name: 'Forged' } }));
    expect(pdm('check')).toMatchObject({ code: 1, out: expect.stringMatching(message) });
    const { code, out } = pdm('audit verify');
    const logged = message.exec(out)?.[1];
    expect([code, logged]).toEqual([1, expect.any(String)]);
    expect(pdm(`audit export --records ${exported('forged')}`).code).toBe(0);
    await tamper((db) => db.collection('documents').updateOne({ name: 'Forged' }, { $set: { name: logged } }));
    expect(pdm('audit verify').code).toBe(0);
  });

  test.skipIf(python.isMissing)(python.title('fails the Python verifier, which names the same'), () => {
    const { status, stdout } = verifyInPython(exported('forged'));
    expect([status, stdout]).toEqual([1, expect.stringMatching(message)]);
  });

  test('fails check and audit verify with exit code 1, and both name the record', async () => {
    await tamper((db) =>
      db.collection('audit').updateOne({ documentId: { $ne: null } }, { $set: { summary: 'Nothing happened.' } }),
    );
    expect(pdm('check')).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /^I13 {2}aud_\w+ {2}The hash of record aud_\w+ does not match its content\.\n1 error found;/,
      ),
    });
    expect(pdm('audit verify')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^TAMPERED: first error in aud_\w+; /),
    });
  });

  test('is reported after the log was thrown away and a new one began', async () => {
    await tamper(async (db) => {
      for (const record of await db.collection('audit').find({ summary: 'Nothing happened.' }).toArray())
        await db.collection('audit').deleteOne(record);
      for (const name of ['audit', 'auditSeals', 'auditPending', 'auditTree', 'auditCheckpoints', 'chains'])
        await db.collection(name).deleteMany({});
    });
    expect(pdm(`audit verify --checkpoint ${checkpoints}`)).toMatchObject({
      code: 1,
      out: expect.stringContaining('An external checkpoint covers'),
    });
    const service = await serve();
    await client(`${service.url}/api/v1`, service.token()).post('/folders', { name: 'New' });
    expect(await service.end('SIGTERM')).toBe(0);
    expect(pdm('audit verify')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/documents doc_\w+ exists in the store, but not according to the log\./),
    });
  });
});
