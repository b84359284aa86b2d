// Compares structures line by line, and applies a user's changes to what somebody else has saved meanwhile.
import { addressParts, type Component, componentsOf, findNumbers, type Structure, suffixLabel } from './structure.ts';

/** A changed component; `text` says how, e.g. "quantity 2 → 3". */
export type LineChange = { component: string; location: string | null; text: string };

/** Returns what changed in each component, in the order of the changed structure; removed components come last. */
export function lineChanges(from: Structure, to: Structure): LineChange[] {
  const [before, after] = [componentsByIdent(from), componentsByIdent(to)];
  const [numbersBefore, numbersAfter] = [findNumbers(from), findNumbers(to)];
  const changes: LineChange[] = [];
  const report = ({ ident, location }: Component, text: string) => changes.push({ component: ident, location, text });
  for (const component of after.values()) {
    const old = before.get(component.ident);
    if (!old) {
      report(component, `added, quantity ${component.instances.length}`);
      continue;
    }
    if (old.location !== component.location) report(component, referenceChange(old.location, component.location));
    if (old.instances.length !== component.instances.length)
      report(component, `quantity ${old.instances.length} → ${component.instances.length}`);
    const placedBefore = new Map(old.instances.map((instance) => [instance.ident, instance]));
    const moved = component.instances.filter(({ ident, transform }) => {
      const known = placedBefore.get(ident);
      return known && !isEqual(known.transform, transform);
    });
    if (moved.length === 1) report(component, `${moved[0]?.ident} moved`);
    else if (moved.length > 1) report(component, `${moved.length} places moved`);
  }
  const removed = [...before.values()].filter(({ ident }) => !after.has(ident));
  // a number also changes when components before it are added or removed; only a new order is a change of its own
  if (changesOrder(from, to))
    for (const component of after.values()) {
      const [old, now] = [numbersBefore.get(component.ident), numbersAfter.get(component.ident)];
      if (old !== undefined && now !== undefined && old !== now) report(component, `find number ${old} → ${now}`);
    }
  for (const component of removed) report(component, 'removed');
  return changes;
}

function referenceChange(from: string | null, to: string | null): string {
  const [before, after] = [addressParts(from ?? ''), addressParts(to ?? '')];
  return before.document === after.document
    ? `version ${suffixLabel(before.suffix)} → ${suffixLabel(after.suffix)}`
    : `reference ${from ?? 'inline'} → ${to ?? 'inline'}`;
}

/**
 * Applies the changes from `base` to `mine` to `theirs`. Where both changed the same template or instance, mine wins.
 * A component that both added gets another name in mine, so that both stay. Other fields are theirs.
 */
export function mergeStructures(base: Structure, mine: Structure, theirs: Structure): Structure {
  const own = renameAdded(base, mine, theirs);
  const templates = mergeLists(base.templates, own.templates, theirs.templates);
  const instances = mergeLists(base.instances, own.instances, theirs.instances);
  // a template that they removed comes back if my instances need it; without one, instances have no meaning
  const old = byIdent(base.instances);
  const needed = new Set(
    own.instances.filter((each) => !isEqual(each, old.get(each.ident))).map(({ template }) => template),
  );
  const present = new Set(templates.map(({ ident }) => ident));
  const restored = own.templates.filter(({ ident }) => needed.has(ident) && !present.has(ident));
  const all = [...templates, ...restored];
  const known = identsOf(all);
  return { ...theirs, templates: all, instances: instances.filter(({ template }) => known.has(template)) };
}

/** Gives templates and instances that both added under the same name, but not the same, another name in mine. */
function renameAdded(base: Structure, mine: Structure, theirs: Structure): Structure {
  const templates = newNames(base.templates, mine.templates, theirs.templates, () => false);
  const withTemplates = {
    ...mine,
    templates: mine.templates.map((each) => ({ ...each, ident: templates.get(each.ident) ?? each.ident })),
    instances: mine.instances.map((each) => ({ ...each, template: templates.get(each.template) ?? each.template })),
  };
  const instances = newNames(base.instances, withTemplates.instances, theirs.instances, isEqual);
  return {
    ...withTemplates,
    instances: withTemplates.instances.map((each) => ({ ...each, ident: instances.get(each.ident) ?? each.ident })),
  };
}

