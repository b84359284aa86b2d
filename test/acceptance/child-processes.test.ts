// The environment of every process that a running service starts, read from /proc.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { blockNextFetch, repository } from '../support/git-server.ts';
import { needs } from '../support/needs.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const linux = needs('Linux');

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pdm-children-')));
const repo = repository(folder, 'rack');
const MANIFEST = '{"name": "rack", "version": "1.0.0", "entry": "rack.mjs", "params": {"type": "object"}}';
const credentials = join(folder, 'git-credentials.json');
const token = (prefix: string) => `pdm_${prefix}_${prefix.repeat(5)}`;
const SECRETS = {
  PDM_BOOTSTRAP_TOKEN: token('bootstrp'),
  PDM_WORKER_TOKEN: token('workerto'),
  PDM_CHECKPOINT_URL: 'http://user:checkpoint-secret@127.0.0.1:9/',
  PDM_GIT_CREDENTIALS_FILE: credentials,
  // a credential of another program in the same environment
  REGISTRY_PASSWORD: 'registry-secret',
};
let service: ServiceProcess;
beforeAll(async () => {
  writeFileSync(credentials, '{"git.example.com": "user:git-secret"}');
  repo.commit({ 'generator.json': MANIFEST, 'rack.mjs': 'export default () => [];' });
  service = await startProcess(join(folder, 'data'), {
    ...SECRETS,
    MONGODB_URL: '',
    PDM_LOG_LEVEL: 'fatal',
    PDM_SANDBOX_IMPORT: 'limited',
    PDM_GIT_ALLOWED_FOLDERS: folder,
  });
});
afterAll(async () => {
  await service.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

const read = (pid: string, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // the process has ended
  }
};

/** The command lines and environments of all processes below this one. */
function descendants(pid: number): { command: string; environment: string }[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(
      (name) =>
        [
          name,
          Number(
            read(name, 'stat')
              .replace(/^.*\) /s, '')
              .split(' ')[1],
          ),
        ] as const,
    );
  const below = (parent: number): string[] =>
    parents.flatMap(([name, of]) => (of === parent ? [name, ...below(Number(name))] : []));
  return below(pid).map((name) => ({
    command: read(name, 'cmdline').replaceAll('\0', ' '),
    environment: read(name, 'environ'),
  }));
}

const PROCESSES = {
  store: /embedded\/process\/main\.ts/,
  scheduler: /scheduler\/main\.ts/,
  engine: /engines\/occt\/process\/child\.ts/,
  git: /git .*fetch/,
  ...(needs('nats-server').isMissing ? {} : { nats: /nats-server/ }),
};

test.skipIf(linux.isMissing)(linux.title('gives no child process a secret that it does not need'), async () => {
  const admin = client(`${service.url}/api/v1`, SECRETS.PDM_BOOTSTRAP_TOKEN);
  const draftOf = async (kind: string) =>
    (await admin.post('/documents', { name: kind, kind })).body.workspaces[0].draftId as string;
  // starts the engine, whose process then waits for the next job
  const model = await draftOf('model');
  await admin.upload(model, 'source', 'no STEP file', { fileName: 'x.stp' });
  await expect
    .poll(async () => (await admin.get(`/versions/${model}/jobs`)).body.items[0].status, { timeout: 20_000 })
    .toBe('failed');
  const code = await draftOf('code');
  await admin.put(`/versions/${code}/code`, { repoUrl: join(folder, 'rack'), ref: 'main', path: '' });
  const fetchStarted = blockNextFetch(repo);
  const synced = admin.post(`/versions/${code}/code/sync`);
  const resume = await fetchStarted;
  const children = descendants(service.pid);
  await resume();
  expect((await synced).status).toBe(200);

  const secrets = Object.entries({ ...SECRETS, gitPassword: 'git-secret', data: '"secret"' });
  const found = Object.entries(PROCESSES).map(([name, pattern]) => {
    const matching = children.filter(({ command }) => pattern.test(command));
    const inherited = secrets.filter(([, value]) => matching.some(({ environment }) => environment.includes(value)));
    return [name, matching.length > 0, inherited.map(([secret]) => secret)];
  });
  expect(found).toEqual(
    Object.keys(PROCESSES).map((name) => [name, true, name === 'scheduler' ? ['PDM_WORKER_TOKEN'] : []]),
  );
  // no other process has any
  const others = children.filter(({ command }) => !Object.values(PROCESSES).some((pattern) => pattern.test(command)));
  expect(
    others.filter(({ environment }) => secrets.some(([, value]) => environment.includes(value))).map((o) => o.command),
  ).toEqual([]);
});
