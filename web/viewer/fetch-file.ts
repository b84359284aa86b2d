// Downloads a file with progress.
import { restRequest } from '../shell/api-client.ts';

/** Downloads a file. Calls `onProgress` with the received fraction, 0…1. Throws the errors of `restRequest`. */
export async function fetchFile(
  path: string,
  size: number,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<ArrayBuffer> {
  const { body } = await restRequest(path, { signal });
  if (!body) throw new Error('The response has no body.');
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for (let reader = body.getReader(), step = await reader.read(); !step.done; step = await reader.read()) {
    chunks.push(step.value);
    received += step.value.length;
    onProgress(Math.min(1, received / Math.max(1, size)));
  }
  return new Blob(chunks).arrayBuffer();
}
