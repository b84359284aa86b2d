import type { StepFile } from './parse-step.ts';
import type { StepProduct } from './product-structure.ts';
import { referenceIn, type Value } from './values.ts';

/** The names of the layers of products; `unread` is the number of other items in layers, such as faces and curves. */
export type Layers = { ofProduct: Map<StepProduct, string[]>; unread: number };

/** Returns the layers of the solids, surfaces and representations of products. */
export function readLayers(file: StepFile, products: Iterable<StepProduct>): Layers {
  const assignments = file.idsOf('PRESENTATION_LAYER_ASSIGNMENT');
  const found = new Map<StepProduct, Set<string>>();
  let unread = 0;
  if (!assignments.length) return { ofProduct: new Map(), unread };
  const owners = new Map<number, StepProduct>();
  for (const product of products)
    for (const id of product.geometry) for (const item of [id, ...geometryItems(file, id)]) owners.set(item, product);
  for (const id of assignments) {
    const [name, , items] = file.lookUp(id)?.values ?? [];
    // Values of other kinds are skipped: a layer is never a reason to refuse a file.
    const layer = typeof name === 'string' ? name.trim() : '';
    for (const item of layer && Array.isArray(items) ? items : []) {
      const owner = owners.get(styledItem(file, item));
      if (owner) found.set(owner, (found.get(owner) ?? new Set()).add(layer));
      else unread++;
    }
  }
  return { ofProduct: new Map([...found].map(([product, names]) => [product, [...names]])), unread };
}

/** Returns the ids of the geometry in a representation, without its coordinate systems. */
export function geometryItems(file: StepFile, representation: number): number[] {
  const items = file.entities.get(representation)?.values[1];
  const ids = Array.isArray(items) ? items.map(referenceIn) : [];
  return ids.filter((id) => id !== null && file.lookUp(id)?.type !== 'AXIS2_PLACEMENT_3D') as number[];
}

// A layer may have the style of an item instead of the item.
function styledItem(file: StepFile, value: Value): number {
  const id = referenceIn(value) ?? 0;
  const entity = file.lookUp(id);
  return entity?.type === 'STYLED_ITEM' ? (referenceIn(entity.values[2]) ?? 0) : id;
}
