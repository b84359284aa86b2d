import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import { createArtifacts, type DerivedArtifacts, type Evaluation, evaluateProduct } from '../derived-artifacts.ts';
import type { Kernel } from '../kernel.ts';
import { sanitizeName } from '../limits.ts';
import type { Reporter } from '../process/reporter.ts';
import type { Source } from '../product/properties.ts';
import { writeStep } from '../write-step.ts';
import { loadFcstd } from './load-fcstd.ts';
import { type FcstdDocument, type FcstdSource, openFcstd } from './open-fcstd.ts';

/**
 * Converts what a FreeCAD document shows, without FreeCAD. `stp` is a STEP file with the same tree, shapes and colours.
 * The file is checked before `startKernel` is called.
 */
export async function convertFcstd(
  bytes: Buffer,
  startKernel: () => Promise<Kernel>,
  maxBytes: number,
  report: Reporter,
): Promise<DerivedArtifacts & { stp: Buffer }> {
  const source = openFcstd(bytes, maxBytes);
  const { program, objects } = source.main;
  report.log(
    `checked: FreeCAD ${sanitizeName(program)}, ${pluralize(objects.size, 'object')}, ${pluralize(source.others.size, 'document')} in an archive`,
  );
  const kernel = await startKernel();
  report.progress(5, 'kernel');
  const { stp, ...evaluation } = evaluate(kernel, source, report);
  return { ...(await createArtifacts(evaluation)), stp };
}

function evaluate(kernel: Kernel, source: FcstdSource, report: Reporter): Evaluation & { stp: Buffer } {
  using shapes = new DisposableStack();
  const { root, warnings } = loadFcstd(kernel, source, shapes);
  report.progress(20, 'read');
  const evaluation = evaluateProduct(kernel, root, warnings, sourceOf(source.main), report);
  return { ...evaluation, stp: writeStep(kernel, root, savedAt(source.main)) };
}

function sourceOf({ program, label, objects }: FcstdDocument): Source {
  const schema = sanitizeName(program.split(' ', 1)[0]!);
  return { format: 'FreeCAD', schema, unit: 'MILLIMETRE', name: sanitizeName(label), entities: objects.size };
}

// Not the current time, so that the same document gives the same STEP file.
function savedAt({ modified }: FcstdDocument): string {
  return Number.isNaN(Date.parse(modified)) ? '1970-01-01T00:00:00.000Z' : modified;
}
