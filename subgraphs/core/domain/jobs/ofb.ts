// OFB is ClassCAD's native format, without a public specification: recognised and its header read, never its geometry.

/** What the header of an OFB file says of it; `complete`: its end is there. */
export type OfbHeader = { version: string | null; kernel: string | null; savedAt: string | null; complete: boolean };

const MARK = '\x01\x02classcad\x02\x01';
const HEADER_END = '\x01\x02hdend\x02\x01';
const FILE_END = 'ro\x02\x01';
const LONGEST_HEADER = 65_536;

/** How many bytes of a file tell whether it is OFB. */
export const OFB_MARK_BYTES = MARK.length;

/** Whether a file is OFB, by its first bytes. */
export function isOfb(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MARK.length)).toString('latin1') === MARK;
}

/** Reads the header of an OFB file; null when it is none, or its header does not end. */
export function ofbHeader(bytes: Uint8Array): OfbHeader | null {
  if (!isOfb(bytes)) return null;
  const text = Buffer.from(bytes.subarray(0, LONGEST_HEADER)).toString('utf8');
  const end = text.indexOf(HEADER_END);
  if (end < 0) return null;
  const lines = text.slice(MARK.length, end).split('\n');
  const fields = new Map(
    lines.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()]),
  );
  const said = (name: string) => fields.get(name)?.slice(0, 100) || null;
  const complete = Buffer.from(bytes.subarray(-64)).toString('latin1').trimEnd().endsWith(FILE_END);
  return { version: said('Version'), kernel: said('KernelInfo'), savedAt: said('TimeStamp'), complete };
}
