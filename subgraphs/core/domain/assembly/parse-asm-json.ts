// Parses asm.json files and lists their references.

import { DomainError, type FieldError, refuse } from '../errors.ts';
import { parseJson, parseStoredJson } from '../text/parse-json.ts';
import { mentionMoreErrors } from '../text/pluralize.ts';
import { type AsmJson, validateAsmJson } from './asm-json.ts';
import { type AssemblyLine, assemblyLines } from './asm-references.ts';

// 50 levels of assemblies with 4 JSON levels each, and the content of the deepest template.
const MAX_DEPTH = 50 * 4 + 16;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Parses an asm.json and returns its references. Throws `invalid_asm_json` with all errors as JSON pointers. */
export function parseAsmJson(file: string | Uint8Array): AssemblyLine[] {
  return linesOf(parse(file, parseJson));
}

/** Parses a stored asm.json like `parseAsmJson`, but accepts the duplicate keys that earlier versions stored. */
export function parseStoredAsmJson(file: string | Uint8Array): AssemblyLine[] {
  return linesOf(parse(file, parseStoredJson));
}

/**
 * Parses an uploaded asm.json like `parseAsmJson`, but rejects a byte order mark: the file is stored as is, and not all
 * parsers skip the mark.
 */
export function parseUploadedAsmJson(bytes: Uint8Array): AssemblyLine[] {
  if (BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte))
    refuse('invalid_asm_json', 'The asm.json starts with a byte order mark. Save it as UTF-8 without one.', {
      errors: [{ path: '', message: 'must not start with a byte order mark' }],
    });
  return parseAsmJson(bytes);
}

/**
 * Parses an asm.json that was valid before and of which only addresses have changed, without validating the rest again.
 */
export function parseRewrittenAsmJson(text: string): AssemblyLine[] {
  const read = assemblyLines(JSON.parse(text) as AsmJson);
  return 'errors' in read ? refuseErrors(read.errors) : read.lines;
}

function linesOf(value: unknown): AssemblyLine[] {
  const checked = validateAsmJson(value, 'stored');
  if ('errors' in checked) return refuseErrors(checked.errors);
  const read = assemblyLines(checked.asm);
  return 'errors' in read ? refuseErrors(read.errors) : read.lines;
}

function parse(file: string | Uint8Array, parser: typeof parseJson): unknown {
  try {
    return parser(file, 'The asm.json', MAX_DEPTH);
  } catch (error) {
    if (error instanceof DomainError) return refuse('invalid_asm_json', error.message, error.details);
    throw error;
  }
}

function refuseErrors(errors: readonly FieldError[]): never {
  const [first] = errors;
  return refuse(
    'invalid_asm_json',
    `The asm.json is not valid: ${first?.path || 'the file'} ${first?.message}.${mentionMoreErrors(errors)}`,
    { errors },
  );
}
