import { type FileHandle, open } from 'node:fs/promises';

/**
 * Appends a checkpoint to a file and resolves when it is on disk. Empty lines separate checkpoints, even after one that
 * a power failure left incomplete.
 */
export async function appendCheckpoint(path: string, note: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    await file.appendFile(`${(await endsWithEmptyLine(file)) ? '' : '\n\n'}${note}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function endsWithEmptyLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read({ buffer: Buffer.alloc(2), position: Math.max(0, size - 2) });
  return buffer.toString() === '\n\n';
}
