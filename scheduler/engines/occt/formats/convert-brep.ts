import { basename, extname } from 'node:path';
import { createArtifacts, type DerivedArtifacts, evaluateProduct } from '../derived-artifacts.ts';
import { fail } from '../job-failure.ts';
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { sanitizeName } from '../limits.ts';
import type { Reporter } from '../process/reporter.ts';
import { countSubshapes } from '../product/count-subshapes.ts';
import type { Part, Warning } from '../product/product.ts';
import { writeStep } from '../write-step.ts';

/** Converts a BREP file in the text format of OCCT, which contains one shape. `stp` is the shape as STEP. */
export async function convertBrep(
  bytes: Buffer,
  startKernel: () => Promise<Kernel>,
  maxBytes: number,
  report: Reporter,
  fileName: string,
): Promise<DerivedArtifacts & { stp: Buffer }> {
  if (bytes.length > maxBytes)
    fail('too_large', `the file has ${bytes.length} bytes; the built-in engine accepts up to ${maxBytes}`);
  const kernel = await startKernel();
  report.progress(5, 'kernel');
  const { evaluation, stp } = evaluate(kernel, bytes, basename(fileName, extname(fileName)) || 'Shape', report);
  return { ...(await createArtifacts(evaluation)), stp };
}

function evaluate(kernel: Kernel, bytes: Buffer, name: string, report: Reporter) {
  using shape = readBrep(kernel, bytes.toString('latin1'));
  const root: Part = { name: sanitizeName(name), shape, uses: null };
  report.progress(20, 'read');
  const stp = writeStep(kernel, root, TIME);
  const warnings: Warning[] = [
    { code: 'no_unit', message: 'the file specifies no length unit; millimeters are assumed' },
  ];
  const source = { format: 'BREP' as const, schema: null, unit: null, name: root.name, entities: 0 };
  return { stp, evaluation: evaluateProduct(kernel, root, warnings, source, report) };
}

// A fixed time, so that the same file always gives the same bytes.
const TIME = '1970-01-01T00:00:00.000Z';

function readBrep(kernel: Kernel, text: string): Shape {
  return withKernelErrors(kernel, 'BREP reader', () => {
    const shape = kernel.BRepToolsWrapper.Read(text);
    if (shape.IsNull()) fail('unreadable', 'the BREP reader rejected the file');
    if (countSubshapes(kernel, shape, 'face') === 0) fail('no_geometry', 'the BREP file contains no face');
    return shape;
  });
}
