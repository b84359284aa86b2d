// The interface between the scheduler and a geometry engine. engine-contract.ts tests every implementation against it.
import type { FileExportFormat } from '../../subgraphs/core/domain/formats/formats.ts';
import type { RestartReason } from './restarts.ts';

export type JobType = EngineJob['type'];

/**
 * A job and its input files. `source`, `asmJson` and `archive` are paths of files with a verified SHA-256 in the job's
 * folder, below the work folder of the engine; `fileName` is the name of the source as uploaded; `files` maps each
 * location in the asm.json to such a path. `split` requests the parts of a STEP assembly as separate documents.
 * An export with a `source` is written from this file.
 */
export type EngineJob =
  | { type: 'convert'; source: string; fileName?: string; split?: boolean }
  | { type: 'assemble'; asmJson: string; files: Record<string, string>; name: string }
  | {
      type: 'export';
      format: 'STP' | 'OFB' | 'BREP';
      asmJson: string;
      files: Record<string, string>;
      name: string;
      time: string;
    }
  | { type: 'export'; format: FileExportFormat; source: string; name: string }
  | { type: 'run'; archive: string; params: Record<string, unknown> };

export type ArtifactKind =
  | 'stp'
  | 'ofb'
  | 'brep'
  | 'stl'
  | 'obj'
  | '3mf'
  | 'glb'
  | 'properties'
  | 'thumbnail'
  | 'measure'
  | 'asm-json';

/** A result file in the job's folder, which the scheduler deletes. The `stp` of a STEP source is the source itself. */
export type EngineArtifact = { kind: ArtifactKind; file: string };

/** Why a job failed. `final`: a retry with the same input cannot help. */
export type EngineError = { code: string; message: string; final: boolean };

/** The result of a job: files, or for a run or split the path of one archive (see core/domain/jobs/run-result.ts). */
export type EngineResult = { artifacts: EngineArtifact[] } | { delivery: string } | { error: EngineError };

/** Receives log lines and progress (percent never decreases); `signal` cancels the job. */
export type EngineListener = {
  log(line: string): void;
  progress(percent: number, step: string): void;
  signal: AbortSignal;
};

/**
 * A process or sandbox that runs one job at a time. `restartReasons` counts the restarts by the reason why the previous
 * process ended.
 */
export type EngineSlot = {
  pid: number | null;
  busy: boolean;
  restarts: number;
  restartReasons: Record<RestartReason, number>;
  lastError: string | null;
};

/**
 * The isolation of generators. `works`: whether the sandbox works on this machine (null until probed); `reason`: why it
 * does not work.
 */
export type SandboxState = {
  mode: 'strict' | 'container' | 'trusted';
  /** Whether control groups limit each program together with its child processes. */
  groupLimits: boolean;
  works: boolean | null;
  reason: string | null;
  checks: { name: string; passed: boolean }[];
};

/** The state of the engine for the status page. `isolation` is `none` only for the fake engine. */
export type EngineState = {
  version: string;
  isolation: 'none' | 'limited' | 'strict';
  slots: EngineSlot[];
  sandbox?: SandboxState;
};

export type Engine = {
  name: string;
  version: string;
  /** The supported job types; `run` returns `unknown_job` for any other. */
  types: JobType[];
  /** How many of the slots are kept for light jobs. Default: none. */
  lightSlots?: number;
  /** The environment offered to jobs with requirements. */
  environment: Record<string, string>;
  /** Runs one job, after waiting for a free slot. Never throws for bad input: every failure is returned as an error. */
  run(job: EngineJob, on: EngineListener): Promise<EngineResult>;
  state(): EngineState;
  /** Starts checks whose results appear in the state later, such as the sandbox probe. */
  startProbe?(): void;
  /** Ends all processes of the engine. Running jobs return `engine_crashed`, which is not final. */
  stop(): Promise<void>;
};
