import type { Reach } from '../subgraphs/core/dispatch.ts';
import type { SandboxState } from './engines/engine.ts';
import type { SchedulerStatus } from './status.ts';

/** The status as a page for a person; it loads itself again every 5 s. */
export function statusPage(status: SchedulerStatus): string {
  const { api, nats, engines, running } = status;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Scheduler</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd}th{font-weight:600}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}th,td{border-color:#333}}</style></head>
<body><h1>Scheduler${status.draining ? ' (draining)' : ''}</h1>
<p>Version ${text(status.version)}, up for ${status.uptimeSeconds} s. The API at ${text(api.url)} ${stands(api)}. ${
    nats
      ? `NATS ${stands(nats)}${nats.reachable ? '' : '; jobs are found by looking'}.`
      : 'It hears of jobs by waiting at the API.'
  } What waits for all schedulers is told by the API: ${queueLink(api.url)}.</p>
<h2>Engines</h2>${engines
    .map(
      ({ name, version, types, isolation, sandbox, state, slots }) => `
<p><b>${text(name)} ${text(version)}</b>: ${state}; ${text(types.join(', '))}; isolation ${isolation}${sandbox ? `; generators: ${text(sandboxIn(sandbox))}` : ''}</p>
${table(
  ['Slot', 'Process', 'State', 'Restarts', 'Last error'],
  slots.map((slot, index) => [
    index + 1,
    slot.pid ?? '–',
    slot.busy ? 'busy' : 'free',
    slot.restarts,
    slot.lastError ?? '–',
  ]),
)}`,
    )
    .join('')}
<h2>Running jobs</h2>${
    running.length
      ? table(
          ['Job', 'Type', 'Attempt', 'Since', 'Lease until', 'Progress'],
          running.map(({ jobId, type, attempt, since, leaseUntil, progress }) => [
            jobId,
            type,
            attempt,
            time(since),
            time(leaseUntil),
            progress.percent === null ? '–' : `${Math.round(progress.percent)} % ${progress.step ?? ''}`,
          ]),
        )
      : '<p>None.</p>'
  }
</body></html>`;
}

function stands({ reachable, since, lastError }: Reach): string {
  return `${reachable ? 'answers' : `does not answer (${text(lastError ?? 'not tried yet')})`} since ${time(since)}`;
}

// the page of the service, which stands beside its REST
function queueLink(apiUrl: string): string {
  return `<a href="${text(apiUrl.replace(/\/api\/v1\/?$/, '/jobs'))}">jobs and queue</a>`;
}

function sandboxIn({ mode, holds, reason, groupLimits }: SandboxState): string {
  if (mode === 'trusted') return 'without a sandbox (PDM_SANDBOX=trusted)';
  if (holds)
    return `${mode === 'container' ? 'in a container' : 'in a strict sandbox'}, ${groupLimits ? 'limited' : 'not limited'} as a group`;
  return holds === null ? 'the sandbox is being tried' : `not run; ${reason}`;
}

function table(head: string[], rows: (string | number)[][]): string {
  const cells = (tag: string, row: (string | number)[]) =>
    `<tr>${row.map((cell) => `<${tag}>${text(String(cell))}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>`;
}

function time(date: Date): string {
  return date.toISOString().replace('T', ' ').slice(0, 19);
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
