// The port between the scheduler and whatever does the geometry. `engine-contract.ts` holds every implementation to what is said here.
import type { RestartReason } from './restarts.ts';

/** One kind of work a job can ask for. */
export type JobType = EngineJob['type'];

/**
 * What an engine is given. Strings are paths of files that the scheduler has fetched and whose SHA-256 it has checked; `files` maps a location of the
 * asm.json to such a path; `split` asks for a STEP assembly taken apart. All of them lie in the job's own folder, below the engine's work folder.
 */
export type EngineJob =
  | { type: 'convert'; source: string; split?: boolean }
  | { type: 'assemble'; asmJson: string; files: Record<string, string>; name: string }
  | {
      type: 'export';
      format: 'STP' | 'OFB';
      asmJson: string;
      files: Record<string, string>;
      name: string;
      time: string;
    }
  | { type: 'run'; archive: string; params: Record<string, unknown> };

export type ArtifactKind = 'stp' | 'ofb' | 'glb' | 'properties' | 'thumbnail' | 'asm-json';

/** A file an engine made (or, for the `stp` of a STEP source, the source itself); it belongs to the job's folder and is the scheduler's to delete. */
export type EngineArtifact = { kind: ArtifactKind; file: string };

/** Why a job failed; `final` says that a retry with the same input cannot help. */
export type EngineError = { code: string; message: string; final: boolean };

/** What a job came to: files, or for a run one archive with everything the generator made, as the service takes it (core/domain/jobs/run-result.ts). */
export type EngineResult = { artifacts: EngineArtifact[] } | { delivery: string } | { error: EngineError };

/** Hears of a job while it runs: lines for the job's log, and how far it is (percent only grows). */
export type EngineListener = {
  log(line: string): void;
  progress(percent: number, step: string): void;
  signal: AbortSignal;
};

/** One process (or sandbox) that works on one job at a time; `restartReasons` are the restarts by why the process before ended. */
export type EngineSlot = {
  pid: number | null;
  busy: boolean;
  restarts: number;
  restartReasons: Record<RestartReason, number>;
  lastError: string | null;
};

/** How code of strangers is kept apart: whether the sandbox holds on this machine (null: not found out yet), and if not, why. */
export type SandboxState = {
  mode: 'strict' | 'container' | 'trusted';
  /** Whether control groups limit what a program and all it starts take together. */
  groupLimits: boolean;
  holds: boolean | null;
  reason: string | null;
  checks: { name: string; held: boolean }[];
};

/** How the engine stands, for the status page. `isolation` is `none` only for engines that do no work of their own. */
export type EngineState = {
  version: string;
  isolation: 'none' | 'limited' | 'strict';
  slots: EngineSlot[];
  sandbox?: SandboxState;
};

export type Engine = {
  name: string;
  version: string;
  /** The job types this engine does; any other is answered with `unknown_job`. */
  types: JobType[];
  /** What the engine offers to jobs that ask for an environment. */
  environment: Record<string, string>;
  /** Does one job. Never throws for a bad input: every fault is an answer. More calls than slots wait for a free one. */
  run(job: EngineJob, on: EngineListener): Promise<EngineResult>;
  state(): EngineState;
  /** Begins to find out what the state tells only after trying; for whoever looks at the status. */
  startProbe?(): void;
  /** Ends every process of the engine; running jobs are answered with `engine_crashed`, which is not final. */
  stop(): Promise<void>;
};
