// The container of a binary glTF file: a header of 12 bytes, the chunk with the JSON, and at most one with binary data.

/** The bytes before the JSON: the header and the length and type of its chunk. */
export const GLB_HEAD_BYTES = 20;
/** The length and type of a chunk. */
export const GLB_CHUNK_HEAD_BYTES = 8;

const MAGIC = 0x46546c67; // "glTF"
const JSON_TYPE = 0x4e4f534a; // "JSON"
const BINARY_TYPE = 0x004e4942; // "BIN"

/** Returns the length of the JSON of a file with this head and size, or what is wrong with the head. */
export function glbJsonBytes(head: Buffer, size: number): number | string {
  if (head.length < GLB_HEAD_BYTES || head.readUInt32LE(0) !== MAGIC) return 'is not a binary glTF file';
  const [version, length, jsonBytes, type] = [4, 8, 12, 16].map((offset) => head.readUInt32LE(offset));
  if (version !== 2) return `has the container version ${version}, not 2`;
  if (length !== size) return `has ${size} bytes, but its header says ${length}`;
  if (type !== JSON_TYPE) return 'does not start with a JSON chunk';
  if (GLB_HEAD_BYTES + jsonBytes! > size) return 'has a JSON chunk that is longer than the file';
  return jsonBytes!;
}

/**
 * Returns the length of the binary data that starts with this chunk head, 0 for no further chunk, or what is wrong
 * with it. `rest`: the bytes of the file after the JSON.
 */
export function glbBinaryBytes(head: Buffer, rest: number): number | string {
  if (!rest) return 0;
  if (head.length < GLB_CHUNK_HEAD_BYTES) return 'ends within the head of a chunk';
  const [bytes, type] = [head.readUInt32LE(0), head.readUInt32LE(4)];
  if (type !== BINARY_TYPE) return 'has no binary chunk after the JSON chunk';
  return bytes > rest - GLB_CHUNK_HEAD_BYTES ? 'has a binary chunk that is longer than the file' : bytes;
}
