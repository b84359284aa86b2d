import { gunzipSync } from 'node:zlib';
import { inflate, unzip } from '../formats/unzip.ts';
import { isZip, listEntries } from '../formats/zip-directory.ts';
import { fail } from '../job-failure.ts';
import { sanitizeName } from '../limits.ts';

/**
 * Returns the STEP file in a gzip file or ZIP archive (.stpz, .stp.gz, .zip), or other bytes as they are. Throws
 * JobFailure `too_large` if it has more than `maxBytes`, `truncated` if it is damaged, `unsupported_format` if an
 * archive does not contain exactly one STEP file.
 */
export function unpackStep(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length > 2 && bytes.readUInt16BE(0) === 0x1f8b)
    return inflate(() => gunzipSync(bytes, { maxOutputLength: maxBytes }), maxBytes);
  return isZip(bytes) ? onlyStepFile(bytes, maxBytes) : bytes;
}

/** The name of a STEP file in an archive, without the files that macOS adds. */
export const STEP_ENTRY = /^(?!.*(?:^|\/)[._]).*\.(?:stp|step|p21)$/i;

/** Returns whether the bytes are a ZIP archive with several STEP files. */
export const hasSeveralStepFiles = (bytes: Buffer): boolean => isZip(bytes) && stepFilesIn(bytes).length > 1;

const stepFilesIn = (bytes: Buffer): string[] =>
  listEntries(bytes).flatMap(({ name }) => (STEP_ENTRY.test(name) ? name : []));

function onlyStepFile(bytes: Buffer, maxBytes: number): Buffer {
  const names = stepFilesIn(bytes);
  if (names.length !== 1) {
    const listed = names.slice(0, 3).map(sanitizeName).join(', ');
    const found = names.length ? `${names.length} STEP files (${listed})` : 'no STEP file';
    fail('unsupported_format', `the ZIP archive contains ${found}; upload one STEP file`);
  }
  const [file] = unzip(bytes, STEP_ENTRY, maxBytes).values();
  return file!;
}
