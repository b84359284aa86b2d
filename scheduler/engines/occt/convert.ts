import { counted } from '../../../subgraphs/core/domain/counted.ts';
import { type OfbHeader, ofbHeader } from '../../../subgraphs/core/domain/ofb.ts';
import { type Derived, finish, type Sketch, sketch } from './derive.ts';
import type { Kernel } from './kernel.ts';
import { shortName } from './limits.ts';
import { loadProduct } from './load-product.ts';
import type { Source } from './properties.ts';
import { type CheckedStep, checkStep } from './read-step.ts';
import type { Report } from './report.ts';

/**
 * Turns a STEP source (AP203, AP214, AP242; part or assembly; any length unit) into what is shown of it. Its `stp` is the source itself,
 * byte for byte. The kernel is asked for once the file is checked.
 */
export async function convert(
  bytes: Buffer,
  startKernel: () => Promise<Kernel>,
  maxBytes: number,
  report: Report,
): Promise<Derived> {
  const ofb = ofbHeader(bytes);
  if (ofb) report.log(headerOf(ofb));
  const step = checkStep(bytes, maxBytes);
  const { schema, entityCount } = step.file;
  const { unit, products } = step.structure;
  report.log(
    `checked: ${schema ?? 'no schema'}, unit ${unit.name ?? 'not named'}, ${entityCount} entities, ${counted(products.size, 'product')}`,
  );
  const kernel = await startKernel();
  report.progress(5, 'kernel');
  return finish(sketchOf(kernel, step, report));
}

function headerOf({ version, kernel, savedAt, complete }: OfbHeader): string {
  return `OFB file of version ${version ?? '?'}, kernel ${kernel ?? '?'}, saved ${savedAt ?? '?'}${complete ? '' : '; its end is missing'}`;
}

function sketchOf(kernel: Kernel, step: CheckedStep, report: Report): Sketch {
  using shapes = new DisposableStack();
  const { root, warnings } = loadProduct(kernel, step, shapes);
  report.progress(20, 'read');
  return sketch(kernel, root, warnings, sourceOf(step, root.name), report);
}

function sourceOf({ file, structure }: CheckedStep, name: string): Source {
  return {
    format: 'STEP',
    schema: file.schema && shortName(file.schema),
    unit: structure.unit.name,
    name: shortName(name),
    entities: file.entityCount,
  };
}
