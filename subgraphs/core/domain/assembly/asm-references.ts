// Lists the references of an asm.json with their quantities.

import type { FieldError } from '../errors.ts';
import { type Address, addressKey, parseAddress } from './address.ts';
import { type AsmJson, type AsmTemplate, identOf } from './asm-json.ts';

/** One reference of an asm.json: `path` is its JSON pointer, `quantity` how often it is placed. */
export type Occurrence = { path: string; quantity: number };

/**
 * All references of an assembly with the same address. `line` is numbered from 1 by first occurrence, `quantity` is
 * their sum.
 */
export type AssemblyLine = Address & { line: number; location: string; quantity: number; occurrences: Occurrence[] };

// Limits of one file; larger assemblies need sub-assemblies.
const MAX_REFERENCES = 20_000;
const MAX_POINTER_CHARACTERS = 4_000_000;

/**
 * A list of templates and instances: the file itself or a nested assembly. `times` is how often it is placed, `awaits`
 * the number of instances that place it and were not visited yet.
 */
type Scope = {
  asm: AsmJson;
  path: string;
  outer: Scope | null;
  times: number;
  awaits: number;
  templates: Map<string, Template>;
};
type Template = { path: string; scope: Scope | null; reference: string | null; times: number };

/**
 * Returns the references of a validated asm.json at every depth with their quantities, multiplied through nested
 * assemblies. Returns errors for a template that contains itself and for too many references.
 */
export function assemblyLines(asm: AsmJson): { lines: AssemblyLine[] } | { errors: FieldError[] } {
  const scopes = scopesOf(asm);
  const sorted = sortOutermostFirst(scopes);
  if (!sorted) return { errors: [{ path: '', message: 'a template contains itself' }] };
  for (const scope of sorted) countInstances(scope);

  const lines = new Map<string, AssemblyLine>();
  let references = 0;
  let characters = 0;
  for (const scope of scopes) {
    for (const { reference, path, times } of scope.templates.values()) {
      if (reference === null) continue;
      references++;
      characters += path.length;
      if (!Number.isSafeInteger(times))
        return { errors: [{ path, message: 'is placed too often: the quantity is too large' }] };
      const address = parseAddress(reference);
      const key = addressKey(address);
      const line = lines.get(key) ?? {
        ...address,
        line: lines.size + 1,
        location: reference,
        quantity: 0,
        occurrences: [],
      };
      line.quantity += times;
      line.occurrences.push({ path: `${path}/reference`, quantity: times });
      lines.set(key, line);
    }
  }
  if (references > MAX_REFERENCES || characters > MAX_POINTER_CHARACTERS)
    return {
      errors: [
        {
          path: '/templates',
          message: `has ${references} references, which exceeds the limit of ${MAX_REFERENCES} or the nesting limit; use sub-assemblies`,
        },
      ],
    };
  return { lines: [...lines.values()] };
}

/** Sorts occurrences of several lines by their position in the file. */
export function sortInFileOrder<O extends { path: string }>(occurrences: readonly O[]): O[] {
  const keyed = occurrences.map((occurrence) => ({ occurrence, steps: occurrence.path.split('/').map(Number) }));
  return keyed.sort((a, b) => compareSteps(a.steps, b.steps)).map(({ occurrence }) => occurrence);
}

// Compares the indexes in paths; the names between them are the same at the same depth.
function compareSteps(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((step, i) => !Number.isNaN(step) && step !== b[i]);
  return differs < 0 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0);
}

// Returns the file and its nested assemblies in file order.
function scopesOf(asm: AsmJson): Scope[] {
  const scopes: Scope[] = [];
  const stack: Scope[] = [scopeOf(asm, '', null)];
  for (let scope = stack.pop(); scope; scope = stack.pop()) {
    scopes.push(scope);
    const nested = [...scope.templates.values()].flatMap((template) => (template.scope ? [template.scope] : []));
    stack.push(...nested.reverse());
  }
  return scopes;
}

function scopeOf(asm: AsmJson, path: string, outer: Scope | null): Scope {
  const scope: Scope = { asm, path, outer, times: outer ? 0 : 1, awaits: 0, templates: new Map() };
  asm.templates.forEach((template, i) => {
    scope.templates.set(identOf(template, i), templateOf(template, `${path}/templates/${i}`, scope));
  });
  return scope;
}

function templateOf(template: AsmTemplate, path: string, outer: Scope): Template {
  return {
    path,
    scope: template.assembly ? scopeOf(template.assembly, `${path}/assembly`, outer) : null,
    reference: template.reference?.location ?? null,
    times: 0,
  };
}

/**
 * Yields the template of each instance, looked up in its own scope, then outward. Without instances each template is
 * placed once.
 */
function* placedTemplates({ asm, templates, outer }: Scope): Iterable<Template> {
  if (!asm.instances) {
    yield* templates.values();
    return;
  }
  for (const { template } of asm.instances) {
    let found = templates.get(template);
    for (let scope = outer; !found && scope; scope = scope.outer) found = scope.templates.get(template);
    if (found) yield found;
  }
}

// Sorts scopes so that each follows all scopes that place it (Kahn's algorithm). Returns null if some contain
// themselves.
function sortOutermostFirst(scopes: readonly Scope[]): Scope[] | null {
  for (const scope of scopes)
    for (const template of placedTemplates(scope)) if (template.scope) template.scope.awaits++;
  const order = scopes.filter(({ awaits }) => awaits === 0);
  for (const scope of order) {
    for (const template of placedTemplates(scope))
      if (template.scope && --template.scope.awaits === 0) order.push(template.scope);
  }
  return order.length === scopes.length ? order : null;
}

function countInstances(scope: Scope): void {
  for (const template of placedTemplates(scope)) {
    template.times += scope.times;
    if (template.scope) template.scope.times += scope.times;
  }
}
