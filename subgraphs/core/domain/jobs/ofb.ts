// Reads the header of OFB files, the native format of ClassCAD, which has no public specification.

/** The header of an OFB file. `complete` is false if the file is truncated. */
export type OfbHeader = { version: string | null; kernel: string | null; savedAt: string | null; complete: boolean };

const SIGNATURE = '\x01\x02classcad\x02\x01';
const HEADER_END = '\x01\x02hdend\x02\x01';
const FILE_END = 'ro\x02\x01';
const MAX_HEADER_BYTES = 65_536;

/** The number of bytes that `isOfb` needs. */
export const OFB_SIGNATURE_BYTES = SIGNATURE.length;

/** Returns whether a file starts with the OFB signature. */
export function isOfb(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, SIGNATURE.length)).toString('latin1') === SIGNATURE;
}

/** Parses the header of an OFB file. Returns null if the file is not OFB or its header is incomplete. */
export function parseOfbHeader(bytes: Uint8Array): OfbHeader | null {
  if (!isOfb(bytes)) return null;
  const text = Buffer.from(bytes.subarray(0, MAX_HEADER_BYTES)).toString('utf8');
  const end = text.indexOf(HEADER_END);
  if (end < 0) return null;
  const lines = text.slice(SIGNATURE.length, end).split('\n');
  const fields = new Map(
    lines.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()]),
  );
  const field = (name: string) => fields.get(name)?.slice(0, 100) || null;
  const complete = Buffer.from(bytes.subarray(-64)).toString('latin1').trimEnd().endsWith(FILE_END);
  return { version: field('Version'), kernel: field('KernelInfo'), savedAt: field('TimeStamp'), complete };
}
