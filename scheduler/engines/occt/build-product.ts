import {
  type AsmInstance,
  type AsmJson,
  type AsmReference,
  type AsmTemplate,
  identOf,
} from '../../../subgraphs/core/domain/asm-json.ts';
import { readTransform } from '../../../subgraphs/core/domain/asm-transform.ts';
import { LIMITS } from './limits.ts';
import type { Matrix } from './matrix.ts';
import type { Assembly, Definition, Use, Warning } from './product.ts';
import { refuse } from './refusal.ts';

/** What an asm.json needs from outside: the product behind a reference, a place for warnings, and how many templates are being loaded right now. */
export type AssemblySources = {
  load(reference: AsmReference, ident: string): Definition;
  warnings: Warning[];
  loading: { count: number };
};

/**
 * The product tree of a checked asm.json. A template is loaded when the first instance asks for it. Constraints are not solved: an instance stands
 * where its transform says, and one that only constraints place is refused, as are patterns and templates that need ClassCAD.
 */
export function buildProduct(asm: AsmJson, name: string, sources: AssemblySources): Assembly {
  return build(asm, name, new Map(), sources);
}

type Scope = Map<string, () => Definition>;

function build(asm: AsmJson, name: string, outer: Scope, sources: AssemblySources): Assembly {
  const scope: Scope = new Map(outer);
  asm.templates.forEach((template, i) => {
    const ident = identOf(template, i);
    scope.set(
      ident,
      loadedOnce(ident, sources, () => definitionOf(template, ident, scope, sources)),
    );
  });
  const bound = boundByConstraints(asm, name, sources.warnings);
  const instances =
    asm.instances ??
    asm.templates.map((template, i): AsmInstance => ({ ident: identOf(template, i), template: identOf(template, i) }));
  return { name, shape: null, uses: instances.map((instance) => useOf(instance, scope, bound)) };
}

// Templates are looked up in their own list, then outward; each is made once, and one that needs itself is a cycle.
function loadedOnce(ident: string, { loading }: AssemblySources, load: () => Definition): () => Definition {
  let made: Definition | null = null;
  let busy = false;
  return () => {
    if (made) return made;
    if (busy) refuse('cycle', `assembly contains itself: ${ident}`);
    if (loading.count >= LIMITS.depth) refuse('too_deep', `assembly is nested more than ${LIMITS.depth} levels deep`);
    busy = true;
    loading.count++;
    made = load();
    loading.count--;
    busy = false;
    return made;
  };
}

function definitionOf(template: AsmTemplate, ident: string, scope: Scope, sources: AssemblySources): Definition {
  if (template.assembly) return build(template.assembly, ident, scope, sources);
  if (template.reference) return sources.load(template.reference, ident);
  if (template.base64 !== undefined) {
    refuse(
      'needs_classcad',
      `template ${ident} holds an OFB file: OFB needs the ClassCAD engine; the built-in engine reads and writes STEP`,
    );
  }
  refuse(
    'unsupported_template',
    `template ${ident} is built from ClassCAD features; the built-in engine places STEP parts`,
  );
}

function useOf({ ident, template, transform }: AsmInstance, scope: Scope, bound: Set<string>): Use {
  if (!transform && bound.has(ident)) {
    refuse(
      'unplaced_instance',
      `instance ${ident} is placed by constraints only; the built-in engine needs its transform`,
    );
  }
  return { of: scope.get(template)!(), name: ident, transform: placed(transform, ident) };
}

function placed(transform: unknown, ident: string): Matrix {
  const read = readTransform(transform, ident);
  return 'matrix' in read ? read.matrix : refuse(read.fault.code, read.fault.message);
}

// The names of the instances that constraints move.
function boundByConstraints({ constraints = [] }: AsmJson, name: string, warnings: Warning[]): Set<string> {
  if (constraints.some(({ type }) => type.endsWith('LinearPatternConstraint'))) {
    refuse(
      'unsupported_constraint',
      `assembly ${name}: patterns need the ClassCAD engine; the built-in engine places instances by their transform`,
    );
  }
  if (constraints.length) {
    const message = `assembly ${name}: ${constraints.length} constraints are not solved; the stored transforms are used`;
    warnings.push({ code: 'constraints_ignored', message });
  }
  return new Set(constraints.flatMap(({ mate1, mate2 }) => [...namesIn(mate1?.path), ...namesIn(mate2?.path)]));
}

// Older files write mate paths as "/Assembly/Instance", newer ones as lists of names; every name in them counts as bound.
function namesIn(path: unknown): string[] {
  const parts = Array.isArray(path) ? path : [path ?? ''];
  return parts.flatMap((part) => String(part).split('/')).filter(Boolean);
}
