import { basename, extname } from 'node:path';
import { createArtifacts, type DerivedArtifacts, evaluateProduct } from '../derived-artifacts.ts';
import { evaluateAndWrite, type Load } from '../evaluate-and-write.ts';
import { fail } from '../job-failure.ts';
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { sanitizeName } from '../limits.ts';
import type { Reporter } from '../process/reporter.ts';
import { countSubshapes } from '../product/count-subshapes.ts';
import { readBrep } from './read-brep.ts';

/** Converts a BREP file in the text or binary format of OCCT, which contains one shape. `stp` is the shape as STEP, unless the kernel cannot write it. */
export async function convertBrep(
  bytes: Buffer,
  startKernel: () => Promise<Kernel>,
  maxBytes: number,
  report: Reporter,
  fileName: string,
): Promise<DerivedArtifacts & { stp?: Buffer }> {
  if (bytes.length > maxBytes)
    fail('too_large', `the file has ${bytes.length} bytes; the built-in engine accepts up to ${maxBytes}`);
  const kernel = await startKernel();
  report.progress(5, 'kernel');
  const name = sanitizeName(basename(fileName, extname(fileName)) || 'Shape');
  const load: Load = (kernel, shapes) => {
    const shape = shapes.use(readFaces(kernel, bytes));
    const message = 'the file specifies no length unit; millimeters are assumed';
    return { root: { name, shape, uses: null }, warnings: [{ code: 'no_unit', message }] };
  };
  const evaluate = (kernel: Kernel, { root, warnings }: ReturnType<Load>) => {
    report.progress(20, 'read');
    const source = { format: 'BREP' as const, schema: null, unit: null, name, entities: 0 };
    return evaluateProduct(kernel, root, warnings, source, report);
  };
  const { evaluation, stp } = await evaluateAndWrite(startKernel, kernel, load, evaluate, TIME);
  return { ...(await createArtifacts(evaluation)), ...(stp && { stp }) };
}

// A fixed time, so that the same file always gives the same bytes.
const TIME = '1970-01-01T00:00:00.000Z';

function readFaces(kernel: Kernel, bytes: Buffer): Shape {
  return withKernelErrors(kernel, 'BREP reader', () => {
    const shape = readBrep(kernel, bytes);
    if (!shape) fail('unreadable', 'the BREP reader rejected the file');
    if (countSubshapes(kernel, shape, 'face') === 0) fail('no_geometry', 'the BREP file contains no face');
    return shape;
  });
}
