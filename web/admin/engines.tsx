// The status of the scheduler and the queue.
import { useEffect, useState } from 'preact/hooks';
import { readJson } from '../shell/api-client.ts';
import { urlFor } from '../shell/router.ts';
import { asError } from '../ui/errors.ts';
import { formatDuration } from '../ui/format.ts';
import { ErrorMessage, Loading, ProgressBar } from '../ui/status.tsx';
import { QueuePlot } from './queue-plot.tsx';

type Slot = { pid: number | null; busy: boolean; restarts: number; lastError: string | { message?: string } | null };
type Engine = {
  name: string;
  version: string;
  state: string;
  types: string[];
  isolation: string;
  slots: Slot[];
  sandbox?: { mode: string; works: boolean | null; reason: string | null };
};
type RunningJob = {
  jobId: string;
  type: string;
  attempt: number;
  since: string;
  progress: { percent: number; step: string } | null;
};
type Scheduler = {
  version: string;
  workerId: string;
  uptimeSeconds: number;
  mode: string;
  draining: boolean;
  engines: Engine[];
  running: RunningJob[];
};
export type History = {
  everySeconds: number;
  /** The Unix times of the samples in seconds; the other arrays have one value per sample. */
  at: number[];
  waiting: Record<string, number[]>;
  running: number[];
  oldestWaitSeconds: number[];
};
type Status = { scheduler: Scheduler | null; schedulerError: string | null; history: History };

const POLL_MS = 5_000;

/** The queue of the last six hours, and the engines and running jobs of the scheduler of this service. */
export function Engines() {
  const [status, setStatus] = useState<Status | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const readStatus = () =>
      readJson<Status>('/scheduler/status', controller.signal).then(
        (newStatus) => {
          setStatus(newStatus);
          setError(null);
        },
        (reason: unknown) => {
          if (!controller.signal.aborted) setError(asError(reason));
        },
      );
    void readStatus();
    const timer = setInterval(readStatus, POLL_MS);
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, []);
  return (
    <section aria-label="Engines and queues">
      <h1>Engines and queues</h1>
      {error && <ErrorMessage error={error} />}
      {status ? (
        <>
          <QueuePlot history={status.history} />
          {status.schedulerError && <p class="mark warn">{status.schedulerError}</p>}
          {status.scheduler && <SchedulerStatus scheduler={status.scheduler} />}
        </>
      ) : (
        !error && <Loading />
      )}
    </section>
  );
}

function SchedulerStatus({
  scheduler: { version, workerId, uptimeSeconds, mode, draining, engines, running },
}: {
  scheduler: Scheduler;
}) {
  return (
    <>
      <p class="quiet">
        Scheduler {version}, {workerId}, up for {formatDuration(uptimeSeconds)},{' '}
        {mode === 'nats' ? 'notified via NATS' : 'polling for jobs'}
        {draining && <span class="mark warn">stopping</span>}
      </p>
      <div class="engines">
        {engines.map((engine) => (
          <EngineCard key={engine.name} engine={engine} />
        ))}
      </div>
      <h2>Running now</h2>
      {running.length === 0 && <p class="quiet">No jobs running.</p>}
      {running.map(({ jobId, type, progress }) => (
        <div key={jobId} class="card">
          <a href={urlFor.job(jobId)}>{type}</a> <small>{progress?.step}</small>
          <ProgressBar value={progress ? progress.percent / 100 : undefined} label={progress?.step ?? type} />
        </div>
      ))}
    </>
  );
}

function sandboxText(isolation: string, sandbox: Engine['sandbox']): string {
  if (!sandbox) return `${isolation} (files)`;
  const reason = sandbox.reason ? `; ${sandbox.reason}` : '';
  if (sandbox.mode === isolation) return `${isolation} (files and generators)${reason}`;
  return `${isolation} (files), ${sandbox.mode} (generators)${reason}`;
}

function EngineCard({ engine: { name, version, state, types, isolation, slots, sandbox } }: { engine: Engine }) {
  const busy = slots.filter((slot) => slot.busy).length;
  const errors = slots.flatMap(({ lastError }) =>
    lastError === null ? [] : [typeof lastError === 'string' ? lastError : (lastError.message ?? '')],
  );
  const restarts = slots.reduce((sum, slot) => sum + slot.restarts, 0);
  return (
    <div class="card stack">
      <div class="row">
        <h2 class="grow">
          {name} {version}
        </h2>
        <span class={`mark ${state === 'ready' ? 'good' : 'warn'}`}>{state}</span>
      </div>
      <div>
        <ProgressBar value={slots.length ? busy / slots.length : 0} label={`${busy} of ${slots.length} slots busy`} />
        <small>
          {busy} of {slots.length} slots busy
          {restarts ? `, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}` : ''}
        </small>
      </div>
      <small>
        Job types: {types.join(', ')}. Sandbox: {sandboxText(isolation, sandbox)}.
      </small>
      {errors.map((message) => (
        <p key={message} class="problem">
          <span>{message}</span>
        </p>
      ))}
    </div>
  );
}
