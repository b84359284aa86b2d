// The dashboard and the rules against a real Prometheus that scrapes a running service with work in it: every query is answered, every panel has data, no rule
// fails or fires. Without prometheus (apt-get install prometheus) nothing here is run, and vitest says so.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { client } from '../../test/support/client.ts';
import { type ServiceProcess, startProcess } from '../../test/support/service-process.ts';

type Target = { expr: string };
type Scraped = {
  global: object;
  scrape_configs: { job_name: string; authorization: object; static_configs: object[] }[];
};
type Series = { values: [number, string][] };
const here = (name: string) => join(import.meta.dirname, name);
const { panels } = JSON.parse(readFileSync(here('grafana.json'), 'utf8')) as {
  panels: { title: string; targets?: Target[] }[];
};
const installed = spawnSync('prometheus', ['--version']).status === 0;
if (!installed)
  console.warn(
    'NOT RUN: the dashboard against a real Prometheus, because it is not installed (apt-get install prometheus)',
  );

let folder: string;
let service: ServiceProcess | null = null;
let prometheus: ChildProcess | null = null;
let address = '';
const begun = Date.now() / 1000;

beforeAll(async () => {
  if (!installed) return;
  folder = mkdtempSync(join(tmpdir(), 'pdm-prometheus-'));
  service = await startProcess(join(folder, 'data'), { PDM_SANDBOX_IMPORT: 'limited' });
  address = await startPrometheus(service);
  // a rate is what came between two looks
  await work(service);
  await settled('sum(pdm_jobs_finished_total) >= 4');
  await work(service);
  await settled('sum(pdm_jobs_finished_total) >= 8');
  await wait(1_500);
}, 240_000);
afterAll(async () => {
  if (!installed) return;
  if (prometheus?.exitCode === null && prometheus.kill()) await once(prometheus, 'exit');
  await service?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!installed)('prometheus', () => {
  test('answers every query of the dashboard, and every panel shows something', async () => {
    const empty: string[] = [];
    for (const { title, targets = [] } of panels) {
      const found = await Promise.all(targets.map(({ expr }) => ask(expr)));
      if (targets.length && !found.flat().some(({ values }) => values.some(([, shown]) => shown !== 'NaN')))
        empty.push(title);
    }
    expect(empty).toEqual([]);
  });

  test('evaluates every rule, and a service that is well fires none', async () => {
    const { data } = await (await fetch(`${address}/api/v1/rules`)).json();
    const rules: { name: string; health: string; state: string }[] = data.groups.flatMap(
      ({ rules }: { rules: object[] }) => rules,
    );
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter(({ health, state }) => health !== 'ok' || state === 'firing')).toEqual([]);
  });
});

/** As a panel asks: from the start of the service until now. */
async function ask(expr: string): Promise<Series[]> {
  const query = expr.replaceAll('$__rate_interval', '60s');
  const body = new URLSearchParams({ query, start: String(begun), end: String(Date.now() / 1000), step: '0.5' });
  const { status, error, data } = await (await fetch(`${address}/api/v1/query_range`, { method: 'POST', body })).json();
  expect(status, `${query}: ${error}`).toBe('success');
  return data.result;
}

async function settled(expr: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if ((await ask(expr)).length) return;
    await wait(200);
  }
  throw new Error(`no sample of ${expr}`);
}

/** Models that are converted while others wait, and one that cannot be. */
async function work({ url, token }: ServiceProcess): Promise<void> {
  const api = client(`${url}/api/v1`, token());
  const block = readFileSync(here('../worker-check/block.step'));
  const upload = async (content: Uint8Array | string) => {
    const { body } = await api.post('/documents', { name: 'Block', kind: 'model' });
    expect((await api.upload(body.workspaces[0].draftId, 'source', content, { fileName: 'block.step' })).status).toBe(
      201,
    );
  };
  await Promise.all([block, block, block, 'no model'].map(upload));
}

/** With our own configuration, but for where the service is and how long to wait. */
async function startPrometheus({ ready, url, token }: ServiceProcess): Promise<string> {
  const at: Record<string, string> = {
    'pdm-api': url,
    'pdm-scheduler': /scheduler (http:\/\/[^/]+)/.exec(ready)?.[1] ?? '',
  };
  const config = parse(readFileSync(here('prometheus.yml'), 'utf8')) as Scraped;
  writeFileSync(join(folder, 'token'), token(), { mode: 0o600 });
  const scraped = config.scrape_configs.map((job) => ({
    ...job,
    authorization: { credentials_file: join(folder, 'token') },
    static_configs: [{ targets: [new URL(at[job.job_name] ?? '').host] }],
  }));
  const own = {
    ...config,
    global: { scrape_interval: '500ms', evaluation_interval: '1s' },
    rule_files: [here('alerts.yml')],
    scrape_configs: scraped,
  };
  writeFileSync(join(folder, 'prometheus.yml'), stringify(own));
  const args = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/samples`,
    '--web.listen-address=127.0.0.1:0',
  ];
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  prometheus = child;
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`prometheus ended with ${code}:\n${said}`)));
    // listened to until its end: it ends when nobody does
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
      const port = /Listening on.* address=127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (port && said.includes('ready to receive')) resolve(`http://127.0.0.1:${port}`);
    });
  });
}
