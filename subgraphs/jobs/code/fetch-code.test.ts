// Fetching code from Git repositories, including hostile ones.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GIT_HOST, type GitServer, gitServer, type Repository, repository } from '../../../test/support/git-server.ts';
import { needs } from '../../../test/support/needs.ts';
import type { GitPolicy } from '../../core/domain/jobs/code-location.ts';
import { fetchCode } from './fetch-code.ts';
import { runGit } from './run-git.ts';

let server: GitServer;
let repo: Repository;
let first: string;
const LOOPBACK = async () => ['127.0.0.1'];
const policy = (more: Partial<GitPolicy> = {}): GitPolicy => ({
  hosts: null,
  local: [],
  networks: ['127.0.0.0/8'],
  caFile: server.caFile,
  ...more,
});
const signal = new AbortController().signal;

const openssl = needs('openssl');

beforeAll(async () => {
  if (openssl.isMissing) return;
  server = await gitServer();
  repo = repository(server.root, 'rack');
  first = repo.commit({
    'gen/generator.json': '{}',
    'gen/rack.mjs': 'export default 1;',
    'gen/lib/a.mjs': 'a',
    'other/readme.md': 'x',
  });
  repo.git('tag', 'v1');
});
afterAll(() => server?.close());

const fetched = (ref: string, path = 'gen', more: Partial<Parameters<typeof fetchCode>[1]> = {}, name = 'rack') =>
  fetchCode({ repoUrl: server.url(name), ref, path }, { policy: policy(), signal, resolve: LOOPBACK, ...more });

describe.skipIf(openssl.isMissing)(openssl.title('fetchCode'), () => {
  test.each(['main', 'v1', 'commit'])('fetches the files below the folder by %s', async (ref) => {
    const { commit, files } = await fetched(ref === 'commit' ? first : ref);
    expect(commit).toBe(first);
    expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['generator.json', '{}'],
      ['lib/a.mjs', 'a'],
      ['rack.mjs', 'export default 1;'],
    ]);
  });

  test('fetches folders and files with non-Latin names', async () => {
    const foreign = repository(server.root, 'foreign');
    foreign.commit({ '生成器/棚/generator.json': '{}', '生成器/棚/箱.mjs': 'export default 1;' });
    const { files } = await fetched('main', '生成器/棚', {}, 'foreign');
    expect(files.map(({ path }) => path)).toEqual(['generator.json', '箱.mjs']);
  });

  test('fetches local repositories below an allowed folder, but not through links out of it', async () => {
    const allowed = mkdtempSync(join(tmpdir(), 'pdm-allowed-'));
    const local = repository(allowed, 'own');
    const commit = local.commit({ 'generator.json': '{"a":1}' });
    symlinkSync(repo.folder, join(allowed, 'link'));
    const from = (folder: string) =>
      fetchCode({ repoUrl: folder, ref: 'main', path: '' }, { policy: policy({ local: [allowed] }), signal });
    expect(await from(local.folder)).toMatchObject({ commit, files: [{ path: 'generator.json' }] });
    await expect(from(join(allowed, 'link'))).rejects.toThrow('is not an allowed folder');
    rmSync(allowed, { recursive: true });
  });

  test('signs in with the credentials configured for the host and port only', async () => {
    const secret = repository(server.root, 'private/rack');
    const commit = secret.commit({ 'generator.json': '{}' });
    const file = join(server.root, 'credentials.json');
    const from = (credentials: object) => {
      writeFileSync(file, JSON.stringify(credentials));
      const location = { repoUrl: server.url('private/rack'), ref: 'main', path: '' };
      return fetchCode(location, { policy: policy({ credentialsFile: file }), signal, resolve: LOOPBACK });
    };
    expect((await from({ [`${GIT_HOST}:${server.port}`]: 'me:secret' })).commit).toBe(commit);
    await expect(from({ [GIT_HOST]: 'me:secret' })).rejects.toThrow();
    const refused = await from({ [`${GIT_HOST}:${server.port}`]: 'me:wrong' }).catch((error: Error) => error.message);
    expect(refused).not.toMatch(/wrong|bWU6/);
  });

  test('deletes its temporary files', async () => {
    const temporaryFolders = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith('pdm-git-') && !name.startsWith('pdm-git-server-'));
    const before = temporaryFolders();
    await fetched('main');
    await expect(fetched('nowhere')).rejects.toThrow();
    expect(temporaryFolders()).toEqual(before);
  });
});

