import { type AsmJson, type AsmReference, validateAsmJson } from '../../../subgraphs/core/domain/assembly/asm-json.ts';
import { fail, withPartName } from './job-failure.ts';
import type { Kernel } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import { type AssemblySources, buildProduct } from './product/build-product.ts';
import { loadProduct } from './product/load-product.ts';
import type { Definition, Warning } from './product/product.ts';
import { checkStep } from './read-step.ts';
import { assertProductTree } from './step/assert-product-tree.ts';

/** Returns the file at a location. Throws JobFailure `missing_file` if it was not passed to the engine. */
export type ReadLocation = (location: string) => Buffer;

/**
 * Loads the product of a resolved asm.json with the STEP files and asm.json files it references. Each location is
 * loaded once, so instances of one document share its definition at any depth. A JobFailure names the part that caused
 * it. The shapes are disposed with `shapes`.
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
    if (known === 'loading') fail('cycle', `assembly contains itself: ${ident}`);
    if (known) return known;
    if (reference.type === 'ofb') {
      fail(
        'needs_classcad',
        `template ${ident} has only an OFB file: OFB requires a ClassCAD engine; the built-in engine reads and writes STEP`,
      );
    }
    loaded.set(location, 'loading');
    const definition = withPartName(ident, () =>
      reference.type === 'json' ? assembly(reference, ident) : part(location, ident),
    );
    loaded.set(location, definition);
    return definition;
  }

  function assembly({ location, name: documentName }: AsmReference, ident: string): Definition {
    return buildProduct(parseAsmJson(read(location)), documentName ?? ident, sources);
  }

  function part(location: string, ident: string): Definition {
    const product = loadProduct(kernel, checkStep(read(location), maxBytes), shapes);
    warnings.push(
      ...product.warnings.map(({ code, message }) => ({ code, message: `${sanitizeName(ident)}: ${message}` })),
    );
    return product.root;
  }

  const root = buildProduct(parseAsmJson(bytes), name, sources);
  assertProductTree<Definition>([root], (definition) => (definition.uses ?? []).map((use) => use.definition));
  return { root, warnings };
}

function parseAsmJson(bytes: Buffer): AsmJson {
  const result = validateAsmJson(parseJson(bytes), 'resolved');
  if ('asm' in result) return result.asm;
  const [first, ...more] = result.errors.slice(0, 5).map(({ path, message }) => `${path || '/'} ${message}`);
  fail('invalid_asm_json', `asm.json is not valid: ${[first, ...more].join('; ')}`);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    fail('invalid_asm_json', 'asm.json is not valid: it is not JSON');
  }
}
