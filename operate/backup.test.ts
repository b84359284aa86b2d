// Backs up a running service and restores it to another folder. The restored store has all acknowledged writes.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../test/support/client.ts';
import { notRun } from '../test/support/needs.ts';
import { type ServiceProcess, startProcess } from '../test/support/service-process.ts';
import { smallDisk } from '../test/support/small-disk.ts';

const home = mkdtempSync(join(tmpdir(), 'pdm-backup-'));
const [dataDir, folder, restored] = ['data', 'backups/one', 'restored'].map((name) => join(home, name)) as [
  string,
  string,
  string,
];
const environment = {
  ...process.env,
  MONGODB_URL: '',
  PDM_CHECKPOINT_FILE: '',
  PDM_LOG: 'json',
  PDM_ROLES: 'store,api,sweeps',
};

type Result = { code: number | null; out: string; err: string };
async function pdm(command: string, settings: Record<string, string> = {}): Promise<Result> {
  const child: ChildProcess = spawn(process.execPath, ['--disable-proto=throw', 'app/pdm.ts', ...command.split(' ')], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...environment, PDM_DATA_DIR: dataDir, ...settings },
  });
  const output = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [code] = await once(child, 'exit');
  const [out, err] = await output;
  return { code, out, err };
}

let service: ServiceProcess;
let token = '';
let result: Result;
const writtenBefore: string[] = [];
let writtenDuring = 0;
beforeAll(async () => {
  service = await startProcess(dataDir, { ...environment });
  token = service.token();
  const admin = client(`${service.url}/api/v1`, token);
  const write = async (): Promise<string> => {
    const { body, status } = await admin.post('/documents', { name: 'Part', kind: 'model' });
    expect(status).toBe(201);
    expect(
      (await admin.upload(body.drafts[0].id, 'source', body.number.repeat(20_000), { fileName: 'part.stp' })).status,
    ).toBe(201);
    expect((await admin.post(`/workspaces/${body.workspaces[0].id}/versions`, {})).status).toBe(201);
    return body.number;
  };
  for (let n = 0; n < 5; n++) writtenBefore.push(await write());
  let writing = true;
  const writers = Array.from({ length: 3 }, async () => {
    for (; writing; writtenDuring++) await write();
  });
  result = await pdm(`backup ${folder}`);
  writing = false;
  await Promise.all(writers);
});
afterAll(async () => {
  await service.end('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

test('backs up a service under writes: the store, the keys and a manifest, private to their owner', () => {
  expect(result).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/ documents, verified; keys: audit-key, secret\.\n$/),
  });
  expect(writtenDuring).toBeGreaterThan(0);
  expect(readdirSync(folder).sort()).toEqual(['audit-key', 'backup.json', 'secret', 'store.mdb']);
  for (const name of readdirSync(folder)) expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
});

test('a restored backup passes check and audit verify, and a service runs on it', {
  timeout: 120_000,
}, async () => {
  expect(await pdm(`restore ${folder}`, { PDM_DATA_DIR: restored })).toMatchObject({ code: 0, err: '' });
  expect(await pdm('check --read-data', { PDM_DATA_DIR: restored })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok: /),
  });
  expect(await pdm('audit verify', { PDM_DATA_DIR: restored })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^intact: /),
  });

  const again = await startProcess(restored, { ...environment });
  const admin = client(`${again.url}/api/v1`, token);
  for (const number of writtenBefore) {
    const { body } = await admin.get(`/documents/${number}`);
    const file = await admin.get(`/versions/${body.versions[0].id}/artifacts/source/file`);
    expect(file.bytes.toString()).toBe(number.repeat(20_000));
  }
  const numbers = (await admin.get('/documents?limit=200')).body.items.map(({ number }: { number: string }) => number);
  const next = (await admin.post('/documents', { name: 'After', kind: 'model' })).body.number;
  expect(numbers).not.toContain(next);
  expect(await again.end('SIGTERM')).toBe(0);
  expect(await pdm('audit verify', { PDM_DATA_DIR: restored })).toMatchObject({ code: 0 });
});

