import type { EngineError } from '../engine.ts';

/** Ends a job with a code of the catalogue and a message for the engineer who sent the file. `part` names the template of an assembly it concerns. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly part: string | null;

  constructor(code: RefusalCode, message: string, part: string | null = null) {
    super(part === null ? message : `part ${part}: ${message}`);
    this.name = 'Refusal';
    this.code = code;
    this.part = part;
  }
}

/** Throws a refusal; declared as a function so that the compiler knows that nothing runs after it. */
export function refuse(code: RefusalCode, message: string): never {
  throw new Refusal(code, message);
}

/** The answer of a job that a code ends. */
export function refusal(code: RefusalCode, message: string): { error: EngineError } {
  return { error: { code, message, final: REFUSALS[code].final } };
}

/** Every code the engine answers with. `final`: the same input fails again, so a retry is of no use. */
export const REFUSALS = {
  not_step: { final: true, when: 'the file does not start as STEP does' },
  unsupported_format: { final: true, when: 'the file is of another known format' },
  needs_classcad: { final: true, when: 'the file is OFB' },
  too_large: { final: true, when: 'the file is larger than the configured limit' },
  truncated: { final: true, when: 'the end of the file is missing' },
  no_data: { final: true, when: 'the file has a header only' },
  empty: { final: true, when: 'no product with a shape' },
  syntax: { final: true, when: 'a statement cannot be read' },
  bad_number: { final: true, when: 'an exponent beyond 150' },
  dangling: { final: true, when: 'references to entities that are not in the file' },
  structure: { final: true, when: 'a product or placement is not what it should be' },
  cycle: { final: true, when: 'an assembly contains itself' },
  too_deep: { final: true, when: 'more levels than an assembly may have' },
  too_many_occurrences: { final: true, when: 'more placed products than an assembly may have' },
  external_files: { final: true, when: 'the geometry is in other files' },
  no_geometry: { final: true, when: 'a product, but none of its faces' },
  unbounded: { final: true, when: 'a shape without finite extent' },
  unreadable: { final: true, when: 'the STEP reader of the kernel refuses' },
  kernel: { final: true, when: 'an exception of the kernel' },
  kernel_crash: { final: true, when: 'a trap or endless recursion inside the kernel' },
  write: { final: true, when: 'the kernel cannot write the assembly' },
  expression: { final: true, when: 'a transform that cannot be read' },
  placement: { final: true, when: 'a transform that scales, shears or mirrors' },
  unplaced_instance: { final: true, when: 'an instance that only constraints place' },
  unsupported_constraint: { final: true, when: 'a pattern' },
  unsupported_template: { final: true, when: 'a template made of ClassCAD features' },
  invalid_asm_json: { final: true, when: 'an asm.json against the rules' },
  missing_file: { final: false, when: 'a part whose file was not handed to the engine' },
  generator_manifest: { final: true, when: 'the manifest of a generator cannot be read' },
  generator_entry: { final: true, when: 'the entry of a generator exports no function' },
  generator_import: { final: true, when: 'a generator imports what is not its own' },
  generator_failed: { final: true, when: 'the code of a generator throws or ends its process' },
  generator_output: { final: true, when: 'a generator returns something else than documents' },
  invalid_solid: { final: true, when: 'a generator makes a shape that is no valid solid' },
  no_sandbox: { final: true, when: 'this machine has no sandbox, and code never runs without one' },
  timeout: { final: true, when: 'the wall clock limit' },
  out_of_memory: { final: true, when: 'the memory limit' },
  cancelled: { final: true, when: 'somebody cancelled the job' },
  engine_crashed: { final: false, when: 'the process of the engine ended under the job' },
  unknown_job: { final: true, when: 'a job type the engine does not do' },
  internal: { final: false, when: 'a fault of the engine itself' },
} as const satisfies Record<string, { final: boolean; when: string }>;

export type RefusalCode = keyof typeof REFUSALS;
