// Edits the structure of an assembly (asm.json). Every function returns a new structure and keeps unknown fields.
import { IDENTITY_ROWS } from '../../subgraphs/core/domain/measure/entity.ts';
import { isObject } from '../shell/is-object.ts';
import { type Pattern, placeCopy } from './pattern.ts';
import { formatTransform, type Placement, readTransform } from './placement.ts';

type Template = { ident: string; reference?: { location: string; [key: string]: unknown }; [key: string]: unknown };
export type Instance = { ident: string; template: string; transform?: unknown; [key: string]: unknown };
export type Structure = { templates: readonly Template[]; instances: readonly Instance[]; [key: string]: unknown };
/** A template with its instances; `location` is null for an inline subassembly. */
export type Component = { ident: string; location: string | null; instances: readonly Instance[] };

export const EMPTY_STRUCTURE: Structure = { version: 1, templates: [], instances: [] };

/** Parses an asm.json; without instances, places each template once as the service does. Throws if it has another form. */
export function parseStructure(content: unknown): Structure {
  if (!isObject(content) || !Array.isArray(content.templates)) throw new Error('The asm.json has no templates.');
  // the defaults are those of the service, so that saving renames no node of the model
  const templates = content.templates.map((template, at) => ({ ident: String(at), ...template }) as Template);
  const instances = Array.isArray(content.instances)
    ? (content.instances as Instance[])
    : templates.map(({ ident }) => ({ ident, template: ident }));
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

/** Returns the label of a suffix: "newest", "Rev B", "v3". */
export const suffixLabel = (suffix: string): string =>
  suffix === '' ? 'newest' : suffix.replace(/^@(?!v\d)/, 'Rev ').replace(/^@/, '');

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
  const nextName = unusedNames(ident, instances);
  for (let count = own.length; count < quantity; count++) instances.push({ ident: nextName(), template: ident });
  return { ...structure, instances };
}

/** Changes the address of a component. */
export const setLocation = (structure: Structure, ident: string, location: string): Structure => ({
  ...structure,
  templates: structure.templates.map((template) =>
    template.ident === ident ? { ...template, reference: { ...template.reference, location } } : template,
  ),
});

/** Returns the placement of an instance; null if its transform is an expression that only the service computes. */
export const placementOf = ({ transform }: Instance): Placement | null => readTransform(transform);

/** Places an instance; returns the same structure if it is there already. */
export function placeInstance(structure: Structure, ident: string, placement: Placement): Structure {
  const transform = formatTransform(placement);
  const at = structure.instances.findIndex((instance) => instance.ident === ident);
  const instance = structure.instances[at];
  const before = instance && placementOf(instance);
  if (!instance || (before && formatTransform(before) === transform)) return structure;
  return { ...structure, instances: structure.instances.with(at, { ...instance, transform }) };
}

/** Arranges all instances of a component in a pattern that starts at the first; they get its rotation. */
export function arrangeInstances(structure: Structure, component: string, pattern: Pattern): Structure {
  const own = structure.instances.filter(({ template }) => template === component);
  const original = (own[0] && placementOf(own[0])) ?? IDENTITY_ROWS;
  const placed = new Map(
    own.slice(1).map(({ ident }, at) => [ident, formatTransform(placeCopy(original, pattern, at + 1))]),
  );
  return {
    ...structure,
    instances: structure.instances.map((instance) => {
      const transform = placed.get(instance.ident);
      return transform === undefined || instance.template !== component ? instance : { ...instance, transform };
    }),
  };
}

/** Adds copies of an instance in a pattern that starts at it. */
export function copyInstance(structure: Structure, ident: string, pattern: Pattern, copies: number): Structure {
  const source = structure.instances.find((instance) => instance.ident === ident);
  const original = source && placementOf(source);
  if (!source || !original) return structure;
  const nextName = unusedNames(source.template, structure.instances);
  const added = Array.from({ length: copies }, (_, at) => ({
    ...source,
    ident: nextName(),
    transform: formatTransform(placeCopy(original, pattern, at + 1)),
  }));
  return { ...structure, instances: [...structure.instances, ...added] };
}

/** Removes one instance; its component stays without a place if it was the last one. */
export const removeInstance = (structure: Structure, ident: string): Structure => ({
  ...structure,
  instances: structure.instances.filter((instance) => instance.ident !== ident),
});

/**
 * Returns the find number of each component as in the bill of materials: components with the same address share one.
 * Inline subassemblies have none.
 */
export function findNumbers({ templates }: Structure): Map<string, number> {
  const byLocation = new Map<string, number>();
  const numbers = new Map<string, number>();
  for (const { ident, reference } of templates) {
    if (!reference) continue;
    const number = byLocation.get(reference.location) ?? byLocation.size + 1;
    byLocation.set(reference.location, number);
    numbers.set(ident, number);
  }
  return numbers;
}

/**
 * Gives a component and those with the same address a find number, by moving them together in the order. Does nothing to
 * an inline subassembly, which has none.
 */
export function setFindNumber(structure: Structure, ident: string, number: number): Structure {
  const location = structure.templates.find((template) => template.ident === ident)?.reference?.location;
  if (location === undefined || findNumbers(structure).get(ident) === number) return structure;
  const { moved = [], others = [] } = Object.groupBy(structure.templates, ({ reference }) =>
    reference?.location === location ? 'moved' : 'others',
  );
  const numbers = findNumbers({ ...structure, templates: others });
  const next = others.findIndex((template) => numbers.get(template.ident) === number);
  return withOrder(structure, others.toSpliced(next < 0 ? others.length : next, 0, ...moved));
}

/** Moves a component in the order, from which the find numbers follow; `index` is its new place. */
export function moveComponent(structure: Structure, ident: string, index: number): Structure {
  const moved = structure.templates.find((template) => template.ident === ident);
  if (!moved) return structure;
  const others = structure.templates.filter((template) => template !== moved);
  return withOrder(structure, others.toSpliced(Math.max(0, Math.min(others.length, index)), 0, moved));
}

const withOrder = (structure: Structure, templates: Structure['templates']): Structure =>
  templates.every((each, at) => each === structure.templates[at]) ? structure : { ...structure, templates };

/** Returns a function that returns unused names for instances of a template, another one each time. */
function unusedNames(template: string, instances: readonly Instance[]): () => string {
  const taken = new Set(instances.map(({ ident }) => ident));
  let count = 0;
  return () => {
    do count++;
    while (taken.has(`${template}_${count}`));
    return `${template}_${count}`;
  };
}

function uniqueName(name: string, taken: readonly string[]): string {
  let found = name;
  for (let count = 2; taken.includes(found); count++) found = `${name}-${count}`;
  return found;
}
