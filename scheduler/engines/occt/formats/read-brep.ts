import type { Kernel, Shape } from '../kernel.ts';
import { isBinaryBrep } from './recognize-format.ts';

/** Reads a shape in the text or binary BREP format of OCCT; null if the kernel rejects it. The caller frees it. */
export function readBrep(kernel: Kernel, bytes: Uint8Array): Shape | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const shape = isBinaryBrep(buffer.toString('latin1', 0, HEAD_BYTES))
    ? readBinary(kernel, bytes)
    : kernel.BRepToolsWrapper.Read(buffer.toString('latin1'));
  if (!shape?.IsNull()) return shape;
  shape.delete();
  return null;
}

const HEAD_BYTES = 64;
const PATH = '/shape.bin';

function readBinary(kernel: Kernel, bytes: Uint8Array): Shape | null {
  kernel.FS.writeFile(PATH, bytes);
  const shape = new kernel.TopoDS_Shape();
  using progress = new kernel.Message_ProgressRange();
  const isRead = kernel.BinTools.Read(shape, PATH, progress);
  kernel.FS.unlink(PATH);
  if (isRead) return shape;
  shape.delete();
  return null;
}