test('restore --check rehearses a restore and leaves nothing behind', { timeout: 120_000 }, async () => {
  const temporary = join(home, 'temporary');
  mkdirSync(temporary);
  const settings = { TMPDIR: temporary, PDM_DATA_DIR: join(home, 'untouched') };
  expect(await pdm(`restore --check ${folder}`, settings)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(
      /^ok: \d+ invariants hold, all file contents were read\.\nThe backup of \S+ can be restored\./,
    ),
  });
  const foreign = join(home, 'foreign-key');
  cpSync(folder, foreign, { recursive: true });
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  writeFileSync(join(foreign, 'audit-key'), key);
  const manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  manifest.files['audit-key'] = { size: key.length, sha256: createHash('sha256').update(key).digest('hex') };
  writeFileSync(join(foreign, 'backup.json'), JSON.stringify(manifest));
  expect(await pdm(`restore --check --json ${foreign}`, settings)).toMatchObject({
    code: 1,
    out: expect.stringContaining('"ok": false'),
  });
  rmSync(join(foreign, 'backup.json'));
  expect(await pdm(`restore --check ${foreign}`, settings)).toMatchObject({ code: 3 });
  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(settings.PDM_DATA_DIR)).toBe(false);
});

test('overwrites neither a non-empty folder, nor a store, nor the keys of another installation', async () => {
  expect(await pdm(`backup ${folder}`)).toMatchObject({
    code: 3,
    err: expect.stringContaining('is not empty'),
  });
  expect(await pdm(`restore ${folder}`)).toMatchObject({
    code: 3,
    err: expect.stringMatching(/is in use by process|already contains a store/),
  });
  const other = join(home, 'other');
  cpSync(dataDir, other, { recursive: true, filter: (path) => !path.includes('store') && !path.includes('nats') });
  appendFileSync(join(other, 'secret'), 'x');
  expect(await pdm(`restore ${folder}`, { PDM_DATA_DIR: other })).toMatchObject({
    code: 3,
    err: expect.stringContaining('differs from the key in the backup'),
  });
  expect(readdirSync(other)).not.toContain('store');
});

test('reports a folder that cannot be created', { timeout: 20_000 }, async () => {
  const file = join(home, 'a-file');
  writeFileSync(file, '');
  const long = join(home, 'x'.repeat(300));
  for (const [path, message] of [
    [file, `${file} is not a folder.`],
    [join(file, 'below'), `${file} is not a folder.`],
    [long, `Cannot create the folder ${long}: ENAMETOOLONG`],
    ['/dev/null', '/dev/null is not a folder.'],
    ['/proc/x', 'Cannot create the folder /proc/x: ENOENT'],
    ['/proc/x/y', 'Cannot create the folder /proc/x: ENOENT'],
    ['/sys/fs', '/sys/fs is not empty'],
    ['/sys/fs/x/y', 'Cannot create the folder /sys/fs/x: E'],
  ] as const)
    expect([path, await pdm(`backup ${path}`)]).toMatchObject([
      path,
      { code: 3, out: '', err: expect.stringContaining(message) },
    ]);
  expect(await pdm(`restore ${folder}`, { PDM_DATA_DIR: '/proc/x' })).toMatchObject({
    code: 3,
    err: expect.stringContaining('the folder /proc/x'),
  });
  await expect(startProcess('/proc/x', environment)).rejects.toThrow(
    'pdm could not start: Cannot create the folder /proc/x: ENOENT',
  );
});

test('deletes an incomplete backup when the disk is full', async ({ skip }) => {
  const disk = smallDisk(1);
  if (!disk) return skip(notRun('root'));
  try {
    const into = join(disk.folder, 'backup');
    mkdirSync(into);
    disk.fill();
    expect(await pdm(`backup ${into}`)).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining(`The backup to ${into} failed: The disk of ${into} is full: `),
    });
    expect(readdirSync(into)).toEqual([]);
  } finally {
    disk.remove();
  }
});

