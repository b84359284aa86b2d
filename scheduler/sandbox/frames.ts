// Length-prefixed frames for files that enter the sandbox (descriptor 0) and results that leave it (descriptor 4):
//   u32 length of the name, u32 length of the content (little endian), name in UTF-8, content

export type Frame = { name: string; bytes: Buffer };

/** Encodes a file as a frame. */
export function encodeFrame(name: string, bytes: Uint8Array): Buffer {
  const nameBytes = Buffer.from(name);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(nameBytes.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, nameBytes, bytes]);
}

/** Decodes frames from an untrusted sender. Throws an Error for any malformed input. */
export function decodeFrames(
  bytes: Buffer,
  { maxFrames, maxName = 400 }: { maxFrames: number; maxName?: number },
): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (frames.length === maxFrames) throw new Error(`more than ${maxFrames} frames`);
    if (at + 8 > bytes.length) throw new Error('truncated frame');
    const nameLength = bytes.readUInt32LE(at);
    const end = at + 8 + nameLength + bytes.readUInt32LE(at + 4);
    if (nameLength === 0 || nameLength > maxName) throw new Error(`the length of a frame name is not 1 to ${maxName}`);
    if (end > bytes.length) throw new Error('truncated frame');
    const name = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at + 8, at + 8 + nameLength));
    frames.push({ name, bytes: bytes.subarray(at + 8 + nameLength, end) });
    at = end;
  }
  return frames;
}
