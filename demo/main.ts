// npm run demo: plays the main job against the running service. PDM_URL and PDM_TOKEN point elsewhere; with the settings that the service was started with
// (PDM_PORT, PDM_DATA_DIR) it is found by them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiAt } from './api.ts';
import { demoFiles, stepFolder } from './files.ts';
import { playStory } from './story.ts';

const {
  PDM_PORT = '8080',
  PDM_URL = `http://127.0.0.1:${PDM_PORT}`,
  PDM_DATA_DIR = 'data',
  PDM_TOKEN,
  PDM_STEP_DIR,
} = process.env;
// as workers and scripts may have it, too
const url = PDM_URL.replace(/\/(api\/v1\/?)?$/, '');

try {
  const api = apiAt(url, token());
  await reachable(url);
  const folder = stepFolder(PDM_STEP_DIR);
  if (!folder) console.log('No folder of STEP files (PDM_STEP_DIR): a bracket is modelled here instead.');
  const { document } = await playStory(api, await demoFiles(folder), console.log);
  console.log(
    `\nDone. See ${document.number} on ${url}/ or ask: curl -H "Authorization: Bearer $TOKEN" ${api.address}/documents/${document.number}`,
  );
} catch (error) {
  console.error(`The demo stopped: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

function token(): string {
  const file = join(PDM_DATA_DIR, 'first-token');
  if (PDM_TOKEN) return PDM_TOKEN;
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new Error(`there is no token: set PDM_TOKEN, or run it where ${file} lies`);
}

async function reachable(url: string): Promise<void> {
  await fetch(`${url}/api/v1/health`).catch(() => {
    throw new Error(
      `nothing answers at ${url}. Start the service with npm start, in another terminal; if it runs elsewhere, set PDM_URL to its address.`,
    );
  });
}
