import type { STEPControl_Reader } from 'replicad-opencascadejs';
import { count } from './count.ts';
import { inKernel, type Kernel, type Shape } from './kernel.ts';
import { shortName } from './limits.ts';
import { refuse } from './refusal.ts';
import { parseStep, type StepFile } from './step/parse-step.ts';
import { type ProductStructure, productStructure } from './step/product-structure.ts';
import { refuseForeignFormat } from './step/recognise.ts';

export type CheckedStep = { bytes: Buffer; file: StepFile; structure: ProductStructure };

/** Checks a source without the kernel: that it is STEP, not too large, whole, and that its product structure can be followed. */
export function checkStep(bytes: Buffer, maxBytes: number): CheckedStep {
  refuseForeignFormat(bytes);
  if (bytes.length > maxBytes)
    refuse('too_large', `STEP file has ${bytes.length} bytes; the built-in engine takes up to ${maxBytes}`);
  const file = parseStep(bytes);
  return { bytes, file, structure: productStructure(file) };
}

/** Builds the whole shape of a checked file in mm and hands it on with the reader, which is freed afterwards; the shape is the caller's to free. */
export function readStep<T>(
  kernel: Kernel,
  step: CheckedStep,
  use: (shape: Shape, reader: STEPControl_Reader) => T,
): T {
  return inKernel(kernel, 'STEP reader', () => {
    kernel.FS.writeFile(PATH, step.bytes);
    using reader = new kernel.STEPControl_Reader();
    const status = reader.ReadFile(PATH);
    kernel.FS.unlink(PATH);
    if (status !== 'IFSelect_RetDone') refuse('unreadable', `STEP reader refused the file (${status})`);
    if (reader.NbRootsForTransfer() === 0) refuse('empty', 'STEP file holds no product with a shape');
    using progress = new kernel.Message_ProgressRange();
    if (!reader.TransferRoots(progress) || reader.NbShapes() === 0)
      refuse('empty', 'STEP file holds no shape that can be built');
    const shape = reader.OneShape();
    if (shape.IsNull()) refuse('empty', 'STEP file holds no shape that can be built');
    if (count(kernel, shape, 'face') === 0) refuseWithoutFaces(step.structure.externalFiles);
    return use(shape, reader);
  });
}

const PATH = '/source.step';

function refuseWithoutFaces(externalFiles: string[]): never {
  if (!externalFiles.length) refuse('no_geometry', 'STEP file names a product, but none of its faces could be built');
  const names = `${externalFiles.slice(0, 3).map(shortName).join(', ')}${externalFiles.length > 3 ? ', …' : ''}`;
  refuse(
    'external_files',
    `STEP file keeps its geometry in other files (${names}); upload one file that contains everything`,
  );
}
