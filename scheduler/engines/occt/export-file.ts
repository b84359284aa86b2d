import { EXPORTS, type FileExportFormat } from '../../../subgraphs/core/domain/formats/formats.ts';
import { type Kernel, withKernelErrors } from './kernel.ts';
import { exportMesh } from './mesh/export-mesh.ts';
import type { ResultFile } from './process/protocol.ts';
import type { Reporter } from './process/reporter.ts';
import { checkStep, readStep } from './read-step.ts';

/** An export that is written from one file: a STEP file for BREP, a GLB for meshes. */
export type FileExport = { format: FileExportFormat; name: string; maxBytes: number };

/** Writes another format from one file. Only BREP needs the kernel. */
export async function exportFile(
  source: Buffer,
  { format, name, maxBytes }: FileExport,
  startKernel: () => Promise<Kernel>,
  report: Reporter,
): Promise<Partial<Record<ResultFile['kind'], Uint8Array>>> {
  const { kind } = EXPORTS.find((each) => each.format === format)!;
  const bytes =
    format === 'BREP'
      ? writeBrep(await startKernel(), source, maxBytes, report)
      : await exportMesh(source, format, name, report);
  return { [kind]: bytes };
}

function writeBrep(kernel: Kernel, source: Buffer, maxBytes: number, report: Reporter): Buffer {
  report.progress(5, 'kernel');
  return readStep(kernel, checkStep(source, maxBytes), (shape) => {
    report.progress(50, 'read');
    using whole = shape;
    return withKernelErrors(kernel, 'BREP writer', () => Buffer.from(kernel.BRepToolsWrapper.Write(whole), 'latin1'));
  });
}