type Named = { ident: string };

function newNames<Item extends Named>(
  base: readonly Item[],
  mine: readonly Item[],
  theirs: readonly Item[],
  isSame: (a: Item, b: Item) => boolean,
): Map<string, string> {
  const [old, taken] = [identsOf(base), new Set([...identsOf(mine), ...identsOf(theirs)])];
  const byIdent = new Map(theirs.map((each) => [each.ident, each]));
  const renamed = new Map<string, string>();
  for (const each of mine) {
    const other = byIdent.get(each.ident);
    if (old.has(each.ident) || !other || isSame(each, other)) continue;
    let count = 2;
    while (taken.has(`${each.ident}-${count}`)) count++;
    taken.add(`${each.ident}-${count}`);
    renamed.set(each.ident, `${each.ident}-${count}`);
  }
  return renamed;
}

/** Merges lists of named items. The order is mine if I changed it, else theirs; what only the other has is at the end. */
function mergeLists<Item extends Named>(
  base: readonly Item[],
  mine: readonly Item[],
  theirs: readonly Item[],
): readonly Item[] {
  const [was, own, other] = [byIdent(base), byIdent(mine), byIdent(theirs)];
  const merged = new Map<string, Item>();
  for (const ident of new Set([...own.keys(), ...other.keys()])) {
    const [old, ours, their] = [was.get(ident), own.get(ident), other.get(ident)];
    const isMine = !isEqual(ours, old);
    const kept = isMine ? ours : their;
    if (kept) merged.set(ident, kept);
  }
  const [first, second] = changesItemOrder(base, mine) ? [mine, theirs] : [theirs, mine];
  const list = mergeOrders([...identsOf(first)], [...identsOf(second)]).flatMap((ident) => merged.get(ident) ?? []);
  return list.length === theirs.length && list.every((each, at) => each === theirs[at]) ? theirs : list;
}

/** Adds what only the second list has to the first, after what it follows in the second. */
function mergeOrders(first: readonly string[], second: readonly string[]): string[] {
  const [inFirst, inSecond] = [new Set(first), new Set(second)];
  const followers = Map.groupBy(
    second.filter((ident) => !inFirst.has(ident)),
    anchorsIn(second, inFirst),
  );
  const order: string[] = [];
  let waiting = followers.get(null) ?? [];
  for (const ident of first) {
    if (inSecond.has(ident)) {
      order.push(...waiting);
      waiting = followers.get(ident) ?? [];
    }
    order.push(ident);
  }
  return [...order, ...waiting];
}

/** Returns a function that returns the last common item before an item; null if there is none. */
function anchorsIn(list: readonly string[], common: ReadonlySet<string>): (ident: string) => string | null {
  const anchors = new Map<string, string | null>();
  let anchor: string | null = null;
  for (const ident of list) {
    anchors.set(ident, anchor);
    if (common.has(ident)) anchor = ident;
  }
  return (ident) => anchors.get(ident) ?? null;
}

const changesOrder = (from: Structure, to: Structure): boolean => changesItemOrder(from.templates, to.templates);

function changesItemOrder(from: readonly Named[], to: readonly Named[]): boolean {
  const [before, after] = [identsOf(from), identsOf(to)];
  const common = [...before].filter((ident) => after.has(ident));
  return [...after].filter((ident) => before.has(ident)).some((ident, at) => ident !== common[at]);
}

const componentsByIdent = (structure: Structure): Map<string, Component> => byIdent(componentsOf(structure));
const identsOf = (list: readonly Named[]): Set<string> => new Set(list.map(({ ident }) => ident));
const byIdent = <Item extends Named>(list: readonly Item[]): Map<string, Item> =>
  new Map(list.map((each) => [each.ident, each]));
const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
