import { createArtifacts, type DerivedArtifacts, type Evaluation, evaluateProduct } from './derived-artifacts.ts';
import { type Kernel, withKernelErrors } from './kernel.ts';
import { loadAssembly, type ReadLocation } from './load-assembly.ts';
import type { Reporter } from './process/reporter.ts';
import { placements } from './product/product.ts';
import { writeStep } from './write-step.ts';

/** A resolved asm.json and access to the files it references. */
export type AssemblyInput = { asmJson: Buffer; name: string; read: ReadLocation; maxBytes: number };

/** Builds an assembly from the STEP files of its parts and derives its artifacts. */
export async function assemble(kernel: Kernel, input: AssemblyInput, report: Reporter): Promise<DerivedArtifacts> {
  return createArtifacts(evaluate(kernel, input, report));
}

/** Builds an assembly and writes it as one STEP file; `time` is the creation time of the version. */
export function exportStep(
  kernel: Kernel,
  { asmJson, name, read, maxBytes }: AssemblyInput,
  time: string,
  report: Reporter,
): Buffer {
  using shapes = new DisposableStack();
  const { root, warnings } = loadAssembly(kernel, asmJson, name, read, maxBytes, shapes);
  report.progress(45, 'read');
  for (const { code, message } of warnings) report.log(`warning ${code}: ${message}`);
  const stp = writeStep(kernel, root, time);
  report.progress(90, 'written');
  return stp;
}

/** Builds an assembly and writes it as BREP: one compound of the placed parts, without names and colours. */
export function exportBrep(kernel: Kernel, { asmJson, name, read, maxBytes }: AssemblyInput, report: Reporter): Buffer {
  using shapes = new DisposableStack();
  const { root, warnings } = loadAssembly(kernel, asmJson, name, read, maxBytes, shapes);
  report.progress(45, 'read');
  for (const { code, message } of warnings) report.log(`warning ${code}: ${message}`);
  return withKernelErrors(kernel, 'BREP writer', () => {
    using builder = new kernel.TopoDS_Builder();
    using compound = new kernel.TopoDS_Compound();
    builder.MakeCompound(compound);
    for (const { part, matrix } of placements(root)) {
      using move = new kernel.gp_Trsf();
      move.SetValues(...(matrix.slice(0, 12) as Parameters<typeof move.SetValues>));
      using location = new kernel.TopLoc_Location(move);
      using placed = part.shape.Moved(location, false);
      builder.Add(compound, placed);
    }
    const brep = Buffer.from(kernel.BRepToolsWrapper.Write(compound), 'latin1');
    report.progress(90, 'written');
    return brep;
  });
}

function evaluate(kernel: Kernel, { asmJson, name, read, maxBytes }: AssemblyInput, report: Reporter): Evaluation {
  using shapes = new DisposableStack();
  const { root, warnings } = loadAssembly(kernel, asmJson, name, read, maxBytes, shapes);
  report.progress(45, 'read');
  return evaluateProduct(kernel, root, warnings, null, report);
}
