import { isObject } from '../text/is-object.ts';
import { ADDRESS } from './address.ts';
import { readTransform } from './asm-transform.ts';

/**
 * An assembly as ClassCAD's JSON says it: what there is (templates), where it stands (instances), how it is bound
 * (constraints, stored but never solved).
 */
export type AsmJson = {
  version?: 0 | 1;
  nameIfRoot?: string;
  templates: AsmTemplate[];
  instances?: AsmInstance[];
  constraints?: AsmConstraint[];
};

/** A part or assembly that can be placed. Without instances in the file the ident may be missing; it is then the index. */
export type AsmTemplate = { ident?: string; type?: 'part' | 'assembly' } & (
  | { reference: AsmReference; assembly?: undefined; base64?: undefined; geometry?: undefined }
  | { assembly: AsmJson; reference?: undefined; base64?: undefined; geometry?: undefined }
  | { base64: unknown; reference?: undefined; assembly?: undefined; geometry?: undefined }
  | { geometry: unknown; reference?: undefined; assembly?: undefined; base64?: undefined }
);

/** Where a template comes from: a pdm address as stored, a location that can be loaded in the resolved form. */
export type AsmReference = { location: string; type?: 'stp' | 'ofb' | 'json'; name?: string };
export type AsmInstance = { ident: string; template: string; transform?: unknown };
export type AsmConstraint = { type: string; mate1?: { path?: unknown }; mate2?: { path?: unknown } };

/** What is wrong with a file, and where: `path` is a JSON pointer. */
export type AsmFault = { path: string; message: string };

/** `stored` as users upload it, `resolved` as an engine gets it: its references hold locations instead of pdm addresses. */
export type AsmForm = 'stored' | 'resolved';

/** Checks a parsed asm.json and answers either the assembly or its faults, all at once up to 100. Unknown fields are kept and ignored. */
export function checkAsmJson(value: unknown, form: AsmForm): { asm: AsmJson } | { faults: AsmFault[] } {
  const faults: AsmFault[] = [];
  const tell = (path: string, message: string) => {
    if (faults.length < MOST_FAULTS) faults.push({ path, message });
  };
  checkAssembly(value, form, '', [], tell);
  return faults.length ? { faults } : { asm: value as AsmJson };
}

/** The name under which a template is found: its ident, else its index. */
export function identOf(template: { ident?: string }, index: number): string {
  return template.ident ?? String(index);
}

const MOST_FAULTS = 100;
const DEEPEST = 50;
const CONSTRAINT =
  /^(CC_)?(FastenedOrigin|Fastened|Cylindrical|Revolute|Planar|Parallel|Slider|LinearPattern)Constraint$/;
const SOURCES = ['reference', 'assembly', 'base64', 'geometry'];

type Tell = (path: string, message: string) => void;

function checkAssembly(asm: unknown, form: AsmForm, path: string, outer: Set<string>[], tell: Tell): void {
  if (!isObject(asm)) {
    tell(path, 'must be an object');
    return;
  }
  if (outer.length > DEEPEST) {
    tell(path, `nested more than ${DEEPEST} levels deep`);
    return;
  }
  if (asm.version !== undefined && asm.version !== 0 && asm.version !== 1) tell(`${path}/version`, 'must be 0 or 1');
  for (const key of ['templates', 'instances', 'constraints']) {
    if (!Array.isArray(asm[key] ?? [])) tell(`${path}/${key}`, 'must be an array');
  }
  if (asm.templates === undefined || asm.templates === null) {
    tell(`${path}/templates`, 'is missing');
    return;
  }
  if (!Array.isArray(asm.templates)) return;
  const own = new Set<string>();
  const needsIdent = asm.instances !== undefined && asm.instances !== null;
  asm.templates.forEach((template, i) => {
    checkTemplate(template, form, `${path}/templates/${i}`, needsIdent ? undefined : String(i), own, tell);
  });
  const scopes = [own, ...outer];
  asm.templates.forEach((template, i) => {
    if (isObject(template) && template.assembly !== undefined)
      checkAssembly(template.assembly, form, `${path}/templates/${i}/assembly`, scopes, tell);
  });
  checkInstances(listOf(asm.instances), path, scopes, tell);
  listOf(asm.constraints).forEach((constraint, i) => {
    const type = isObject(constraint) ? constraint.type : undefined;
    if (typeof type !== 'string' || !CONSTRAINT.test(type))
      tell(`${path}/constraints/${i}/type`, `unknown constraint ${type}`);
  });
}

function checkTemplate(
  template: unknown,
  form: AsmForm,
  path: string,
  ownIdent: string | undefined,
  own: Set<string>,
  tell: Tell,
): void {
  if (!isObject(template)) {
    tell(path, 'must be an object');
    return;
  }
  checkIdent(template.ident ?? ownIdent, path, own, tell);
  if (template.type !== undefined && template.type !== 'part' && template.type !== 'assembly')
    tell(`${path}/type`, 'must be part or assembly');
  if (SOURCES.filter((source) => template[source] !== undefined).length !== 1) {
    tell(path, 'must have exactly one of reference, assembly, base64, geometry');
    return;
  }
  if (template.reference === undefined) return;
  const location = isObject(template.reference) ? template.reference.location : undefined;
  if (typeof location !== 'string' || !location) tell(`${path}/reference/location`, 'must be an address');
  else if (form === 'stored' && !ADDRESS.test(location)) {
    tell(
      `${path}/reference/location`,
      'must look like pdm://documents/<number or id>, with @<revision> or @v<n> if wanted',
    );
  }
}

function checkInstances(instances: unknown[], path: string, scopes: Set<string>[], tell: Tell): void {
  const names = new Set<string>();
  instances.forEach((instance, i) => {
    const at = `${path}/instances/${i}`;
    if (!isObject(instance)) {
      tell(at, 'must be an object');
      return;
    }
    checkIdent(instance.ident, at, names, tell);
    const { template } = instance;
    if (typeof template !== 'string' || !scopes.some((scope) => scope.has(template)))
      tell(`${at}/template`, `there is no template ${template}`);
    const transform = readTransform(instance.transform, String(instance.ident));
    if ('fault' in transform) tell(`${at}/transform`, transform.fault.message);
  });
}

function checkIdent(ident: unknown, path: string, taken: Set<string>, tell: Tell): void {
  if (typeof ident !== 'string' || !ident) tell(`${path}/ident`, 'must be a name');
  else if (taken.has(ident)) tell(`${path}/ident`, `the name ${ident} is used twice`);
  else taken.add(ident);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
