import type { STEPControl_Reader } from 'replicad-opencascadejs';
import { type FailureCode, fail } from './job-failure.ts';
import { type Kernel, type Shape, withKernelErrors } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import { countSubshapes } from './product/count-subshapes.ts';
import { assertStepFormat } from './step/assert-step-format.ts';
import { parseStep, type StepFile } from './step/parse-step.ts';
import { type ProductStructure, productStructure } from './step/product-structure.ts';
import { unpackStep } from './step/unpack-step.ts';

/** `unpacked` is the file if it was compressed. */
export type CheckedStep = { file: StepFile; structure: ProductStructure; unpacked: Buffer | null };

/** Checks a file without the kernel: format, size, completeness and product structure. */
export function checkStep(source: Buffer, maxBytes: number): CheckedStep {
  const bytes = unpackStep(source, maxBytes);
  assertStepFormat(bytes);
  if (bytes.length > maxBytes)
    fail('too_large', `STEP file is ${bytes.length} bytes; the built-in engine accepts up to ${maxBytes}`);
  const file = parseStep(bytes);
  return { file, structure: productStructure(file), unpacked: bytes === source ? null : bytes };
}

/** Builds the shape of the whole file in mm; the caller frees it. Frees the reader after `use`. */
export function readStep<T>(
  kernel: Kernel,
  step: CheckedStep,
  use: (shape: Shape, reader: STEPControl_Reader) => T,
): T {
  return withKernelErrors(kernel, 'STEP reader', () => {
    kernel.FS.writeFile(PATH, step.file.content);
    using reader = new kernel.STEPControl_Reader();
    const status = reader.ReadFile(PATH);
    kernel.FS.unlink(PATH);
    if (status !== 'IFSelect_RetDone') fail('unreadable', `the STEP reader rejected the file (${status})`);
    const failWithout = failWithoutShape(step.structure.externalFiles);
    if (reader.NbRootsForTransfer() === 0) failWithout('empty', 'STEP file contains no product with a shape');
    using progress = new kernel.Message_ProgressRange();
    if (!reader.TransferRoots(progress) || reader.NbShapes() === 0) failWithout('empty', NO_SHAPE);
    const shape = reader.OneShape();
    if (shape.IsNull()) failWithout('empty', NO_SHAPE);
    if (countSubshapes(kernel, shape, 'face') === 0)
      failWithout('no_geometry', 'STEP file names a product, but none of its faces can be built');
    return use(shape, reader);
  });
}

const PATH = '/source.step';

const NO_SHAPE = 'STEP file contains no shape that can be built';

// References to other files are the more likely cause.
function failWithoutShape(externalFiles: string[]): (code: FailureCode, message: string) => void {
  return (code, message) =>
    externalFiles.length
      ? fail(
          'external_files',
          `STEP file references geometry in other files: ${listFiles(externalFiles)}; ${HOW_TO_UPLOAD_SETS}`,
        )
      : fail(code, message);
}

/** What to do about references to files that are missing. */
export const HOW_TO_UPLOAD_SETS = 'upload a ZIP archive (.step.zip) with all of them';

/** Lists the first names of files. */
export const listFiles = (names: readonly string[]): string =>
  `${names.slice(0, 10).map(sanitizeName).join(', ')}${names.length > 10 ? `, … (${names.length} files)` : ''}`;
