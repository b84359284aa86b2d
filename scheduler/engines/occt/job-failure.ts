import type { EngineError } from '../engine.ts';

/** Ends a job with an error code and a message for the user. `part` is the assembly template it concerns. */
export class JobFailure extends Error {
  readonly code: FailureCode;
  readonly part: string | null;

  constructor(code: FailureCode, message: string, part: string | null = null) {
    super(part === null ? message : `part ${part}: ${message}`);
    this.name = 'JobFailure';
    this.code = code;
    this.part = part;
  }
}

/** Throws a JobFailure. */
export function fail(code: FailureCode, message: string): never {
  throw new JobFailure(code, message);
}

/** Adds the name of a part to a JobFailure; in nested calls, that of the innermost part. */
export function withPartName<T>(part: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof JobFailure && error.part === null ? new JobFailure(error.code, error.message, part) : error;
  }
}

/** Returns the result of a failed job. */
export function failure(code: FailureCode, message: string): { error: EngineError } {
  return { error: { code, message, final: FAILURES[code].final } };
}

/** Returns the result of a job that ended early: it was cancelled, or its engine stops. */
export function interruption(cancelled: AbortSignal): { error: EngineError } {
  return cancelled.aborted
    ? failure('cancelled', 'the job was cancelled')
    : failure('engine_crashed', 'the engine process ended while it was running the job');
}

/** All error codes of the engine. `final`: the same input fails again, so a retry cannot help. */
export const FAILURES = {
  not_step: { final: true, when: 'the file does not start with the STEP header' },
  unsupported_format: { final: true, when: 'the file has another known format' },
  needs_classcad: { final: true, when: 'the file is OFB' },
  too_large: { final: true, when: 'the file exceeds the configured size limit' },
  truncated: { final: true, when: 'the end of the file is missing' },
  no_data: { final: true, when: 'the file contains only a header' },
  empty: { final: true, when: 'the file contains no product with a shape' },
  syntax: { final: true, when: 'a statement cannot be parsed' },
  bad_number: { final: true, when: 'an exponent exceeds 150' },
  dangling: { final: true, when: 'a reference points to an entity that is not in the file' },
  structure: { final: true, when: 'a product or placement entity has unexpected values' },
  cycle: { final: true, when: 'an assembly contains itself' },
  too_deep: { final: true, when: 'an assembly has too many levels' },
  too_many_occurrences: { final: true, when: 'an assembly places too many parts' },
  external_files: { final: true, when: 'the geometry is in other files' },
  no_geometry: { final: true, when: 'a product has no face that can be built' },
  unbounded: { final: true, when: 'a shape has no finite extent' },
  unreadable: { final: true, when: "the kernel's STEP reader rejects the file" },
  kernel: { final: true, when: 'the kernel throws an exception' },
  kernel_crash: { final: true, when: 'the kernel traps or recurses endlessly' },
  write: { final: true, when: 'the kernel cannot write the assembly' },
  expression: { final: true, when: 'a transform cannot be parsed' },
  placement: { final: true, when: 'a transform scales, shears or mirrors' },
  unplaced_instance: { final: true, when: 'an instance has constraints but no transform' },
  unsupported_constraint: { final: true, when: 'an assembly has a pattern' },
  unsupported_template: { final: true, when: 'a template consists of ClassCAD features' },
  invalid_asm_json: { final: true, when: 'asm.json is invalid' },
  missing_file: { final: false, when: 'the file of a part was not passed to the engine' },
  generator_manifest: { final: true, when: 'the manifest of a generator cannot be read' },
  generator_entry: { final: true, when: 'the entry file of a generator exports no function' },
  generator_import: { final: true, when: 'a generator imports a module outside its repository' },
  generator_failed: { final: true, when: 'the code of a generator throws or exits' },
  generator_output: { final: true, when: 'a generator does not return valid documents' },
  invalid_solid: { final: true, when: 'a generator returns an invalid solid' },
  no_sandbox: { final: true, when: 'this machine has no sandbox, which the job requires' },
  timeout: { final: true, when: 'the job exceeds its time limit' },
  out_of_memory: { final: true, when: 'the job exceeds its memory limit' },
  cancelled: { final: true, when: 'a user cancelled the job' },
  engine_crashed: { final: false, when: 'the engine process ended during the job' },
  unknown_job: { final: true, when: 'the engine does not support the job type' },
  internal: { final: false, when: 'the engine has a bug' },
} as const satisfies Record<string, { final: boolean; when: string }>;

export type FailureCode = keyof typeof FAILURES;
