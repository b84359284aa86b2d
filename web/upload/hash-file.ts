import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const CHUNK_BYTES = 1 << 20; // takes a few ms, so that the page stays responsive

/**
 * Returns the SHA-256 of a file in lower-case hexadecimal digits. Reads it in chunks, because `crypto.subtle` needs all
 * bytes at once and does not exist over plain HTTP. Calls `onRead` with the number of bytes of each chunk.
 */
export async function hashFile(file: Blob, signal: AbortSignal, onRead: (bytes: number) => void): Promise<string> {
  const hash = sha256.create();
  for (let start = 0; start < file.size; start += CHUNK_BYTES) {
    signal.throwIfAborted();
    const chunk = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer());
    hash.update(chunk);
    onRead(chunk.length);
  }
  return bytesToHex(hash.digest());
}
