import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import { createArtifacts, type DerivedArtifacts, evaluateProduct } from '../derived-artifacts.ts';
import { evaluateAndWrite, type Load } from '../evaluate-and-write.ts';
import type { Kernel } from '../kernel.ts';
import { sanitizeName } from '../limits.ts';
import type { Reporter } from '../process/reporter.ts';
import type { Source } from '../product/properties.ts';
import { loadFcstd } from './load-fcstd.ts';
import { type FcstdDocument, openFcstd } from './open-fcstd.ts';

/**
 * Converts what a FreeCAD document shows, without FreeCAD. `stp` is a STEP file with the same tree, shapes and colours,
 * unless the kernel cannot write it.
 * The file is checked before `startKernel` is called.
 */
export async function convertFcstd(
  bytes: Buffer,
  startKernel: () => Promise<Kernel>,
  maxBytes: number,
  report: Reporter,
): Promise<DerivedArtifacts & { stp?: Buffer }> {
  const source = openFcstd(bytes, maxBytes);
  const { program, objects } = source.main;
  report.log(
    `checked: FreeCAD ${sanitizeName(program)}, ${pluralize(objects.size, 'object')}, ${pluralize(source.others.size, 'document')} in an archive`,
  );
  const kernel = await startKernel();
  report.progress(5, 'kernel');
  const load: Load = (kernel, shapes) => loadFcstd(kernel, source, shapes);
  const evaluate = (kernel: Kernel, { root, warnings }: ReturnType<Load>) => {
    report.progress(20, 'read');
    return evaluateProduct(kernel, root, warnings, sourceOf(source.main), report);
  };
  const { evaluation, stp } = await evaluateAndWrite(startKernel, kernel, load, evaluate, savedAt(source.main));
  return { ...(await createArtifacts(evaluation)), ...(stp && { stp }) };
}

function sourceOf({ program, label, objects }: FcstdDocument): Source {
  const schema = sanitizeName(program.split(' ', 1)[0]!);
  return { format: 'FreeCAD', schema, unit: 'MILLIMETRE', name: sanitizeName(label), entities: objects.size };
}

// Not the current time, so that the same document gives the same STEP file.
function savedAt({ modified }: FcstdDocument): string {
  return Number.isNaN(Date.parse(modified)) ? '1970-01-01T00:00:00.000Z' : modified;
}
