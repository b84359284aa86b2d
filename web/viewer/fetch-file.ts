import { rest } from '../shell/ask.ts';

/** A whole file; `onProgress` is told the part of it that has come, 0…1. Refuses as `rest` does. */
export async function fetchFile(
  path: string,
  size: number,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<ArrayBuffer> {
  const { body } = await rest(path, { signal });
  if (!body) throw new Error('The file came without its content.');
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for (let reader = body.getReader(), step = await reader.read(); !step.done; step = await reader.read()) {
    chunks.push(step.value);
    received += step.value.length;
    onProgress(Math.min(1, received / Math.max(1, size)));
  }
  return new Blob(chunks).arrayBuffer();
}
