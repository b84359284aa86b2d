import type { FileExportFormat } from '../../../../subgraphs/core/domain/formats/formats.ts';
import type { EngineError } from '../../engine.ts';

// Messages between the engine, its child process and worker threads: plain data, for structured clone or JSON.

/** A job as the child receives it. All paths are in the folder that the child may access; results are written to `folder`. */
export type Task = { folder: string; maxBytes: number } & (
  | { type: 'convert'; source: string; fileName: string; split: boolean }
  | { type: 'assemble'; asmJson: string; files: Record<string, string>; name: string }
  | {
      type: 'export';
      format: 'STP' | 'BREP';
      asmJson: string;
      files: Record<string, string>;
      name: string;
      time: string;
    }
  | { type: 'exportFile'; source: string; format: FileExportFormat; name: string }
);

/** engine → child */
export type MessageToChild = { run: number; task: Task; timeoutMs: number; memoryMb: number } | { cancel: number };

/** child → engine; `run` is the number of the job */
export type MessageFromChild =
  | { ready: true }
  | { run: number; update: JobUpdate }
  | { run: number; result: JobResult };

/** worker → child */
export type MessageFromWorker = { update: JobUpdate } | { result: JobResult };

export type JobUpdate = { log: string } | { percent: number; step: string };

/** `isStep`: the source is the STEP file. `delivery` is the path of an archive of documents. */
export type JobResult =
  | { files: ResultFile[]; isStep?: boolean }
  | { delivery: string }
  | { error: EngineError; stack?: string };
export type ResultFile = { kind: keyof typeof FILE_NAMES; file: string };

export const FILE_NAMES = {
  stp: 'model.stp',
  brep: 'model.brep',
  stl: 'model.stl',
  obj: 'model.obj',
  '3mf': 'model.3mf',
  glb: 'model.glb',
  properties: 'properties.json',
  thumbnail: 'thumbnail.png',
  measure: 'measure.json',
};
export const RESULT_KINDS = Object.keys(FILE_NAMES) as ResultFile['kind'][];
