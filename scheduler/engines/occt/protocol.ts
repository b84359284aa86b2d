import type { EngineError } from '../engine.ts';

// What the engine, its child process and the worker threads of that say to each other. Plain data: it travels by structured clone or JSON.

/** A job as the child gets it: paths only, all below the folder the child may touch; `folder` takes the results. */
export type Task = { folder: string; maxBytes: number } & (
  | { type: 'convert'; source: string; split: boolean }
  | { type: 'assemble'; asmJson: string; files: Record<string, string>; name: string }
  | { type: 'export'; asmJson: string; files: Record<string, string>; name: string; time: string }
);

/** engine → child */
export type ToChild = { run: number; task: Task; timeoutMs: number; memoryMb: number } | { cancel: number };

/** child → engine; `run` is the number of the job */
export type FromChild = { ready: true } | { run: number; news: News } | { run: number; answer: Answer };

/** worker → child */
export type FromWorker = { news: News } | { answer: Answer };

export type News = { log: string } | { percent: number; step: string };

/** `delivery`: an archive of documents instead of files. */
export type Answer = { made: Made[] } | { delivery: string } | { error: EngineError; stack?: string };
export type Made = { kind: 'stp' | 'glb' | 'properties' | 'thumbnail'; file: string };
