// Writes a data folder with the code of an earlier commit: node test/upgrade/write-former-data.mjs COMMIT FOLDER
// Checks the commit out beside the repository, starts it without engines, and performs one write of every kind whose name or shape has changed since.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const [commit, folder] = process.argv.slice(2);
if (!commit || !folder) throw new Error('usage: write-former-data.mjs COMMIT FOLDER');
const root = resolve(import.meta.dirname, '../..');
const checkout = mkdtempSync(join(tmpdir(), 'pdm-former-'));
try {
  const archive = execFileSync('git', ['-C', root, 'archive', commit], { maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-C', checkout], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  await writeData(checkout, resolve(folder));
} finally {
  rmSync(checkout, { recursive: true, force: true });
}

/** Starts the service of a checkout on the data folder, sends it the writes and stops it. */
async function writeData(code, dataDir) {
  const main = ['app/main.ts', 'gateway/main.ts'].find((file) => existsSync(join(code, file)));
  const service = spawn(process.execPath, ['--disable-proto=throw', main], {
    cwd: code,
    env: {
      PATH: process.env.PATH,
      PDM_PORT: '0',
      PDM_DATA_DIR: dataDir,
      PDM_ROLES: 'store,api,sweeps',
      PDM_LOG_LEVEL: 'warn',
      PDM_JOB_LEASE_SECONDS: '2',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let url;
  for await (const line of createInterface({ input: service.stdout })) {
    url = /REST (http:\/\/\S+)/.exec(line)?.[1];
    if (url) break;
  }
  if (!url) throw new Error('the former service did not start');
  await performWrites(url, readFileSync(join(dataDir, 'first-token'), 'utf8').trim());
  service.kill('SIGTERM');
  await once(service, 'exit');
}

async function performWrites(url, adminToken) {
  const client =
    (token) =>
    async (method, path, body, headers = {}) => {
      const json = body !== undefined && typeof body !== 'string';
      const response = await fetch(url + path, {
        method,
        body: json ? JSON.stringify(body) : body,
        headers: {
          authorization: `Bearer ${token}`,
          ...(json ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text ? JSON.parse(text) : null;
    };
  const admin = client(adminToken);
  const { id: userId } = await admin('POST', '/users', { name: 'Ed', role: 'editor' });
  const editor = client((await admin('POST', '/tokens', { name: 'laptop', userId, role: 'editor' })).token);
  const worker = client(
    (
      await admin('POST', '/tokens', { name: 'engine', userId, role: 'worker' }).catch(() =>
        admin('POST', '/tokens', { name: 'engine', role: 'worker' }),
      )
    ).token,
  );

  const top = await admin('POST', '/folders', { name: 'Drive train' });
  await admin('PATCH', `/folders/${top.id}`, { name: 'Gear box' });
  const model = await admin('POST', '/documents', { name: 'Bracket', kind: 'model', folderId: top.id });
  await admin('PATCH', `/documents/${model.number}`, { name: 'Angle bracket', description: 'Welded' });
  const [draft] = model.drafts;
  const [workspace] = model.workspaces;
  await admin('POST', `/versions/${draft.id}/artifacts?kind=source`, 'ISO-10303-21;', {
    'x-file-name': 'bracket.step',
  });
  await admin('PATCH', `/versions/${draft.id}`, { comment: 'In work' });
  await admin('PATCH', `/workspaces/${workspace.id}`, { description: 'The main line' });
  const version = await admin('POST', `/workspaces/${workspace.id}/versions`, { comment: 'First' });
  await admin('PATCH', `/versions/${version.id}`, { comment: 'The first' });
  const revision = await admin('POST', `/versions/${version.id}/release`, { comment: 'For series' });
  await admin('PATCH', `/revisions/${revision.id}`, { comment: 'For the first series' });
  const branch = await admin('POST', `/documents/${model.number}/workspaces`, {
    name: 'lighter',
    fromVersionId: version.id,
  });
  await admin('POST', `/workspaces/${branch.id}/checkout`, { note: 'back at four' });
  await editor('POST', `/workspaces/${branch.id}/checkout/ask`, { note: 'Ten minutes, please' });
  await admin('POST', `/versions/${branch.draftId}/artifacts?kind=source`, 'ISO-10303-21; changed', {
    'x-file-name': 'b.step',
  });

  const claim = (workerId) => worker('POST', '/jobs/claim', { workerId, types: ['convert'], waitSeconds: 0 });
  const cancelled = await claim('press-1');
  await admin('POST', `/jobs/${cancelled.id}/cancel`);
  const lost = await claim('press-2');
  for (;;) {
    const { status, attempt } = await admin('GET', `/jobs/${lost.id}`);
    if (status === 'waiting' && attempt === lost.attempt) break;
    await new Promise((done) => setTimeout(done, 200)); // until the lease has expired and the sweep has run
  }

  const code = await admin('POST', '/documents', { name: 'Gears', kind: 'code' });
  await admin('PUT', `/versions/${code.drafts[0].id}/code`, {
    repoUrl: 'https://example.com/gears.git',
    ref: 'main',
    path: 'spur',
  });
  const hook = await admin('POST', '/webhooks', {
    url: 'https://example.com/hook',
    name: 'Board',
    types: ['document.changed', 'version.released'],
  });
  await admin('PATCH', `/webhooks/${hook.id}`, { types: ['document.changed', 'job.cancel_asked'] });
  await admin('POST', `/webhooks/${hook.id}/secret`);
}
