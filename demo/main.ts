// npm run demo: creates a machine in a running service. It reads PDM_URL and PDM_TOKEN, or PDM_PORT, PDM_DATA_DIR,
// PDM_GIT_ALLOWED_FOLDERS and PDM_BOOTSTRAP_TOKEN (or PDM_BOOTSTRAP_TOKEN_FILE) like the service.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createApi } from './api.ts';
import { conveyor } from './machine/conveyor.ts';
import { runDemo } from './run-demo.ts';

const {
  PDM_PORT = '8080',
  PDM_URL = `http://127.0.0.1:${PDM_PORT}`,
  PDM_DATA_DIR = 'data',
  PDM_GIT_ALLOWED_FOLDERS = resolve(PDM_DATA_DIR, 'repositories'),
  PDM_TOKEN,
  PDM_BOOTSTRAP_TOKEN,
  PDM_BOOTSTRAP_TOKEN_FILE,
} = process.env;
// workers and scripts may set the URL with /api/v1
const url = PDM_URL.replace(/\/(api\/v1\/?)?$/, '');

try {
  await assertReachable(url);
  const api = createApi(url, readToken());
  const started = Date.now();
  const [repositories] = PDM_GIT_ALLOWED_FOLDERS.split(',') as [string];
  const { machine, folders } = await runDemo(api, conveyor, { repositories: repositories.trim() }, console.log);
  const seconds = Math.round((Date.now() - started) / 1000);
  const command = `curl -H "Authorization: Bearer $TOKEN" ${api.address}/documents/${machine.number}`;
  console.log(
    `\nDone after ${seconds} s. Open ${machine.number} in the folder "${folders.root.name}" at ${url}/ or run: ${command}`,
  );
} catch (error) {
  console.error(`The demo failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

function readToken(): string {
  const file = join(PDM_DATA_DIR, 'first-token');
  if (PDM_TOKEN) return PDM_TOKEN;
  if (PDM_BOOTSTRAP_TOKEN_FILE) return readFileSync(PDM_BOOTSTRAP_TOKEN_FILE, 'utf8').trim();
  if (PDM_BOOTSTRAP_TOKEN) return PDM_BOOTSTRAP_TOKEN;
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new Error('no token found: set PDM_TOKEN to your token, which the page shows after the first sign-in');
}

async function assertReachable(url: string): Promise<void> {
  await fetch(`${url}/api/v1/health`).catch(() => {
    throw new Error(
      `cannot connect to ${url}. Start the service with npm start in another terminal, or set PDM_URL to its address.`,
    );
  });
}
