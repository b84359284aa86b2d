// What ended a job, for the person whose file it was: what is wrong with it, and what to do. The engine's own words stand beside it.

const WORDS: Record<string, string> = {
  not_step: 'This is not a STEP file. Export the part as STEP (AP203, AP214 or AP242) and upload that.',
  unsupported_format:
    'The service reads STEP. Export the part as STEP (AP203, AP214 or AP242) from your CAD system and upload that.',
  needs_classcad:
    'This file is OFB, which only a ClassCAD engine reads. None is connected; upload STEP, or have an administrator connect one.',
  too_large:
    'The file is larger than this service converts. Export less of the product, or ask an administrator to raise the limit.',
  truncated:
    'The end of the file is missing: it was not written or copied to the end. Export it again, then upload it again.',
  no_data: 'The file has a header, but nothing in it. Export the part again, with its solids selected.',
  empty: 'The file holds no shape. Export the part again; sketches and planes alone are not enough.',
  syntax: 'The file is damaged: a line in it cannot be read. Export it again, then upload it again.',
  bad_number: 'The file holds a number that no part can have. Look at the part in your CAD system and export it again.',
  dangling:
    'The file points to parts of itself that are missing. Export it again; if it was edited by hand, undo that.',
  structure: 'The product structure in the file is broken. Export it again, as one file with its structure.',
  cycle: 'The assembly in the file contains itself. Correct that in your CAD system.',
  too_deep: 'The assembly is nested deeper than the service follows. Export a part of it, or flatten it.',
  too_many_occurrences: 'The assembly places more parts than the service converts at once. Export it in several files.',
  external_files: 'The geometry is in other files that this one names. Export it as one single STEP file.',
  no_geometry: 'The file names products, but holds none of their faces. Export it again with geometry.',
  unbounded: 'The shape has no end in some direction. Close or trim it in your CAD system, then export it again.',
  unreadable: 'The geometry kernel cannot read the file. Try to export it as another STEP protocol (AP214 or AP242).',
  kernel: 'The geometry kernel failed on this shape. Try a check and repair in your CAD system, then upload it again.',
  kernel_crash:
    'The geometry kernel ended on this shape. Try a check and repair in your CAD system, then upload it again.',
  write: 'The assembly could not be written. Look at what it places; the message below names it.',
  expression: 'A transform in the assembly cannot be read. Correct the expression that the message names.',
  placement:
    'An instance is scaled, sheared or mirrored, and parts can only be moved and turned. Correct its transform.',
  unplaced_instance:
    'An instance has no transform: only constraints place it, and they are not solved here. Give it a transform.',
  unsupported_constraint: 'The assembly uses a pattern, which is not computed here. Place its instances one by one.',
  unsupported_template: 'A template of the assembly is built of ClassCAD features, which this engine does not compute.',
  invalid_asm_json: 'The structure (asm.json) breaks a rule. Correct what the message names and upload it again.',
  missing_file: 'A part of the assembly was not there in time. Run the job again.',
  not_converted: 'Something the assembly uses has no shape yet. Convert that first; the assembly follows.',
  unresolved_reference:
    'The assembly points to something that is not there, or that has no version yet. Make the version, or correct the reference.',
  generator_manifest:
    'The manifest of the generator cannot be read. Correct it in its repository, then synchronise the code.',
  generator_entry:
    'The file the manifest names exports no function. Correct it in its repository, then synchronise the code.',
  generator_import: 'The generator imports something that is not its own. Put what it needs into its repository.',
  generator_failed: 'The generator stopped with an error. The message and the log below say where.',
  generator_output: 'The generator did not return documents as agreed. The message names what is wrong.',
  invalid_solid: 'With these parameters the generator makes a shape that is no valid solid. Try others.',
  no_sandbox: 'This machine has no sandbox, and code never runs without one. Ask an administrator.',
  timeout: 'It took longer than allowed and was stopped. Make it simpler, or ask an administrator for more time.',
  out_of_memory: 'It needed more memory than allowed. Make it simpler, or ask an administrator for more memory.',
  cancelled: 'The job was cancelled.',
  engine_crashed:
    'The engine ended while it worked. Run the job again; if it ends again, try another export of the file.',
  worker_disappeared:
    'The worker vanished three times while it worked on this. Run the job again, or tell an administrator.',
  stale_input: 'The file was replaced while it was being converted; the newer one has its own job.',
  unknown_job: 'No engine here does this kind of work. Ask an administrator.',
  internal: 'The engine has a fault of its own. Run the job again; if that does not help, tell an administrator.',
};

/** What the code of a failed job means and what to do about it; of an unknown one (another engine's), that the job failed. */
export const engineWords = (code: string): string =>
  Object.hasOwn(WORDS, code) ? (WORDS[code] ?? '') : 'The engine could not do it. What it says stands below.';
