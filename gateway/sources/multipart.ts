// Writes GraphQL multipart requests: the operations, the map from files to variables, then the files.
import { Upload } from '../../http/request/upload.ts';

export type MultipartFile = { path: string; upload: Upload };

/** Returns the value with null in place of every file, and adds the files and their paths to `files`. */
export function extractFiles(value: unknown, path: string, files: MultipartFile[]): unknown {
  if (value instanceof Upload) {
    files.push({ path, upload: value });
    return null;
  }
  if (Array.isArray(value)) return value.map((item, index) => extractFiles(item, `${path}.${index}`, files));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, extractFiles(item, `${path}.${key}`, files)]),
  );
}

/** Generates the body. Each file is read when its turn comes. */
export async function* multipartBody(
  boundary: string,
  operations: string,
  files: readonly MultipartFile[],
): AsyncGenerator<Buffer> {
  const field = (name: string, text: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const map = Object.fromEntries(files.map(({ path }, index) => [index, [path]]));
  yield Buffer.from(field('operations', operations) + field('map', JSON.stringify(map)));
  for (const [index, { upload }] of files.entries()) {
    const { filename, mimetype, createReadStream } = await upload.promise;
    const disposition = `form-data; name="${index}"; filename="${encodeURIComponent(filename)}"`;
    yield Buffer.from(
      `--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${encodeHeaderText(mimetype)}\r\n\r\n`,
    );
    yield* createReadStream();
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

const encodeHeaderText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '') || 'application/octet-stream';

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