test('leaves nothing behind when a restore fails', async () => {
  const damaged = join(home, 'no-store');
  cpSync(folder, damaged, { recursive: true });
  const content = readFileSync(join(folder, 'store.mdb')).fill(0, 0, 8_192);
  writeFileSync(join(damaged, 'store.mdb'), content);
  const manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  manifest.files['store.mdb'].sha256 = createHash('sha256').update(content).digest('hex');
  writeFileSync(join(damaged, 'backup.json'), JSON.stringify(manifest));
  const into = join(home, 'not-restored');
  expect(await pdm(`restore ${damaged}`, { PDM_DATA_DIR: join(into, 'data') })).toMatchObject({
    code: 3,
    err: expect.stringMatching(/Nothing was restored to .* is not a store/),
  });
  expect(existsSync(into)).toBe(false);
  mkdirSync(into);
  expect(await pdm(`restore ${damaged}`, { PDM_DATA_DIR: into })).toMatchObject({ code: 3 });
  expect(readdirSync(into)).toEqual([]);
});

test('restores nothing on a full disk', async ({ skip }) => {
  const disk = smallDisk(1);
  if (!disk) return skip(notRun('root'));
  try {
    for (const isFull of [false, true]) {
      if (isFull) disk.fill();
      const into = join(disk.folder, 'data');
      expect(await pdm(`restore ${folder}`, { PDM_DATA_DIR: into })).toMatchObject({
        code: 3,
        out: '',
        err: expect.stringMatching(
          /Nothing was restored to \S+: the disk has \d+ bytes free, and the backup needs \d+\./,
        ),
      });
      expect(readdirSync(disk.folder)).toEqual(isFull ? ['ballast'] : []);
    }
  } finally {
    disk.remove();
  }
});

test('rejects a damaged, incomplete or newer backup', async () => {
  const damaged = join(home, 'damaged');
  const into = { PDM_DATA_DIR: join(home, 'new') };
  cpSync(folder, damaged, { recursive: true });
  appendFileSync(join(damaged, 'audit-key'), ' ');
  expect(await pdm(`restore ${damaged}`, into)).toMatchObject({
    code: 3,
    err: expect.stringContaining('audit-key differs from the backup manifest'),
  });
  copyFileSync(join(folder, 'audit-key'), join(damaged, 'audit-key'));
  const manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  const invalidFiles = [
    { '..': manifest.files.secret },
    { 'another-file': manifest.files.secret },
    { secret: null },
    { 'store.mdb': { size: 1 } },
  ];
  for (const files of invalidFiles) {
    writeFileSync(
      join(damaged, 'backup.json'),
      JSON.stringify({ ...manifest, files: { ...manifest.files, ...files } }),
    );
    const refused = { code: 3, err: expect.stringContaining('is not a valid backup manifest') };
    expect(await pdm(`restore ${damaged}`, into)).toMatchObject(refused);
  }
  for (const format of ['pdm-backup-1', 'pdm-backup-2']) {
    writeFileSync(join(damaged, 'backup.json'), JSON.stringify({ ...manifest, format, version: '0.10.2' }));
    const refused = {
      code: 3,
      err: expect.stringMatching(
        /was made by version 0\.10\.2, which is newer than this version \(\S+\)\. Restore it with version 0\.10\.2 or later/,
      ),
    };
    expect(await pdm(`restore ${damaged}`, into)).toMatchObject(refused);
  }
  rmSync(join(damaged, 'backup.json'));
  expect(await pdm(`restore ${damaged}`, into)).toMatchObject({
    code: 3,
    err: expect.stringContaining('backup.json is missing'),
  });
  expect(() => readFileSync(into.PDM_DATA_DIR)).toThrow('ENOENT');
  expect(await pdm(`backup ${join(home, 'x')}`, { PDM_DATA_DIR: join(home, 'nowhere') })).toMatchObject({
    code: 3,
    err: expect.stringContaining('There is no store in'),
  });
  const withServer = await pdm(`backup ${join(home, 'x')}`, { MONGODB_URL: 'mongodb://127.0.0.1:1' });
  expect(withServer).toMatchObject({ code: 3, err: expect.stringContaining('mongodump') });
});
