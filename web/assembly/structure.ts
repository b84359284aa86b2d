// Edits the structure of an assembly (asm.json). Every function returns a new structure and keeps unknown fields.
import { isObject } from '../shell/is-object.ts';

type Template = { ident: string; reference?: { location: string; [key: string]: unknown }; [key: string]: unknown };
type Instance = { ident: string; template: string; transform?: unknown; [key: string]: unknown };
export type Structure = { templates: readonly Template[]; instances: readonly Instance[]; [key: string]: unknown };
/** A position in mm. */
export type Position = readonly [x: number, y: number, z: number];
/** A template with its instances; `location` is null for an inline subassembly. */
export type Component = { ident: string; location: string | null; instances: readonly Instance[] };

export const EMPTY_STRUCTURE: Structure = { version: 1, templates: [], instances: [] };

/** Parses an asm.json; without instances, places each template once as the service does. Throws if it has another form. */
export function parseStructure(content: unknown): Structure {
  if (!isObject(content) || !Array.isArray(content.templates)) throw new Error('The asm.json has no templates.');
  const templates = content.templates.map((template, at) => ({ ident: `template-${at + 1}`, ...template }) as Template);
  const instances = Array.isArray(content.instances)
    ? (content.instances as Instance[])
    : templates.map(({ ident }) => ({ ident: `${ident}-1`, template: ident }));
  return { ...content, templates, instances };
}

/** Returns the components in their order. */
export function componentsOf({ templates, instances }: Structure): Component[] {
  const byTemplate = Map.groupBy(instances, ({ template }) => template);
  return templates.map(({ ident, reference }) => ({
    ident,
    location: reference?.location ?? null,
    instances: byTemplate.get(ident) ?? [],
  }));
}

/** Returns the document (id or number) and the suffix of an address: '' follows the newest release, '@B', '@v3'. */
export function addressParts(location: string): { document: string; suffix: string } {
  const [, document = location, suffix = ''] = /^pdm:\/\/documents\/([^@]+)(@.+)?$/.exec(location) ?? [];
  return { document, suffix };
}

export const addressOf = (documentId: string, suffix = ''): string => `pdm://documents/${documentId}${suffix}`;

/** Adds a document with one instance at the origin. `name` becomes the ident, made unique. */
export function addComponent(
  structure: Structure,
  { name, kind, location }: { name: string; kind: string; location: string },
): Structure {
  const ident = uniqueName(
    name,
    structure.templates.map((template) => template.ident),
  );
  const template = { ident, type: kind === 'assembly' ? 'assembly' : 'part', reference: { location } };
  return setQuantity({ ...structure, templates: [...structure.templates, template] }, ident, 1);
}

/** Removes a component with its instances. */
export const removeComponent = (structure: Structure, ident: string): Structure => ({
  ...structure,
  templates: structure.templates.filter((template) => template.ident !== ident),
  instances: structure.instances.filter(({ template }) => template !== ident),
});

/** Adds instances at the origin, or removes the last ones. */
export function setQuantity(structure: Structure, ident: string, quantity: number): Structure {
  const own = structure.instances.filter(({ template }) => template === ident);
  const removed = new Set(own.slice(quantity));
  const instances = structure.instances.filter((instance) => !removed.has(instance));
  const names = new Set(instances.map((instance) => instance.ident));
  for (let count = own.length; count < quantity; count++) {
    const name = uniqueName(`${ident}_${count + 1}`, [...names]);
    names.add(name);
    instances.push({ ident: name, template: ident });
  }
  return { ...structure, instances };
}

/** Changes the address of a component. */
export const setLocation = (structure: Structure, ident: string, location: string): Structure => ({
  ...structure,
  templates: structure.templates.map((template) =>
    template.ident === ident ? { ...template, reference: { ...template.reference, location } } : template,
  ),
});

/** Returns the position of an instance; null if its transform is an expression that only the service computes. */
export function positionOf({ transform }: Instance): Position | null {
  const value = typeof transform === 'string' ? parseNumbers(transform) : transform;
  if (value === undefined || value === null) return [0, 0, 0];
  if (!Array.isArray(value)) return null;
  const flat: unknown[] = value.flat();
  if (!flat.every((each) => typeof each === 'number')) return null;
  if (flat.length === 16) return [flat[3] ?? 0, flat[7] ?? 0, flat[11] ?? 0];
  return flat.length === 3 || flat.length === 9 ? [flat[0] ?? 0, flat[1] ?? 0, flat[2] ?? 0] : null;
}

/** Moves an instance to a position and keeps its rotation. */
export const moveInstance = (structure: Structure, ident: string, position: Position): Structure => ({
  ...structure,
  instances: structure.instances.map((instance) =>
    instance.ident === ident ? { ...instance, transform: moved(instance.transform, position) } : instance,
  ),
});

/** Places the instances of a component in a line: each at a step from the one before, starting at the first. */
export function placeInLine(structure: Structure, ident: string, step: Position): Structure {
  const own = structure.instances.filter(({ template }) => template === ident);
  const start = (own[0] && positionOf(own[0])) ?? [0, 0, 0];
  return own.slice(1).reduce((placed, instance, at) => {
    const [x, y, z] = start.map((each, axis) => each + (step[axis] ?? 0) * (at + 1)) as unknown as Position;
    return moveInstance(placed, instance.ident, [x, y, z]);
  }, structure);
}

function moved(transform: unknown, [x, y, z]: Position): string {
  const value = typeof transform === 'string' ? parseNumbers(transform) : transform;
  const flat: unknown[] = Array.isArray(value) ? value.flat() : [];
  if (flat.length === 16) {
    const rows = [0, 4, 8].map((at, row) => [...flat.slice(at, at + 3), [x, y, z][row]]);
    return JSON.stringify([...rows, [0, 0, 0, 1]]);
  }
  return JSON.stringify(flat.length === 9 ? [[x, y, z], flat.slice(3, 6), flat.slice(6, 9)] : [x, y, z]);
}

/** Parses a transform of plain numbers; undefined for other expressions. */
function parseNumbers(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return false; // an expression
  }
}

function uniqueName(name: string, taken: readonly string[]): string {
  let found = name;
  for (let count = 2; taken.includes(found); count++) found = `${name}-${count}`;
  return found;
}
