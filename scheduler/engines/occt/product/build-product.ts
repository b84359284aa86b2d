import {
  type AsmInstance,
  type AsmJson,
  type AsmReference,
  type AsmTemplate,
  identOf,
} from '../../../../subgraphs/core/domain/assembly/asm-json.ts';
import { parseTransform } from '../../../../subgraphs/core/domain/assembly/asm-transform.ts';
import { fail } from '../job-failure.ts';
import { LIMITS } from '../limits.ts';
import type { Matrix } from './matrix.ts';
import type { Assembly, Definition, Use, Warning } from './product.ts';

/** Loads referenced products, collects warnings and counts the templates that are currently being loaded. */
export type AssemblySources = {
  load(reference: AsmReference, ident: string): Definition;
  warnings: Warning[];
  loading: { count: number };
};

/**
 * Builds the product tree of a validated asm.json. A template is loaded when its first instance is built. Constraints
 * are not solved: an instance is placed by its transform. Throws JobFailure for patterns, for templates that require
 * ClassCAD, for cyclic or too deep assemblies, and for instances that have constraints but no transform.
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
      lazyDefinition(ident, sources, () => definitionOf(template, ident, scope, sources)),
    );
  });
  const constrained = constrainedInstances(asm, name, sources.warnings);
  const instances =
    asm.instances ??
    asm.templates.map((template, i): AsmInstance => ({ ident: identOf(template, i), template: identOf(template, i) }));
  return { name, shape: null, uses: instances.map((instance) => useOf(instance, scope, constrained)) };
}

// Loads a template once, on first use; a template that requires itself is a cycle.
function lazyDefinition(ident: string, { loading }: AssemblySources, load: () => Definition): () => Definition {
  let definition: Definition | null = null;
  let busy = false;
  return () => {
    if (definition) return definition;
    if (busy) fail('cycle', `assembly contains itself: ${ident}`);
    if (loading.count >= LIMITS.depth) fail('too_deep', `assembly is nested more than ${LIMITS.depth} levels deep`);
    busy = true;
    loading.count++;
    definition = load();
    loading.count--;
    busy = false;
    return definition;
  };
}

function definitionOf(template: AsmTemplate, ident: string, scope: Scope, sources: AssemblySources): Definition {
  if (template.assembly) return build(template.assembly, ident, scope, sources);
  if (template.reference) return sources.load(template.reference, ident);
  if (template.base64 !== undefined) {
    fail(
      'needs_classcad',
      `template ${ident} contains an OFB file: OFB requires a ClassCAD engine; the built-in engine reads and writes STEP`,
    );
  }
  fail(
    'unsupported_template',
    `template ${ident} consists of ClassCAD features; the built-in engine supports only STEP parts`,
  );
}

function useOf({ ident, template, transform }: AsmInstance, scope: Scope, constrained: Set<string>): Use {
  if (!transform && constrained.has(ident)) {
    fail(
      'unplaced_instance',
      `instance ${ident} is placed only by constraints; the built-in engine requires a transform`,
    );
  }
  return { definition: scope.get(template)!(), name: ident, transform: matrixOf(transform, ident) };
}

function matrixOf(transform: unknown, ident: string): Matrix {
  const read = parseTransform(transform, ident);
  return 'matrix' in read ? read.matrix : fail(read.error.code, read.error.message);
}

// Returns the names of the instances that have constraints.
function constrainedInstances({ constraints = [] }: AsmJson, name: string, warnings: Warning[]): Set<string> {
  if (constraints.some(({ type }) => type.endsWith('LinearPatternConstraint'))) {
    fail(
      'unsupported_constraint',
      `assembly ${name}: patterns require a ClassCAD engine; the built-in engine places instances by their transforms`,
    );
  }
  if (constraints.length) {
    const message = `assembly ${name}: ${constraints.length} constraints are not solved; the stored transforms are used`;
    warnings.push({ code: 'constraints_ignored', message });
  }
  return new Set(constraints.flatMap(({ mate1, mate2 }) => [...namesIn(mate1?.path), ...namesIn(mate2?.path)]));
}

// Older files write mate paths as "/Assembly/Instance", newer ones as lists; each name in them counts as constrained.
function namesIn(path: unknown): string[] {
  const parts = Array.isArray(path) ? path : [path ?? ''];
  return parts.flatMap((part) => String(part).split('/')).filter(Boolean);
}
