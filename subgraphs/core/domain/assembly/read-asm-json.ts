import { DomainError, refuse } from '../errors.ts';
import { mentionMoreErrors } from '../text/pluralize.ts';
import { parseJson, parseStoredJson } from '../text/parse-json.ts';
import { type AsmFault, type AsmJson, checkAsmJson } from './asm-json.ts';
import { type AssemblyLine, assemblyLines } from './asm-references.ts';

// 50 levels of assemblies, each a list of templates with an assembly inside, and what lies deepest
const DEEPEST = 50 * 4 + 16;
const MARK = [0xef, 0xbb, 0xbf];

/** Reads an asm.json and answers what it uses. Refuses with `invalid_asm_json`, telling all faults at once with JSON pointers. */
export function readAsmJson(file: string | Uint8Array): AssemblyLine[] {
  return linesOf(parsed(file, parseJson));
}

/** The same for a file that is stored, maybe by a version of the service that let more in. */
export function readStoredAsmJson(file: string | Uint8Array): AssemblyLine[] {
  return linesOf(parsed(file, parseStoredJson));
}

/** The same for a file that is going to be kept as it came: not every reader of it passes over a byte order mark. */
export function readAsmJsonFile(bytes: Uint8Array): AssemblyLine[] {
  if (MARK.every((byte, at) => bytes[at] === byte))
    refuse('invalid_asm_json', 'The asm.json begins with a byte order mark. Save it as UTF-8 without one.', {
      errors: [{ path: '', message: 'must not begin with a byte order mark' }],
    });
  return readAsmJson(bytes);
}

/** The same for a file that was read before and has had nothing changed in it but addresses: the rest of it is not checked again. */
export function readAgain(text: string): AssemblyLine[] {
  const read = assemblyLines(JSON.parse(text) as AsmJson);
  return 'faults' in read ? refuseFaults(read.faults) : read.lines;
}

function linesOf(said: unknown): AssemblyLine[] {
  const checked = checkAsmJson(said, 'stored');
  if ('faults' in checked) return refuseFaults(checked.faults);
  const read = assemblyLines(checked.asm);
  return 'faults' in read ? refuseFaults(read.faults) : read.lines;
}

function parsed(file: string | Uint8Array, parse: typeof parseJson): unknown {
  try {
    return parse(file, 'The asm.json', DEEPEST);
  } catch (error) {
    if (error instanceof DomainError) return refuse('invalid_asm_json', error.message, error.details);
    throw error;
  }
}

function refuseFaults(errors: readonly AsmFault[]): never {
  const [first] = errors;
  return refuse(
    'invalid_asm_json',
    `The asm.json is not valid: ${first?.path || 'the file'} ${first?.message}.${mentionMoreErrors(errors)}`,
    { errors },
  );
}
