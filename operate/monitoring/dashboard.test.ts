// Tests dashboard and alert rules with Prometheus and a running service: every panel has data, and no rule fails or fires.
// Skipped if Prometheus is not installed (apt-get install prometheus).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { client } from '../../test/support/client.ts';
import { needs } from '../../test/support/needs.ts';
import { type ServiceProcess, startProcess } from '../../test/support/service-process.ts';

type Target = { expr: string };
type Config = {
  global: object;
  scrape_configs: { job_name: string; authorization: object; static_configs: object[] }[];
};
type Series = { values: [number, string][] };
const here = (name: string) => join(import.meta.dirname, name);
const { panels } = JSON.parse(readFileSync(here('grafana.json'), 'utf8')) as {
  panels: { title: string; targets?: Target[] }[];
};
const program = needs('prometheus');

let folder: string;
let service: ServiceProcess | null = null;
let prometheus: ChildProcess | null = null;
let address = '';
const startSeconds = Date.now() / 1000;

beforeAll(async () => {
  if (program.isMissing) return;
  folder = mkdtempSync(join(tmpdir(), 'pdm-prometheus-'));
  const settings = { PDM_SANDBOX_IMPORT: 'limited', PDM_OFB_WORKER: 'external' };
  service = await startProcess(join(folder, 'data'), settings);
  address = await startPrometheus(service);
  await createWaitingJob(service);
  await waitForSample('pdm_jobs_waiting > 0');
  // Rates require samples from before and after an increase.
  await createJobs(service);
  await waitForSample('sum(pdm_jobs_finished_total) >= 4');
  await createJobs(service);
  await waitForSample('sum(pdm_jobs_finished_total) >= 8');
  await waitForSample('sum(rate(pdm_jobs_finished_total[1m])) > 0');
  while ((await rules()).some(({ health }) => health === 'unknown')) await wait(200);
}, 240_000);
afterAll(async () => {
  if (program.isMissing) return;
  if (prometheus?.exitCode === null && prometheus.kill()) await once(prometheus, 'exit');
  await service?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(program.isMissing)(program.title('prometheus'), () => {
  test('returns data for every panel of the dashboard', async () => {
    const empty: string[] = [];
    for (const { title, targets = [] } of panels) {
      const found = await Promise.all(targets.map(({ expr }) => queryRange(expr)));
      if (targets.length && !found.flat().some(({ values }) => values.some(([, value]) => value !== 'NaN')))
        empty.push(title);
    }
    expect(empty).toEqual([]);
  });

  test('evaluates every rule without firing for a healthy service', async () => {
    const evaluated = await rules();
    expect(evaluated.length).toBeGreaterThan(10);
    expect(evaluated.filter(({ health, state }) => health !== 'ok' || state === 'firing')).toEqual([]);
  });
});

async function rules(): Promise<{ name: string; health: string; state: string }[]> {
  const { data } = await (await fetch(`${address}/api/v1/rules`)).json();
  return data.groups.flatMap(({ rules }: { rules: object[] }) => rules);
}

/** Queries like a panel, from the start of the service until now. */
async function queryRange(expr: string): Promise<Series[]> {
  const query = expr.replaceAll('$__rate_interval', '60s');
  const body = new URLSearchParams({ query, start: String(startSeconds), end: String(Date.now() / 1000), step: '0.5' });
  const { status, error, data } = await (await fetch(`${address}/api/v1/query_range`, { method: 'POST', body })).json();
  expect(status, `${query}: ${error}`).toBe('success');
  return data.result;
}

async function waitForSample(expr: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if ((await queryRange(expr)).length) return;
    await wait(200);
  }
  throw new Error(`no sample of ${expr}`);
}

/** Uploads three models that convert and one that fails. */
async function createJobs({ url, token }: ServiceProcess): Promise<void> {
  const api = client(`${url}/api/v1`, token());
  const block = readFileSync(here('../worker-check/block.step'));
  const upload = async (content: Uint8Array | string) => {
    const { body } = await api.post('/documents', { name: 'Block', kind: 'model' });
    expect((await api.upload(body.workspaces[0].draftId, 'source', content, { fileName: 'block.step' })).status).toBe(
      201,
    );
  };
  await Promise.all([block, block, block, 'not a model'].map(upload));
}

/** Requests an export that the built-in engine does not serve, so that a job waits whenever Prometheus looks. */
async function createWaitingJob({ url, token }: ServiceProcess): Promise<void> {
  const api = client(`${url}/api/v1`, token());
  const part = (await api.post('/documents', { name: 'Block', kind: 'model' })).body;
  const frame = (await api.post('/documents', { name: 'Frame', kind: 'assembly' })).body.drafts[0].id;
  const block = readFileSync(here('../worker-check/block.step'));
  expect((await api.upload(part.drafts[0].id, 'source', block, { fileName: 'block.step' })).status).toBe(201);
  const content = { templates: [{ ident: 'p', reference: { location: `pdm://documents/${part.id}` } }] };
  expect((await api.upload(frame, 'asm-json', JSON.stringify(content), { fileName: 'frame.asm.json' })).status).toBe(
    201,
  );
  expect((await api.post(`/versions/${frame}/exports`, { format: 'OFB' })).status).toBe(202);
}

/** Starts Prometheus with our configuration, except for targets and intervals. */
async function startPrometheus({ ready, url, token }: ServiceProcess): Promise<string> {
  const urls: Record<string, string> = {
    'pdm-api': url,
    'pdm-scheduler': /scheduler (http:\/\/[^/]+)/.exec(ready)?.[1] ?? '',
  };
  const config = parse(readFileSync(here('prometheus.yml'), 'utf8')) as Config;
  writeFileSync(join(folder, 'token'), token(), { mode: 0o600 });
  const scrapeConfigs = config.scrape_configs.map((job) => ({
    ...job,
    authorization: { credentials_file: join(folder, 'token') },
    static_configs: [{ targets: [new URL(urls[job.job_name] ?? '').host] }],
  }));
  const testConfig = {
    ...config,
    global: { scrape_interval: '500ms', evaluation_interval: '1s' },
    rule_files: [here('alerts.yml')],
    scrape_configs: scrapeConfigs,
  };
  writeFileSync(join(folder, 'prometheus.yml'), stringify(testConfig));
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/samples`,
    '--web.listen-address=127.0.0.1:0',
  ];
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  prometheus = child;
  let stderr = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`prometheus exited with ${code}:\n${stderr}`)));
    // Prometheus exits if its stderr is closed.
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
      const port = /Listening on.* address=127\.0\.0\.1:(\d+)/.exec(stderr)?.[1];
      if (port && stderr.includes('ready to receive')) resolve(`http://127.0.0.1:${port}`);
    });
  });
}
