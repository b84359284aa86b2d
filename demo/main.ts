// npm run demo: runs the demo against a running service. It reads PDM_URL and PDM_TOKEN, or PDM_PORT, PDM_DATA_DIR and
// PDM_BOOTSTRAP_TOKEN (or PDM_BOOTSTRAP_TOKEN_FILE) like the service.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from './api.ts';
import { findStepFolder, loadDemoFiles } from './files.ts';
import { runDemo } from './run-demo.ts';

const {
  PDM_PORT = '8080',
  PDM_URL = `http://127.0.0.1:${PDM_PORT}`,
  PDM_DATA_DIR = 'data',
  PDM_TOKEN,
  PDM_BOOTSTRAP_TOKEN,
  PDM_BOOTSTRAP_TOKEN_FILE,
  PDM_STEP_DIR,
} = process.env;
// workers and scripts may set the URL with /api/v1
const url = PDM_URL.replace(/\/(api\/v1\/?)?$/, '');

try {
  const api = createApi(url, readToken());
  await assertReachable(url);
  const folder = findStepFolder(PDM_STEP_DIR);
  if (!folder) console.log('PDM_STEP_DIR does not contain the demo files; the demo models a bracket instead.');
  const { document } = await runDemo(api, await loadDemoFiles(folder), console.log);
  const command = `curl -H "Authorization: Bearer $TOKEN" ${api.address}/documents/${document.number}`;
  console.log(`\nDone. Open ${document.number} at ${url}/ or run: ${command}`);
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
  throw new Error('no token found: set PDM_TOKEN to your token');
}

async function assertReachable(url: string): Promise<void> {
  await fetch(`${url}/api/v1/health`).catch(() => {
    throw new Error(
      `cannot connect to ${url}. Start the service with npm start in another terminal, or set PDM_URL to its address.`,
    );
  });
}
