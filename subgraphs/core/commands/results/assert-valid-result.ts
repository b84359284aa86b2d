// Validates the files that workers deliver.
import { type FieldError, refuse } from '../../domain/errors.ts';
import { GLB_CHUNK_HEAD_BYTES, GLB_HEAD_BYTES, glbBinaryBytes, glbJsonBytes } from '../../domain/jobs/glb-container.ts';
import { PNG_END_BYTES, PNG_HEAD_BYTES, pngError } from '../../domain/jobs/png-image.ts';
import { mentionMoreErrors } from '../../domain/text/pluralize.ts';
import { validateInThread } from './validate-in-thread.ts';

/** A file of a result. `read` returns the bytes from `start` up to but not including `end`. */
export type ResultFile = { kind: string; size: number; read(start: number, end: number): Promise<Buffer> };

const MiB = 2 ** 20;
/** Above this size, a GLB is validated without the values in its binary data. */
const MAX_WHOLE_GLB_BYTES = 32 * MiB;
/** Above this size, only the container of a GLB is validated. */
const MAX_GLTF_JSON_BYTES = 16 * MiB;
const MAX_JSON_BYTES = 32 * MiB;

/**
 * Throws `invalid_result` with the first errors if the file is not what its kind says: a GLB, properties,
 * measuring data or a PNG image as thumbnail. Other kinds are not validated. Returns false if the validation took too much time or memory.
 */
export async function assertValidResult(file: ResultFile): Promise<boolean> {
  const errors = await findErrors(file);
  const [first] = errors ?? [];
  if (errors && first)
    refuse(
      'invalid_result',
      `The ${file.kind} file is not valid: ${first.path ? `${first.path}: ` : 'it '}${first.message}.${mentionMoreErrors(errors)}`,
      { errors },
    );
  return errors !== null;
}

/** Returns the bytes of a file in memory as a result. */
export function resultInMemory(kind: string, bytes: Uint8Array): ResultFile {
  return { kind, size: bytes.length, read: async (start, end) => Buffer.from(bytes.subarray(start, end)) };
}

async function findErrors(file: ResultFile): Promise<FieldError[] | null> {
  const { kind, size, read } = file;
  if (kind === 'glb') return findGlbErrors(file);
  if (kind === 'thumbnail') {
    const error = pngError(await read(0, PNG_HEAD_BYTES), await read(Math.max(0, size - PNG_END_BYTES), size));
    return error ? wholeFile(error) : [];
  }
  if (kind !== 'properties' && kind !== 'measure') return [];
  if (size > MAX_JSON_BYTES) return wholeFile(`has ${size} bytes; the maximum is ${MAX_JSON_BYTES}`);
  return validateInThread(async () => ({ check: kind, bytes: await read(0, size) }));
}

async function findGlbErrors({ size, read }: ResultFile): Promise<FieldError[] | null> {
  const jsonBytes = glbJsonBytes(await read(0, GLB_HEAD_BYTES), size);
  if (typeof jsonBytes === 'string') return wholeFile(jsonBytes);
  if (size <= MAX_WHOLE_GLB_BYTES) return validateInThread(async () => ({ check: 'glb', bytes: await read(0, size) }));
  const jsonEnd = GLB_HEAD_BYTES + jsonBytes;
  const binaryBytes = glbBinaryBytes(await read(jsonEnd, jsonEnd + GLB_CHUNK_HEAD_BYTES), size - jsonEnd);
  if (typeof binaryBytes === 'string') return wholeFile(binaryBytes);
  if (jsonBytes > MAX_GLTF_JSON_BYTES) return [];
  return validateInThread(async () => ({ check: 'gltf', bytes: await read(GLB_HEAD_BYTES, jsonEnd), binaryBytes }));
}

function wholeFile(message: string): FieldError[] {
  return [{ path: '', message }];
}
