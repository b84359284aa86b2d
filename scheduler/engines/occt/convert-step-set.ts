import { createArtifacts, type DerivedArtifacts, evaluateProduct } from './derived-artifacts.ts';
import { evaluateAndWrite, type Load } from './evaluate-and-write.ts';
import type { Kernel } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import type { Reporter } from './process/reporter.ts';
import { loadStepSet, type StepSet } from './step-set.ts';

// A fixed time, so that the same files always give the same bytes.
const TIME = '1970-01-01T00:00:00.000Z';

/** Converts the STEP files of an archive to one model. `stp` is one file with all of them, if the kernel can write it. */
export async function convertStepSet(
  set: StepSet,
  startKernel: () => Promise<Kernel>,
  report: Reporter,
): Promise<DerivedArtifacts & { stp?: Buffer }> {
  const { file, structure } = set.files.get(set.main)!;
  report.log(`checked: ${set.files.size} STEP files, ${sanitizeName(set.main)} references the others`);
  const kernel = await startKernel();
  report.progress(2, 'kernel');
  const load: Load = (kernel, shapes) => loadStepSet(kernel, set, shapes);
  const evaluate = (kernel: Kernel, { root, warnings, stated }: ReturnType<Load>) => {
    report.progress(45, 'read');
    const entities = [...set.files.values()].reduce((sum, each) => sum + each.file.entityCount, 0);
    const source = {
      format: 'STEP' as const,
      schema: file.schema && sanitizeName(file.schema),
      unit: structure.unit.name,
      name: sanitizeName(root.name),
      entities,
    };
    return evaluateProduct(kernel, root, warnings, source, report, stated);
  };
  const { evaluation, stp } = await evaluateAndWrite(startKernel, kernel, load, evaluate, TIME);
  return { ...(await createArtifacts(evaluation)), ...(stp && { stp }) };
}
