import { setTimeout as wait } from 'node:timers/promises';
import type { Engine, EngineResult, EngineSlot } from '../engines/engine.ts';
import { failure, interruption } from '../engines/occt/job-failure.ts';
import { delegatedCgroup } from '../sandbox/cgroup.ts';
import type { Isolation } from '../sandbox/program.ts';
import { probeUnlessAborted, type Sandbox } from '../sandbox/sandbox.ts';
import { runGenerator } from './run-generator.ts';

export type RunOptions = {
  isolation: Isolation;
  sandbox: Sandbox;
  seconds: number;
  maxStepMb: number;
  log(line: object): void;
};

const MEGABYTE = 2 ** 20;
const NOT_CHECKED = { works: null, reason: null, checks: [] };
const DISABLED = { works: false, reason: 'PDM_SANDBOX=trusted', checks: [] };

/**
 * Returns an engine that also runs generators, each in a new sandbox. Fails closed: if the sandbox does not work on
 * this machine, a run fails with `no_sandbox` and executes nothing. The sandbox is probed once, before the first run or
 * when the status is first read.
 */
export function withGeneratorRuns(engine: Engine, { isolation, sandbox, seconds, maxStepMb, log }: RunOptions): Engine {
  const stopping = new AbortController();
  let activeRuns = 0;
  const { mode } = isolation;
  if (mode === 'trusted')
    log({
      event: 'sandbox_off',
      message:
        'PDM_SANDBOX=trusted: generators run without a sandbox. Use this only with generators from people you trust with this machine.',
    });
  return {
    ...engine,
    types: [...engine.types, 'run'],
    async run(job, on): Promise<EngineResult> {
      if (job.type !== 'run') return engine.run(job, on);
      const signal = AbortSignal.any([on.signal, stopping.signal]);
      if (mode !== 'trusted') {
        const probe = await probeUnlessAborted(sandbox, signal);
        if (!probe) return interruption(on.signal);
        if (!probe.works) return failure('no_sandbox', `generators are disabled: ${probe.reason}`);
      }
      const options = {
        isolation,
        engine: `${engine.name}/${engine.version}`,
        maxBytes: maxStepMb * MEGABYTE,
        limits: { wallMs: seconds * 1000, cpuSeconds: 2 * seconds },
      };
      activeRuns++;
      const result = await runGenerator(job, options, { ...on, signal }).finally(() => activeRuns--);
      return stopping.signal.aborted ? interruption(on.signal) : result;
    },
    state: () => {
      const state = engine.state();
      const probe = mode !== 'trusted' ? (sandbox.report() ?? NOT_CHECKED) : DISABLED;
      return {
        ...state,
        slots: markBusy(state.slots, activeRuns),
        sandbox: { mode, groupLimits: mode !== 'container' && delegatedCgroup() !== null, ...probe },
      };
    },
    startProbe: () => {
      if (mode !== 'trusted') void sandbox.probe();
    },
    async stop() {
      stopping.abort();
      await engine.stop();
      // the run processes are killed; their exit events arrive in the next event loop turn
      await wait(0);
    },
  };
}

// A run occupies a slot of the engine, but has its own process.
function markBusy(slots: readonly EngineSlot[], count: number): EngineSlot[] {
  let remaining = count;
  return slots.map((slot) => (slot.busy || remaining-- <= 0 ? slot : { ...slot, busy: true }));
}
