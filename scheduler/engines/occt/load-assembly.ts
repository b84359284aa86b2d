import { type AsmJson, type AsmReference, checkAsmJson } from '../../../subgraphs/core/domain/asm-json.ts';
import { type AssemblySources, buildProduct } from './build-product.ts';
import type { Kernel } from './kernel.ts';
import { shortName } from './limits.ts';
import { loadProduct } from './load-product.ts';
import type { Definition, Warning } from './product.ts';
import { checkStep } from './read-step.ts';
import { Refusal, refuse } from './refusal.ts';
import { checkTree } from './step/check-tree.ts';

/** Hands out the bytes of a location; refuses what was not handed to the engine. */
export type ReadLocation = (location: string) => Buffer;

/**
 * The product of a resolved asm.json with the STEP files and further asm.json it refers to. Each location is loaded once, so that instances of one
 * document share its definition at any depth. A refusal that concerns a part names it. Shapes live until the caller's stack is disposed.
 */
export function loadAssembly(
  kernel: Kernel,
  bytes: Buffer,
  name: string,
  read: ReadLocation,
  maxBytes: number,
  shapes: DisposableStack,
) {
  const warnings: Warning[] = [];
  const loaded = new Map<string, Definition | 'loading'>();
  const sources: AssemblySources = { load, warnings, loading: { count: 0 } };

  function load(reference: AsmReference, ident: string): Definition {
    const { location } = reference;
    const known = loaded.get(location);
    if (known === 'loading') refuse('cycle', `assembly contains itself: ${ident}`);
    if (known) return known;
    if (reference.type === 'ofb') {
      refuse(
        'needs_classcad',
        `template ${ident} has only an OFB file: OFB needs the ClassCAD engine; the built-in engine reads and writes STEP`,
      );
    }
    loaded.set(location, 'loading');
    const definition = namingPart(ident, () =>
      reference.type === 'json' ? assembly(reference, ident) : part(location, ident),
    );
    loaded.set(location, definition);
    return definition;
  }

  function assembly({ location, name: documentName }: AsmReference, ident: string): Definition {
    return buildProduct(checked(read(location)), documentName ?? ident, sources);
  }

  function part(location: string, ident: string): Definition {
    const product = loadProduct(kernel, checkStep(read(location), maxBytes), shapes);
    warnings.push(
      ...product.warnings.map(({ code, message }) => ({ code, message: `${shortName(ident)}: ${message}` })),
    );
    return product.root;
  }

  const root = buildProduct(checked(bytes), name, sources);
  checkTree<Definition>([root], (definition) => (definition.uses ?? []).map((use) => use.of));
  return { root, warnings };
}

// The innermost part is named: it is the one whose file is at fault.
function namingPart<T>(ident: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    throw error instanceof Refusal && error.part === null ? new Refusal(error.code, error.message, ident) : error;
  }
}

function checked(bytes: Buffer): AsmJson {
  const result = checkAsmJson(parse(bytes), 'resolved');
  if ('asm' in result) return result.asm;
  const [first, ...more] = result.faults.slice(0, 5).map(({ path, message }) => `${path || '/'} ${message}`);
  refuse('invalid_asm_json', `asm.json is not valid: ${[first, ...more].join('; ')}`);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    refuse('invalid_asm_json', `asm.json is not valid: ${error instanceof Error ? error.message : error}`);
  }
}
