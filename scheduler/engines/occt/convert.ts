import { FORMATS, unreadableMessage } from '../../../subgraphs/core/domain/formats/formats.ts';
import { type OfbHeader, parseOfbHeader } from '../../../subgraphs/core/domain/jobs/ofb.ts';
import { pluralize } from '../../../subgraphs/core/domain/text/pluralize.ts';
import { convertStepSet } from './convert-step-set.ts';
import { createArtifacts, type DerivedArtifacts, type Evaluation, evaluateProduct } from './derived-artifacts.ts';
import { convertFcstd } from './fcstd/convert-fcstd.ts';
import { convertBrep } from './formats/convert-brep.ts';
import { recognizeFormat } from './formats/recognize-format.ts';
import { fail } from './job-failure.ts';
import type { Kernel } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import { convertMesh } from './mesh/convert-mesh.ts';
import type { Reporter } from './process/reporter.ts';
import { loadProduct } from './product/load-product.ts';
import type { Source } from './product/properties.ts';
import { type CheckedStep, checkStep } from './read-step.ts';
import { openStepSet } from './step-set.ts';

/** `stp` is the STEP file if there is one and it is not the source; `isStep`: it is the source. */
export type Conversion = DerivedArtifacts & { stp?: Buffer; isStep?: boolean };

/**
 * Converts a STEP file (AP203, AP214 or AP242, part or assembly, any length unit) to GLB, properties and thumbnail. The
 * file is checked before `startKernel` is called. Also converts the other formats that the table of formats lists; files
 * that contain only triangles need no kernel.
 */
export async function convert(
  bytes: Buffer,
  startKernel: () => Promise<Kernel>,
  maxBytes: number,
  report: Reporter,
  fileName = '',
): Promise<Conversion> {
  const ofb = parseOfbHeader(bytes);
  if (ofb) report.log(describeOfb(ofb));
  const format = recognizeFormat(bytes, fileName);
  if (format === 'fcstd') return convertFcstd(bytes, startKernel, maxBytes, report);
  if (format && format !== 'ofb' && !FORMATS[format].reads) fail('unsupported_format', unreadableMessage(format));
  if (format && FORMATS[format].reads === 'mesh') return convertMesh(bytes, format, fileName, maxBytes, report);
  if (format === 'brep') return convertBrep(bytes, startKernel, maxBytes, report, fileName);
  const set = openStepSet(bytes, maxBytes);
  if (set) return convertStepSet(set, startKernel, report);
  const step = checkStep(bytes, maxBytes);
  const { schema, entityCount } = step.file;
  const { unit, products } = step.structure;
  report.log(
    `checked: ${schema ?? 'no schema'}, unit ${unit.name ?? 'not named'}, ${entityCount} entities, ${pluralize(products.size, 'product')}`,
  );
  const kernel = await startKernel();
  report.progress(2, 'kernel');
  const artifacts = await createArtifacts(evaluate(kernel, step, report));
  return step.unpacked ? { ...artifacts, stp: step.unpacked } : { ...artifacts, isStep: true };
}

function describeOfb({ version, kernel, savedAt, complete }: OfbHeader): string {
  const details = `version ${version ?? 'unknown'}, kernel ${kernel ?? 'unknown'}, saved ${savedAt ?? 'unknown'}`;
  return `OFB file: ${details}${complete ? '' : ', truncated'}`;
}

function evaluate(kernel: Kernel, step: CheckedStep, report: Reporter): Evaluation {
  using shapes = new DisposableStack();
  const { root, warnings, stated } = loadProduct(kernel, step, shapes);
  report.progress(45, 'read');
  return evaluateProduct(kernel, root, warnings, sourceOf(step, root.name), report, stated);
}

function sourceOf({ file, structure }: CheckedStep, name: string): Source {
  return {
    format: 'STEP',
    schema: file.schema && sanitizeName(file.schema),
    unit: structure.unit.name,
    name: sanitizeName(name),
    entities: file.entityCount,
  };
}
