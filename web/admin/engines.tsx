import { useEffect, useState } from 'preact/hooks';
import { addressOf } from '../shell/addresses.ts';
import { readJson } from '../shell/ask.ts';
import { duration } from '../ui/format.ts';
import { Problem, Progress, Waiting } from '../ui/state.tsx';
import { QueuePlot } from './queue-plot.tsx';

type Slot = { pid: number | null; busy: boolean; restarts: number; lastError: string | { message?: string } | null };
type Engine = {
  name: string;
  version: string;
  state: string;
  types: string[];
  isolation: string;
  slots: Slot[];
  sandbox?: { mode: string; holds: boolean | null; reason: string | null };
};
type Running = {
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
  running: Running[];
};
export type History = {
  everySeconds: number;
  at: number[];
  waiting: Record<string, number[]>;
  running: number[];
  oldestWaitSeconds: number[];
};
type Status = { scheduler: Scheduler | null; schedulerError: string | null; history: History };

const LOOK_AGAIN_MS = 5_000;

/** The scheduler beside this service: its engines and what they work on, and how the queue stood in the last six hours. */
export function Engines() {
  const [status, setStatus] = useState<Status | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    const look = () =>
      readJson<Status>('/scheduler/status', gone.signal).then(
        (told) => {
          setStatus(told);
          setError(null);
        },
        (reason: unknown) => {
          if (!gone.signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)));
        },
      );
    void look();
    const clock = setInterval(look, LOOK_AGAIN_MS);
    return () => {
      gone.abort();
      clearInterval(clock);
    };
  }, []);
  return (
    <section aria-label="Engines and queues">
      <h1>Engines and queues</h1>
      {error && <Problem error={error} />}
      {status ? (
        <>
          <QueuePlot history={status.history} />
          {status.schedulerError && <p class="mark warn">{status.schedulerError}</p>}
          {status.scheduler && <Running scheduler={status.scheduler} />}
        </>
      ) : (
        !error && <Waiting />
      )}
    </section>
  );
}

function Running({
  scheduler: { version, workerId, uptimeSeconds, mode, draining, engines, running },
}: {
  scheduler: Scheduler;
}) {
  return (
    <>
      <p class="quiet">
        Scheduler {version}, {workerId}, up for {duration(uptimeSeconds)}, hears of jobs{' '}
        {mode === 'nats' ? 'by NATS' : 'by asking'}
        {draining && <span class="mark warn">stopping</span>}
      </p>
      <div class="engines">
        {engines.map((engine) => (
          <EngineCard key={engine.name} engine={engine} />
        ))}
      </div>
      <h2>Running now</h2>
      {running.length === 0 && <p class="quiet">Nothing runs; whatever is queued starts at once.</p>}
      {running.map(({ jobId, type, progress }) => (
        <div key={jobId} class="card">
          <a href={addressOf.job(jobId)}>{type}</a> <small>{progress?.step}</small>
          <Progress done={progress ? progress.percent / 100 : undefined} label={progress?.step ?? type} />
        </div>
      ))}
    </>
  );
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
        <Progress done={slots.length ? busy / slots.length : 0} label={`${busy} of ${slots.length} slots busy`} />
        <small>
          {busy} of {slots.length} slots busy{restarts ? `, started again ${restarts} times` : ''}
        </small>
      </div>
      <small>
        Takes {types.join(', ')}; files are read with {isolation} isolation
        {sandbox ? `, generators run with ${sandbox.mode}` : ''}
        {sandbox?.reason ? ` (${sandbox.reason})` : ''}.
      </small>
      {errors.map((message) => (
        <p key={message} class="problem">
          <span>{message}</span>
        </p>
      ))}
    </div>
  );
}
