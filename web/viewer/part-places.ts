// Finds the line of the bill of materials that places each part of an assembly's model, by the idents of the instances.
import { addressParts } from '../assembly/structure.ts';
import { isObject } from '../shell/is-object.ts';
import { ancestorIndexes } from '../ui/tree-rows.ts';
import type { ProductRow } from './product.ts';

/** The fields of a line of the bill of materials by which it is found. `path` is its find numbers, e.g. 3.1.2. */
export type PlacedLine = { path: string; address: string; resolution: { versionId: string } | null };
/** The asm.json files of the assembly and of its subassemblies, by version id. */
export type AssemblyFiles = ReadonlyMap<string, unknown>;

/** A list of templates and instances: a file, or an assembly within it. `lines` are those of the file, by address. */
type Scope = {
  templates: ReadonlyMap<string, unknown>;
  instances: ReadonlyMap<string, string>;
  outer: Scope | null;
  lines: ReadonlyMap<string, PlacedLine>;
};

/**
 * Returns for each row of a model the line that places it; null if there is none. The nodes of the model have the idents
 * of the instances as names. Rows inside a part belong to the line of the part.
 */
export function linesOfParts<Line extends PlacedLine>(
  rows: readonly ProductRow[],
  topVersion: string,
  lines: readonly Line[],
  files: AssemblyFiles,
): (Line | null)[] {
  const scopes = scopesByPath(lines, files);
  const found: (Line | null)[] = [];
  const path: { scope: Scope | null; line: PlacedLine | null }[] = [];
  for (const { level, ident } of rows) {
    path.length = level - 1;
    const parent = path.at(-1);
    const entry = parent ? placeIn(parent, ident, scopes) : { scope: scopes('', topVersion), line: null };
    path.push(entry);
    found.push(entry.line as Line | null);
  }
  return found;
}

/** Returns the rows whose line has the property, without the rows inside them that have the same line. */
export const topRows = <Line>(
  rows: readonly ProductRow[],
  lines: readonly (Line | null)[],
  has: (line: Line) => boolean,
): number[] =>
  rows.flatMap(({ id }) => {
    const line = lines[id];
    return line && has(line) && isTopRow(rows, lines, id) ? [id] : [];
  });

/** Returns whether a row is a whole placement of its line, not a node inside of it. */
export function isTopRow(rows: readonly ProductRow[], lines: readonly unknown[], row: number): boolean {
  const [parent] = ancestorIndexes(rows, row);
  return Boolean(lines[row]) && (parent === undefined || lines[parent] !== lines[row]);
}

type ScopeOf = (path: string, version: string) => Scope | null;

function placeIn(
  parent: { scope: Scope | null; line: PlacedLine | null },
  ident: string,
  scopeOf: ScopeOf,
): { scope: Scope | null; line: PlacedLine | null } {
  const { scope, line } = parent;
  if (!scope) return { scope: null, line }; // inside a part
  const template = templateOf(scope, scope.instances.get(ident));
  if (!isObject(template)) return { scope: null, line: null };
  if (template.assembly) return { scope: scopeIn(template.assembly, scope, scope.lines), line };
  const own = scope.lines.get(addressKey(locationOf(template)));
  return { scope: own?.resolution ? scopeOf(own.path, own.resolution.versionId) : null, line: own ?? null };
}

/** Returns a function that returns the top scope of the assembly at a path; null if it is a part. */
function scopesByPath(lines: readonly PlacedLine[], files: AssemblyFiles): ScopeOf {
  const below = Map.groupBy(lines, ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.'))));
  const known = new Map<string, Scope | null>();
  return (path, version) => {
    const scope = known.get(path);
    if (scope !== undefined) return scope;
    const byAddress = new Map((below.get(path) ?? []).map((line) => [addressKey(line.address), line]));
    const opened = files.has(version) ? scopeIn(files.get(version), null, byAddress) : null;
    known.set(path, opened);
    return opened;
  };
}

/** Without instances, each template is placed once, as in the engine. */
function scopeIn(asm: unknown, outer: Scope | null, lines: Scope['lines']): Scope | null {
  if (!isObject(asm) || !Array.isArray(asm.templates)) return null;
  const templates = new Map(asm.templates.map((template, at) => [identOf(template) ?? String(at), template]));
  const instances = Array.isArray(asm.instances)
    ? asm.instances.map((instance): [string, string] => [identOf(instance) ?? '', String(instance?.template)])
    : [...templates.keys()].map((ident): [string, string] => [ident, ident]);
  return { templates, instances: new Map(instances), outer, lines };
}

function templateOf(scope: Scope | null, ident: string | undefined): unknown {
  for (let at = scope; at && ident !== undefined; at = at.outer)
    if (at.templates.has(ident)) return at.templates.get(ident);
  return null;
}

const identOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value.ident === 'string' ? value.ident : undefined;
const locationOf = ({ reference }: Record<string, unknown>): string =>
  isObject(reference) && typeof reference.location === 'string' ? reference.location : '';

/** Numbers are the same in upper and lower case; ids, which contain an underscore, are not. */
function addressKey(location: string): string {
  const { document, suffix } = addressParts(location);
  return `${document.includes('_') ? document : document.toUpperCase()}${suffix}`;
}