describe.skipIf(openssl.isMissing)(openssl.title('fetchCode rejects'), () => {
  test('unknown refs, folders and repositories', async () => {
    await expect(fetched('nowhere')).rejects.toThrow('the repository has no branch or tag "nowhere"');
    await expect(fetched('main', 'nowhere')).rejects.toThrow('there is no folder "nowhere"');
    await expect(fetched('main', '', {}, 'absent')).rejects.toThrow();
    await expect(fetched('0'.repeat(40))).rejects.toThrow();
  });

  test('redirects', async () => {
    await expect(
      fetchCode(
        { repoUrl: server.url('moved/rack'), ref: 'main', path: '' },
        { policy: policy(), signal, resolve: LOOPBACK },
      ),
    ).rejects.toThrow(/302|redirect/);
  });

  test('a host with an address that is not allowed, before connecting', async () => {
    const requestsBefore = server.requests.length;
    const mixed = async () => ['93.184.216.34', '127.0.0.1'];
    await expect(fetched('main', '', { policy: policy({ networks: [] }), resolve: mixed })).rejects.toThrow(
      `${GIT_HOST} resolves to 127.0.0.1`,
    );
    expect(server.requests.length).toBe(requestsBefore);
  });

  test('untrusted certificates', async () => {
    await expect(fetched('main', '', { policy: policy({ caFile: null }) })).rejects.toThrow(/certificate/i);
  });

  test('a server that does not respond in time', async () => {
    const slow = { repoUrl: server.url('slow/rack'), ref: 'main', path: '' };
    await expect(
      fetchCode(slow, { policy: policy(), signal: AbortSignal.timeout(300), resolve: LOOPBACK }),
    ).rejects.toThrow('the fetch timed out');
  });

  test('links, submodules and large files, but only below the folder', async () => {
    const hostile = repository(server.root, 'hostile');
    hostile.commit({
      'good/generator.json': '{}',
      'large/file': Buffer.alloc(6 * 2 ** 20, 7),
      'link/generator.json': '{}',
      'module/x': 'x',
    });
    symlinkSync('/etc/passwd', join(hostile.folder, 'link/passwd'));
    hostile.git('update-index', '--add', '--cacheinfo', `160000,${first},module/sub`);
    mkdirSync(join(hostile.folder, 'module/sub'), { recursive: true });
    hostile.git('add', 'link');
    hostile.git('commit', '-q', '-m', 'hostile');
    const from = (path: string) => fetched('main', path, {}, 'hostile');
    expect((await from('good')).files).toHaveLength(1);
    await expect(from('link')).rejects.toThrow('passwd is a symbolic link');
    await expect(from('module')).rejects.toThrow('sub is a submodule');
    await expect(from('large')).rejects.toThrow('file is larger than 5 MiB');
  });
});

test.skipIf(openssl.isMissing)(
  openssl.title('never treats untrusted arguments as options, commands or other protocols'),
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdm-canary-'));
    const canary = join(folder, 'canary');
    const commands = [
      `touch ${canary}`,
      `$(touch ${canary})`,
      `\`touch ${canary}\``,
      `;touch ${canary};`,
      `|touch ${canary}`,
    ];
    const options = [
      '--upload-pack=',
      '--exec=',
      '-u',
      '--output=',
      '-o',
      '--config-env=',
      '-c core.fsmonitor=',
      '--receive-pack=',
      '--server-option=',
      '--template=',
    ];
    const urls = [
      'ext::sh -c ',
      'fd::',
      'ssh://-oProxyCommand=',
      'git://-oProxyCommand=',
      'ext::',
      'file://',
      'https::ext::',
      'http://x/',
    ];
    const hostile = commands.flatMap((command) =>
      [...options, ...urls].flatMap((before) => [before + command, `${before}${command.replaceAll(' ', '\t')}`]),
    );
    const more = [
      '--',
      '-',
      '@{-1}',
      ':(exclude)*',
      ':/x',
      'a..b',
      '\0',
      '../../..',
      'HEAD:x',
      '^HEAD',
      '+x',
      'refs/heads/*:refs/*',
      '-h',
      '--help',
      '--version',
      '--git-dir=/',
      '@',
      '~',
      '*',
      '?',
    ];
    const args = [...hostile, ...more];
    expect(args.length).toBeGreaterThanOrEqual(200);
    // The git commands that take untrusted arguments, as fetchCode runs them, without its validation.
    let ended = 0;
    const run = async (argument: string, index: number) => {
      const steps = [
        ['ls-remote', '--end-of-options', argument, 'refs/heads/main'],
        ['-C', repo.folder, 'ls-tree', '-r', '-z', '--full-tree', '--end-of-options', `HEAD:${argument}`],
        ['-C', repo.folder, 'rev-parse', '--verify', '--end-of-options', `${argument}^{commit}`],
        ['-C', repo.folder, 'fetch', '-q', '--end-of-options', repo.folder, `+${argument}:refs/pdm/y`],
      ];
      const step = steps[index % steps.length]!;
      await runGit(step, { access: { protocol: 'none' }, signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
      ended++;
    };
    for (let at = 0; at < args.length; at += 8)
      await Promise.all(args.slice(at, at + 8).map((argument, i) => run(argument, at + i)));
    expect(ended).toBe(args.length);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  },
);
