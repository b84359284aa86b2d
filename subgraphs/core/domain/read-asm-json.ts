import { type AsmFault, type AsmJson, checkAsmJson } from './asm-json.ts';
import { type AssemblyLine, assemblyLines } from './asm-references.ts';
import { ofOthers } from './counted.ts';
import { DomainError, refuse } from './errors.ts';
import { parseJson } from './parse-json.ts';
import { utf8 } from './utf8.ts';

// 50 levels of assemblies, each a list of templates with an assembly inside, and what lies deepest
const DEEPEST = 50 * 4 + 16;

/** Reads the text of an asm.json and answers what it uses. Refuses with `invalid_asm_json`, telling all faults at once with JSON pointers. */
export function readAsmJson(text: string): AssemblyLine[] {
  const checked = checkAsmJson(parsed(text), 'stored');
  if ('faults' in checked) return refuseFaults(checked.faults);
  const read = assemblyLines(checked.asm);
  return 'faults' in read ? refuseFaults(read.faults) : read.lines;
}

/** The same for a file as it came; it is UTF-8. */
export function readAsmJsonFile(bytes: Uint8Array): AssemblyLine[] {
  const text = utf8(bytes);
  if (text === null)
    return refuse('invalid_asm_json', 'The asm.json is not UTF-8. Save it as that.', { errors: [{ path: '', message: 'must be UTF-8' }] });
  if (text.startsWith('\ufeff'))
    refuse('invalid_asm_json', 'The asm.json begins with a byte order mark. Save it as UTF-8 without one.', {
      errors: [{ path: '', message: 'must not begin with a byte order mark' }],
    });
  return readAsmJson(text);
}

/** The same for a file that was read before and has had nothing changed in it but addresses: the rest of it is not checked again. */
export function readAgain(text: string): AssemblyLine[] {
  const read = assemblyLines(JSON.parse(text) as AsmJson);
  return 'faults' in read ? refuseFaults(read.faults) : read.lines;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, 'The asm.json', DEEPEST);
  } catch (error) {
    if (error instanceof DomainError) return refuse('invalid_asm_json', error.message, error.details);
    throw error;
  }
}

function refuseFaults(errors: readonly AsmFault[]): never {
  const [first] = errors;
  return refuse('invalid_asm_json', `The asm.json is not valid: ${first?.path || 'the file'} ${first?.message}.${ofOthers(errors)}`, { errors });
}
