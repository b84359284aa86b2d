import type { Kernel, Shape } from '../kernel.ts';

/** Reads a shape in the binary BREP format of OCCT; null if the kernel rejects it. The caller frees it. */
export function readBinaryBrep(kernel: Kernel, bytes: Uint8Array): Shape | null {
  kernel.FS.writeFile(PATH, bytes);
  const shape = new kernel.TopoDS_Shape();
  using progress = new kernel.Message_ProgressRange();
  const isRead = kernel.BinTools.Read(shape, PATH, progress);
  kernel.FS.unlink(PATH);
  if (isRead) return shape;
  shape.delete();
  return null;
}

const PATH = '/shape.bin';
