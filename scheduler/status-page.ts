import type { Connectivity } from '../subgraphs/core/platform/dispatch.ts';
import type { SandboxState } from './engines/engine.ts';
import type { SchedulerStatus } from './status.ts';

/** Renders the status as an HTML page that reloads every 5 s. */
export function renderStatusPage(status: SchedulerStatus): string {
  const { api, nats, engines, running } = status;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Scheduler</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd}th{font-weight:600}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}th,td{border-color:#333}}</style></head>
<body><h1>Scheduler${status.draining ? ' (draining)' : ''}</h1>
<p>Version ${escapeHtml(status.version)}, up for ${status.uptimeSeconds} s. The API at ${escapeHtml(api.url)} is ${describe(api)}.
${describeDispatch(nats)} Jobs of all schedulers: ${queueLink(api.url)}.</p>
<h2>Engines</h2>${engines.map(engineSection).join('')}
<h2>Running jobs</h2>${running.length ? jobTable(running) : '<p>None.</p>'}
</body></html>`;
}

function engineSection(engine: SchedulerStatus['engines'][number]): string {
  const { name, version, types, isolation, sandbox, state, slots } = engine;
  const generators = sandbox ? `; generators: ${escapeHtml(describeSandbox(sandbox))}` : '';
  const rows = slots.map(({ pid, busy, restarts, lastError }, index) => [
    index + 1,
    pid ?? '–',
    busy ? 'busy' : 'free',
    restarts,
    lastError ?? '–',
  ]);
  return `
<p><b>${escapeHtml(name)} ${escapeHtml(version)}</b>: ${state}; ${escapeHtml(types.join(', '))}; isolation ${isolation}${generators}</p>
${table(['Slot', 'Process', 'State', 'Restarts', 'Last error'], rows)}`;
}

function jobTable(running: SchedulerStatus['running']): string {
  const rows = running.map(({ jobId, type, attempt, since, leaseUntil, progress: { percent, step } }) => [
    jobId,
    type,
    attempt,
    time(since),
    time(leaseUntil),
    percent === null ? '–' : `${Math.round(percent)} % ${step ?? ''}`,
  ]);
  return table(['Job', 'Type', 'Attempt', 'Started', 'Lease expires', 'Progress'], rows);
}

function describe({ reachable, since, lastError }: Connectivity): string {
  const state = reachable ? 'reachable' : `unreachable (${escapeHtml(lastError ?? 'no request yet')})`;
  return `${state} since ${time(since)}`;
}

function describeDispatch(nats: Connectivity | null): string {
  if (!nats) return 'Jobs are claimed by long polling.';
  return `NATS is ${describe(nats)}${nats.reachable ? '' : '; jobs are claimed by polling'}.`;
}

// The web page of the service is next to its REST API.
function queueLink(apiUrl: string): string {
  return `<a href="${escapeHtml(apiUrl.replace(/\/api\/v1\/?$/, '/jobs'))}">jobs and queue</a>`;
}

function describeSandbox({ mode, holds, reason, groupLimits }: SandboxState): string {
  if (mode === 'trusted') return 'without a sandbox (PDM_SANDBOX=trusted)';
  if (holds === null) return 'checking the sandbox';
  if (!holds) return `disabled; ${reason}`;
  const place = mode === 'container' ? 'in a container' : 'in a strict sandbox';
  return `${place}, ${groupLimits ? 'with' : 'without'} group limits`;
}

function table(head: string[], rows: (string | number)[][]): string {
  const cells = (tag: string, row: (string | number)[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(String(cell))}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>`;
}

function time(date: Date): string {
  return date.toISOString().replace('T', ' ').slice(0, 19);
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
