// Repositories and a real git server (smart HTTP over TLS) for tests that fetch code.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const GIT_HOST = 'git.example.test';

export type Repository = {
  folder: string;
  /** Commits these files (null deletes one) on the branch `main`; returns the commit. */
  commit(files: Record<string, string | Buffer | null>): string;
  /** Runs git in the repository. */
  git(...args: string[]): string;
};

/** Creates a repository with a working tree in a new folder below `root`. */
export function repository(root: string, name: string): Repository {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', folder, '-c', 'user.name=T', '-c', 'user.email=t@example.test', '-c', 'commit.gpgsign=false', ...args],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'uploadpack.allowFilter', 'true');
  return {
    folder,
    git,
    commit(files) {
      for (const [path, content] of Object.entries(files)) {
        const target = join(folder, path);
        mkdirSync(dirname(target), { recursive: true });
        if (content === null) rmSync(target);
        else writeFileSync(target, content);
      }
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'change');
      return git('rev-parse', 'HEAD');
    },
  };
}

/**
 * Blocks the next fetch from a repository at its start; resolves when a fetch is blocked, with a function that releases
 * it.
 */
export async function blockNextFetch({ folder }: Repository): Promise<() => Promise<void>> {
  const [head, original] = [join(folder, '.git', 'HEAD'), join(folder, '.git', 'HEAD.kept')];
  renameSync(head, original);
  execFileSync('mkfifo', [head]);
  const file = await open(head, 'w'); // resolves when both ends have opened the pipe
  const text = readFileSync(original);
  renameSync(original, head);
  return async () => {
    await file.write(text);
    await file.close();
  };
}

export type GitServer = {
  root: string;
  port: number;
  caFile: string;
  /** The https address of a repository below `root`. */
  url(name: string): string;
  /** The received requests, oldest first: `GET /rack/info/refs`. */
  requests: string[];
  close(): Promise<void>;
};

/**
 * Serves every repository below a fresh folder as `https://git.example.test:<port>/<name>/.git`; `/moved/…` redirects,
 * `/slow/…` never responds, `/private/…` requires me:secret.
 */
export async function gitServer(): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), 'pdm-git-server-'));
  const [key, caFile] = [join(root, 'key.pem'), join(root, 'cert.pem')];
  const subject = ['-subj', `/CN=${GIT_HOST}`, '-addext', `subjectAltName=DNS:${GIT_HOST},IP:127.0.0.1`];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      caFile,
      ...subject,
    ],
    { stdio: 'ignore' },
  );
  const requests: string[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(caFile) }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://x');
    requests.push(`${request.method} ${pathname}`);
    if (pathname.startsWith('/slow/')) return;
    const signedIn = request.headers.authorization === `Basic ${Buffer.from('me:secret').toString('base64')}`;
    if (pathname.startsWith('/private/') && !signedIn) response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    else if (pathname.startsWith('/moved/'))
      response.writeHead(302, { location: request.url?.replace('/moved/', '/') }).end();
    else backend(root, request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    root,
    port,
    caFile,
    requests,
    url: (name) => `https://${GIT_HOST}:${port}/${name}/.git`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function backend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'https://x');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_ADDR: '127.0.0.1',
    },
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const headers = Object.fromEntries(
      answer
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string]),
    );
    const { Status: status = '200', ...rest } = headers;
    response.writeHead(Number.parseInt(status, 10), rest).end(answer.subarray(end + 4));
  });
}
