// Explains job error codes to users: what is wrong, and what to do.

const EXPLANATIONS: Record<string, string> = {
  not_step: 'The file is not a STEP file. Export the part as STEP (AP203, AP214 or AP242) and upload it.',
  unsupported_format:
    'No connected engine reads this format. The file is stored; export the part as STEP (AP203, AP214 or AP242) and upload it.',
  needs_classcad:
    'No ClassCAD engine is connected to read OFB files. Upload a STEP file, or ask an administrator to connect one.',
  too_large: 'The file exceeds the size limit. Export less of the product, or ask an administrator to raise the limit.',
  truncated: 'The file is incomplete: its end is missing. Export it again and upload it.',
  no_data: 'The file has a header but no data. Export the part again with its solids selected.',
  empty: 'The file contains no shape. Export the part again; sketches and planes are not enough.',
  syntax: 'The file is damaged: it contains an invalid line. Export it again and upload it.',
  bad_number: 'The file contains an invalid number. Check the part in your CAD system and export it again.',
  dangling: 'The file refers to entities that are missing. Export it again; undo any manual edits.',
  structure: 'The product structure in the file is broken. Export it again as one file with its structure.',
  cycle: 'The assembly in the file contains itself. Correct this in your CAD system.',
  too_deep: 'The assembly is nested too deeply. Flatten it, or export a part of it.',
  too_many_occurrences: 'The assembly contains too many parts for one file. Export it as several files.',
  external_files:
    'The geometry is in other files that this file refers to. Select all of them together, or upload them in one ZIP archive.',
  no_geometry: 'The file contains products but no geometry. Export it again with geometry.',
  unbounded: 'The shape is unbounded in some direction. Close or trim it in your CAD system and export it again.',
  unreadable: 'The geometry kernel cannot read the file. Export it with another STEP protocol (AP214 or AP242).',
  kernel: 'The geometry kernel failed on this shape. Check and repair it in your CAD system and upload it again.',
  kernel_crash:
    'The geometry kernel crashed on this shape. Check and repair it in your CAD system and upload it again.',
  write: 'The assembly could not be written. Check the component that the error message names.',
  expression: 'A transform in the assembly is invalid. Correct the expression that the error message names.',
  placement:
    'An instance is scaled, sheared or mirrored, but parts can only be moved and rotated. Correct its transform.',
  unplaced_instance:
    'An instance has no transform, only constraints, which this engine does not solve. Add a transform.',
  unsupported_constraint:
    'The assembly uses a pattern, which this engine does not compute. Place its instances individually.',
  unsupported_template: 'A template of the assembly uses ClassCAD features, which this engine does not compute.',
  invalid_asm_json:
    'The structure (asm.json) is invalid. Correct the error that the error message names and upload it again.',
  missing_file: 'A component of the assembly was not available in time. Run the job again.',
  not_converted: 'A component has not been converted yet. Convert it first; the assembly follows automatically.',
  unresolved_reference:
    'The assembly refers to a missing document or one without versions. Create a version, or correct the reference.',
  generator_manifest:
    'The manifest of the generator is invalid. Correct it in its repository and synchronize the code.',
  generator_entry:
    'The entry file of the generator exports no function. Correct it in its repository and synchronize the code.',
  generator_import: 'The generator imports a module outside its repository. Add the module to the repository.',
  generator_failed: 'The generator failed with an error. The log of the job has the details.',
  generator_output: 'The generator returned an invalid result.',
  invalid_solid: 'With these parameters, the generator creates an invalid solid. Try other parameters.',
  no_sandbox: 'This machine has no sandbox, which is required to run code. Ask an administrator.',
  timeout: 'The job exceeded the time limit. Simplify the input, or ask an administrator to raise the limit.',
  out_of_memory: 'The job exceeded the memory limit. Simplify the input, or ask an administrator to raise the limit.',
  cancelled: 'The job was cancelled.',
  engine_crashed: 'The engine crashed. Run the job again; if it crashes again, try another export of the file.',
  worker_disappeared: 'The worker disappeared three times during this job. Run the job again, or ask an administrator.',
  stale_input: 'The file was replaced during the conversion. The new file has its own job.',
  unknown_job: 'No connected engine supports this type of job. Ask an administrator.',
  internal: 'The engine had an internal error. Run the job again; if that fails, ask an administrator.',
};

/** Returns the explanation of an error code; a general one for codes of other engines. */
export const explainJobError = (code: string): string =>
  Object.hasOwn(EXPLANATIONS, code) ? (EXPLANATIONS[code] ?? '') : 'The engine reported an error.';
