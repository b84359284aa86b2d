// A backup made while the service works, restored into another folder: everything that was acknowledged before it began is there, and all of it is sound.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
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

type Ended = { code: number | null; out: string; err: string };
async function pdm(words: string, settings: Record<string, string> = {}): Promise<Ended> {
  const child: ChildProcess = spawn(process.execPath, ['--disable-proto=throw', 'app/pdm.ts', ...words.split(' ')], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...environment, PDM_DATA_DIR: dataDir, ...settings },
  });
  const told = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [code] = await once(child, 'exit');
  const [out, err] = await told;
  return { code, out, err };
}

let service: ServiceProcess;
let token = '';
let made: Ended;
const before: string[] = [];
let meanwhile = 0;
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
  for (let n = 0; n < 5; n++) before.push(await write());
  let going = true;
  const writers = Array.from({ length: 3 }, async () => {
    for (; going; meanwhile++) await write();
  });
  made = await pdm(`backup ${folder}`);
  going = false;
  await Promise.all(writers);
});
afterAll(async () => {
  await service.end('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

test('a backup is made while people write, and holds the store, the keys and a list of them, for their owner alone', () => {
  expect(made).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/ documents, all checked; and audit-key, secret\.\n$/),
  });
  expect(meanwhile).toBeGreaterThan(0);
  expect(readdirSync(folder).sort()).toEqual(['audit-key', 'backup.json', 'secret', 'store.mdb']);
  for (const name of readdirSync(folder)) expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
});

test('restored into an empty folder it is sound to the last byte, its log is good, and a service works on it', {
  timeout: 120_000,
}, async () => {
  expect(await pdm(`restore ${folder}`, { PDM_DATA_DIR: restored })).toMatchObject({ code: 0, err: '' });
  expect(await pdm('check --read-data', { PDM_DATA_DIR: restored })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^sound: /),
  });
  expect(await pdm('audit verify', { PDM_DATA_DIR: restored })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^good: /),
  });

  const again = await startProcess(restored, { ...environment });
  const admin = client(`${again.url}/api/v1`, token);
  for (const number of before) {
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

test('nothing is written over: neither a folder with something in it, nor a store, nor the keys of another installation', async () => {
  expect(await pdm(`backup ${folder}`)).toMatchObject({
    code: 3,
    err: expect.stringContaining('holds something already'),
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
    err: expect.stringContaining('is another key'),
  });
  expect(readdirSync(other)).not.toContain('store');
});

test('a place that can hold no backup is told at once, in a sentence', { timeout: 20_000 }, async () => {
  const file = join(home, 'a-file');
  writeFileSync(file, '');
  const long = join(home, 'x'.repeat(300));
  for (const [place, why] of [
    [file, `${file} is no folder.`],
    [join(file, 'below'), `${file} is no folder.`],
    [long, `There can be no folder ${long}: ENAMETOOLONG`],
    ['/dev/null', '/dev/null is no folder.'],
    ['/proc/x', 'There can be no folder /proc/x: ENOENT'],
    ['/proc/x/y', 'There can be no folder /proc/x: ENOENT'],
    ['/sys/fs', '/sys/fs holds something already'],
    ['/sys/fs/x/y', 'There can be no folder /sys/fs/x: E'],
  ] as const)
    expect([place, await pdm(`backup ${place}`)]).toMatchObject([
      place,
      { code: 3, out: '', err: expect.stringContaining(why) },
    ]);
  expect(await pdm(`restore ${folder}`, { PDM_DATA_DIR: '/proc/x' })).toMatchObject({
    code: 3,
    err: expect.stringContaining('no folder /proc/x'),
  });
  await expect(startProcess('/proc/x', environment)).rejects.toThrow(
    'pdm could not start: There can be no folder /proc/x: ENOENT',
  );
});

test('a disk that has no room for it is told, and nothing of the backup stays there', async ({ skip }) => {
  const disk = smallDisk(1);
  if (!disk) return skip('mounting a disk takes root');
  try {
    const into = join(disk.folder, 'backup');
    mkdirSync(into);
    disk.fill();
    expect(await pdm(`backup ${into}`)).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining(`No backup was made in ${into}: No space left`),
    });
    expect(readdirSync(into)).toEqual([]);
  } finally {
    disk.remove();
  }
});

test('what is no backup, or no longer as it was written, is not restored', async () => {
  const spoilt = join(home, 'spoilt');
  const into = { PDM_DATA_DIR: join(home, 'new') };
  cpSync(folder, spoilt, { recursive: true });
  appendFileSync(join(spoilt, 'audit-key'), ' ');
  expect(await pdm(`restore ${spoilt}`, into)).toMatchObject({
    code: 3,
    err: expect.stringContaining('audit-key is not as it was written'),
  });
  copyFileSync(join(folder, 'audit-key'), join(spoilt, 'audit-key'));
  const list = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  const strangers = [
    { '..': list.files.secret },
    { 'another-file': list.files.secret },
    { secret: null },
    { 'store.mdb': { size: 1 } },
  ];
  for (const stranger of strangers) {
    writeFileSync(join(spoilt, 'backup.json'), JSON.stringify({ ...list, files: { ...list.files, ...stranger } }));
    const refused = { code: 3, err: expect.stringContaining('is not the list of a backup that this version knows') };
    expect(await pdm(`restore ${spoilt}`, into)).toMatchObject(refused);
  }
  for (const format of ['pdm-backup-1', 'pdm-backup-2']) {
    writeFileSync(join(spoilt, 'backup.json'), JSON.stringify({ ...list, format, version: '0.10.2' }));
    const refused = {
      code: 3,
      err: expect.stringMatching(
        /was made by version 0\.10\.2 of the service; this is \S+, .* Restore it with version 0\.10\.2 or a later one/,
      ),
    };
    expect(await pdm(`restore ${spoilt}`, into)).toMatchObject(refused);
  }
  rmSync(join(spoilt, 'backup.json'));
  expect(await pdm(`restore ${spoilt}`, into)).toMatchObject({ code: 3, err: expect.stringContaining('is no backup') });
  expect(() => readFileSync(into.PDM_DATA_DIR)).toThrow('ENOENT');
  expect(await pdm(`backup ${join(home, 'x')}`, { PDM_DATA_DIR: join(home, 'nowhere') })).toMatchObject({
    code: 3,
    err: expect.stringContaining('There is no store in'),
  });
  const atServer = await pdm(`backup ${join(home, 'x')}`, { MONGODB_URL: 'mongodb://127.0.0.1:1' });
  expect(atServer).toMatchObject({ code: 3, err: expect.stringContaining('mongodump') });
});
