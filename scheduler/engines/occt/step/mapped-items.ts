// Assemblies that place parts by mapped items of their representation, instead of a relationship for each use.
import { invertRigid, type Matrix, multiply } from '../product/matrix.ts';
import { geometryItems } from './layers.ts';
import { lengthUnit } from './length-unit.ts';
import { firstName } from './names.ts';
import type { StepFile } from './parse-step.ts';
import { placementOf } from './placement.ts';
import type { StepProduct, StepUse } from './product-structure.ts';
import { referenceIn, type Value } from './values.ts';

/** An item that places the representation of a product; `transform` is null if it is not only moved and rotated. */
type MappedItem = { id: number; name: string; product: StepProduct; transform: Matrix | null };

/**
 * Places the products whose representations are mapped into those of other products. A use without a placement, one of
 * `unplaced`, gets that of a mapped item of its product in their order; a mapped item without a use becomes one. If an
 * item is scaled or mirrored, or the assembly has other geometry, all its items stay geometry of its own. Values of
 * unexpected kinds are skipped.
 */
export function placeMappedItems(
  file: StepFile,
  products: ReadonlyMap<number, StepProduct>,
  unplaced: ReadonlySet<StepUse>,
): void {
  if (!file.idsOf('MAPPED_ITEM').length) return;
  const owners = new Map<number, StepProduct>();
  for (const product of products.values())
    for (const id of [product.representation, ...product.geometry]) if (id !== undefined) owners.set(id, product);
  const isUsed = new Set([...products.values()].flatMap(({ uses }) => uses.map((use) => use.product)));
  for (const assembly of products.values()) {
    const items = mappedItemsOf(file, assembly, owners);
    if (!items.length) continue;
    for (const { product } of items) {
      product.used = true;
      product.isBuiltTwice = !isUsed.has(product.id);
    }
    const all = assembly.geometry.flatMap((id) => geometryItems(file, id));
    const isAssembly = all.length === items.length && items.every(({ transform }) => transform);
    if (!isAssembly) continue;
    placeItems(assembly, items, unplaced);
    assembly.geometry = [];
  }
}

function placeItems(assembly: StepProduct, items: readonly MappedItem[], unplaced: ReadonlySet<StepUse>): void {
  const open = assembly.uses.filter((use) => unplaced.has(use));
  for (const { id, name, product, transform } of items) {
    const at = open.findIndex((use) => use.product === product.id);
    const [use] = at < 0 ? [] : open.splice(at, 1);
    if (use) Object.assign(use, { transform, mappedItem: id });
    else assembly.uses.push({ id, product: product.id, name, transform: transform! });
  }
}

function mappedItemsOf(
  file: StepFile,
  { representation, geometry }: StepProduct,
  owners: ReadonlyMap<number, StepProduct>,
): MappedItem[] {
  const own = new Set([representation ?? 0, ...geometry]);
  return [...own].flatMap((using) => {
    const items = file.entities.get(using)?.values[1];
    return (Array.isArray(items) ? items : []).flatMap((item): MappedItem[] => {
      const entity = file.lookUp(referenceIn(item) ?? 0);
      if (entity?.type !== 'MAPPED_ITEM') return [];
      const [name, source, target] = entity.values;
      const [origin, mapped] = file.lookUp(referenceIn(source) ?? 0)?.values ?? [];
      const representation = referenceIn(mapped) ?? 0;
      const product = owners.get(representation);
      if (!product || own.has(representation)) return [];
      const transform = transformOf(file, [origin, representation], [target, using]);
      const given = typeof name === 'string' ? name : '';
      return [{ id: entity.id, name: firstName(given, product.name), product, transform }];
    });
  });
}

// Each placement is in the unit of its own representation.
function transformOf(
  file: StepFile,
  ...placements: [from: [Value | undefined, number], to: [Value | undefined, number]]
): Matrix | null {
  const [from, to] = placements.map(([item, representation]) => {
    const id = referenceIn(item) ?? 0;
    const isAxes = file.lookUp(id)?.type === 'AXIS2_PLACEMENT_3D';
    return isAxes ? placementOf(file, id, lengthUnit(file, representation).mm) : null;
  });
  return from && to ? multiply(to, invertRigid(from)) : null;
}
