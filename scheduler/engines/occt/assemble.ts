import { type Derived, finish, type Sketch, sketch } from './derive.ts';
import type { Kernel } from './kernel.ts';
import { loadAssembly, type ReadLocation } from './load-assembly.ts';
import type { Report } from './report.ts';
import { writeStep } from './write-step.ts';

/** A resolved asm.json with everything it refers to. */
export type AssemblyInput = { asmJson: Buffer; name: string; read: ReadLocation; maxBytes: number };

/** Puts an assembly together from the STEP files of its parts and makes what is shown of it. */
export async function assemble(kernel: Kernel, input: AssemblyInput, report: Report): Promise<Derived> {
  return finish(sketchOf(kernel, input, report));
}

/** Puts an assembly together and writes it as one STEP file; `time` is that of the version. */
export function exportStep(
  kernel: Kernel,
  { asmJson, name, read, maxBytes }: AssemblyInput,
  time: string,
  report: Report,
): Buffer {
  using shapes = new DisposableStack();
  const { root, warnings } = loadAssembly(kernel, asmJson, name, read, maxBytes, shapes);
  report.progress(20, 'read');
  for (const { code, message } of warnings) report.log(`warning ${code}: ${message}`);
  const stp = writeStep(kernel, root, time);
  report.progress(90, 'written');
  return stp;
}

function sketchOf(kernel: Kernel, { asmJson, name, read, maxBytes }: AssemblyInput, report: Report): Sketch {
  using shapes = new DisposableStack();
  const { root, warnings } = loadAssembly(kernel, asmJson, name, read, maxBytes, shapes);
  report.progress(20, 'read');
  return sketch(kernel, root, warnings, null, report);
}
