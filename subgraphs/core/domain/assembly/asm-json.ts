// The asm.json format and its validation.

import type { FieldError } from '../errors.ts';
import { isObject } from '../text/is-object.ts';
import { ADDRESS } from './address.ts';
import { parseTransform } from './asm-transform.ts';

/**
 * An assembly in ClassCAD's JSON format: its parts (templates), their placements (instances) and constraints, which are
 * stored but not solved.
 */
export type AsmJson = {
  version?: 0 | 1;
  nameIfRoot?: string;
  templates: AsmTemplate[];
  instances?: AsmInstance[];
  constraints?: AsmConstraint[];
};

/** A part or assembly that instances place. In a file without instances, `ident` defaults to the index. */
export type AsmTemplate = { ident?: string; type?: 'part' | 'assembly' } & (
  | { reference: AsmReference; assembly?: undefined; base64?: undefined; geometry?: undefined }
  | { assembly: AsmJson; reference?: undefined; base64?: undefined; geometry?: undefined }
  | { base64: unknown; reference?: undefined; assembly?: undefined; geometry?: undefined }
  | { geometry: unknown; reference?: undefined; assembly?: undefined; base64?: undefined }
);

/** The source of a template: a pdm address in the stored form, a loadable location in the resolved form. */
export type AsmReference = { location: string; type?: 'stp' | 'ofb' | 'json'; name?: string };
export type AsmInstance = { ident: string; template: string; transform?: unknown };
export type AsmConstraint = { type: string; mate1?: { path?: unknown }; mate2?: { path?: unknown } };

/** `stored`: as uploaded, with pdm addresses. `resolved`: as sent to engines, with loadable locations. */
export type AsmForm = 'stored' | 'resolved';

/** Validates a parsed asm.json. Returns the assembly, or up to 100 errors. Ignores unknown fields. */
export function validateAsmJson(value: unknown, form: AsmForm): { asm: AsmJson } | { errors: FieldError[] } {
  const errors: FieldError[] = [];
  const report = (path: string, message: string) => {
    if (errors.length < MAX_ERRORS) errors.push({ path, message });
  };
  checkAssembly(value, form, '', [], report);
  return errors.length ? { errors } : { asm: value as AsmJson };
}

/** Returns the name by which instances refer to a template: its ident, or its index. */
export function identOf(template: { ident?: string }, index: number): string {
  return template.ident ?? String(index);
}

const MAX_ERRORS = 100;
const MAX_DEPTH = 50;
const CONSTRAINT =
  /^(CC_)?(FastenedOrigin|Fastened|Cylindrical|Revolute|Planar|Parallel|Slider|LinearPattern)Constraint$/;
const SOURCES = ['reference', 'assembly', 'base64', 'geometry'];

type Report = (path: string, message: string) => void;

function checkAssembly(asm: unknown, form: AsmForm, path: string, outer: Set<string>[], report: Report): void {
  if (!isObject(asm)) {
    report(path, 'must be an object');
    return;
  }
  if (outer.length > MAX_DEPTH) {
    report(path, `must not be nested more than ${MAX_DEPTH} levels deep`);
    return;
  }
  if (asm.version !== undefined && asm.version !== 0 && asm.version !== 1) report(`${path}/version`, 'must be 0 or 1');
  for (const key of ['templates', 'instances', 'constraints']) {
    if (!Array.isArray(asm[key] ?? [])) report(`${path}/${key}`, 'must be an array');
  }
  if (asm.templates === undefined || asm.templates === null) {
    report(`${path}/templates`, 'is missing');
    return;
  }
  if (!Array.isArray(asm.templates)) return;
  const idents = new Set<string>();
  const needsIdent = asm.instances !== undefined && asm.instances !== null;
  asm.templates.forEach((template, i) => {
    checkTemplate(template, form, `${path}/templates/${i}`, needsIdent ? undefined : String(i), idents, report);
  });
  const scopes = [idents, ...outer];
  asm.templates.forEach((template, i) => {
    if (isObject(template) && template.assembly !== undefined)
      checkAssembly(template.assembly, form, `${path}/templates/${i}/assembly`, scopes, report);
  });
  checkInstances(listOf(asm.instances), path, scopes, report);
  listOf(asm.constraints).forEach((constraint, i) => {
    const type = isObject(constraint) ? constraint.type : undefined;
    if (typeof type !== 'string' || !CONSTRAINT.test(type))
      report(`${path}/constraints/${i}/type`, `is not a known constraint type: ${type}`);
  });
}

function checkTemplate(
  template: unknown,
  form: AsmForm,
  path: string,
  defaultIdent: string | undefined,
  idents: Set<string>,
  report: Report,
): void {
  if (!isObject(template)) {
    report(path, 'must be an object');
    return;
  }
  checkIdent(template.ident ?? defaultIdent, path, idents, report);
  if (template.type !== undefined && template.type !== 'part' && template.type !== 'assembly')
    report(`${path}/type`, 'must be part or assembly');
  if (SOURCES.filter((source) => template[source] !== undefined).length !== 1) {
    report(path, 'must have exactly one of reference, assembly, base64, geometry');
    return;
  }
  if (template.reference === undefined) return;
  const location = isObject(template.reference) ? template.reference.location : undefined;
  if (typeof location !== 'string' || !location) report(`${path}/reference/location`, 'must be an address');
  else if (form === 'stored' && !ADDRESS.test(location)) {
    report(
      `${path}/reference/location`,
      'must be pdm://documents/<number or id>, optionally with @<revision> or @v<n>',
    );
  }
}

function checkInstances(instances: unknown[], path: string, scopes: Set<string>[], report: Report): void {
  const names = new Set<string>();
  instances.forEach((instance, i) => {
    const at = `${path}/instances/${i}`;
    if (!isObject(instance)) {
      report(at, 'must be an object');
      return;
    }
    checkIdent(instance.ident, at, names, report);
    const { template } = instance;
    if (typeof template !== 'string' || !scopes.some((scope) => scope.has(template)))
      report(`${at}/template`, `names the template ${template}, which does not exist`);
    const transform = parseTransform(instance.transform, String(instance.ident));
    if ('error' in transform) report(`${at}/transform`, transform.error.message);
  });
}

function checkIdent(ident: unknown, path: string, taken: Set<string>, report: Report): void {
  if (typeof ident !== 'string' || !ident) report(`${path}/ident`, 'must be a non-empty string');
  else if (taken.has(ident)) report(`${path}/ident`, `is used twice: ${ident}`);
  else taken.add(ident);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
