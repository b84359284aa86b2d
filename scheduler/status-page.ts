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
<p>Version ${escapeHtml(status.version)}, up for ${status.uptimeSeconds} s. The API at ${escapeHtml(api.url)} is ${describeConnectivity(api)}.
${describeDispatch(nats)} Jobs of all schedulers: ${queueLink(api.url)}.</p>
<h2>Engines</h2>${engines.map(renderEngine).join('')}
<h2>Running jobs</h2>${running.length ? renderJobTable(running) : '<p>None.</p>'}
</body></html>`;
}

function renderEngine(engine: SchedulerStatus['engines'][number]): string {
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
${renderTable(['Slot', 'Process', 'State', 'Restarts', 'Last error'], rows)}`;
}

function renderJobTable(running: SchedulerStatus['running']): string {
  const rows = running.map(({ jobId, type, attempt, since, leaseUntil, progress: { percent, step } }) => [
    jobId,
    type,
    attempt,
    formatTime(since),
    formatTime(leaseUntil),
    percent === null ? '–' : `${Math.round(percent)} % ${step ?? ''}`,
  ]);
  return renderTable(['Job', 'Type', 'Attempt', 'Started', 'Lease expires', 'Progress'], rows);
}

function describeConnectivity({ reachable, since, lastError }: Connectivity): string {
  const state = reachable ? 'reachable' : `unreachable (${escapeHtml(lastError ?? 'no request yet')})`;
  return `${state} since ${formatTime(since)}`;
}

function describeDispatch(nats: Connectivity | null): string {
  if (!nats) return 'Jobs are claimed by long polling.';
  return `NATS is ${describeConnectivity(nats)}${nats.reachable ? '' : '; jobs are claimed by long polling'}.`;
}

// The web app has the same origin as the REST API.
function queueLink(apiUrl: string): string {
  return `<a href="${escapeHtml(apiUrl.replace(/\/api\/v1\/?$/, '/jobs'))}">jobs and queue</a>`;
}

function describeSandbox({ mode, works, reason, groupLimits }: SandboxState): string {
  if (mode === 'trusted') return 'without a sandbox (PDM_SANDBOX=trusted)';
  if (works === null) return 'checking the sandbox';
  if (!works) return `disabled; ${reason}`;
  const location = mode === 'container' ? 'in a container' : 'in a strict sandbox';
  return `${location}, ${groupLimits ? 'with' : 'without'} group limits`;
}

function renderTable(head: string[], rows: (string | number)[][]): string {
  const cells = (tag: string, row: (string | number)[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(String(cell))}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>`;
}

function formatTime(date: Date): string {
  return date.toISOString().replace('T', ' ').slice(0, 19);
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
