import { type FileHandle, open } from 'node:fs/promises';

/**
 * Appends a checkpoint to a file, on disk when this resolves. An empty line stands before and after each, also after one that a power
 * cut has left half written.
 */
export async function appendCheckpoint(path: string, note: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    await file.appendFile(`${(await endsWell(file)) ? '' : '\n\n'}${note}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function endsWell(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read({ buffer: Buffer.alloc(2), position: Math.max(0, size - 2) });
  return buffer.toString() === '\n\n';
}
