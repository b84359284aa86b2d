import type { Vector } from '../product/matrix.ts';
import { lengthOfUnit, lengthUnit } from './length-unit.ts';
import type { StepFile } from './parse-step.ts';
import { productProperties } from './product-properties.ts';
import { listOf, measureOf, referenceOf, textOf, tripleOf, type Value } from './values.ts';

/**
 * A geometric validation property: what the system that wrote the file computed for a product, in mm, mm² or mm³. A
 * centroid is in the coordinates of the product.
 */
export type StatedProperty = { product: number } & StatedValue;
export type StatedValue = { quantity: 'volume' | 'area'; value: number } | { quantity: 'centroid'; value: Vector };

/**
 * Returns the volumes, areas and centroids that a file states for its products; those of parts of products are skipped, as are
 * values of unexpected kinds.
 */
export function statedProperties(file: StepFile, products: ReadonlyMap<number, unknown>): StatedProperty[] {
  const found = productProperties(file, /geometric.validation/i, products, ({ product, representation }) =>
    measuresIn(file, representation).map((each) => ({ product, ...each })),
  );
  // Different values for one product are those of its solids.
  const groups = Map.groupBy(found, ({ product, quantity }) => `${product} ${quantity}`);
  return [...groups.values()]
    .filter((group) => new Set(group.map(({ value }) => String(value))).size === 1)
    .map(([only]) => only!);
}

function measuresIn(file: StepFile, representation: number): StatedValue[] {
  const items = listOf(file.entities.get(representation)?.values[1]);
  return items.flatMap((item): StatedValue[] => {
    const entity = file.lookUp(referenceOf(item));
    const [name, measure, unit] = entity?.values ?? [];
    if (entity?.type === 'CARTESIAN_POINT') {
      const { mm } = lengthUnit(file, representation);
      const [x, y, z] = tripleOf(measure);
      return /cent(re|er|roid)/i.test(textOf(name ?? null))
        ? [{ quantity: 'centroid', value: [x * mm, y * mm, z * mm] }]
        : [];
    }
    const quantity = quantityOf(`${textOf(name ?? null)} ${typedName(measure)}`);
    if (!quantity) return [];
    const fileUnit = unit ? derivedUnit(file, referenceOf(unit)) : null;
    const factor = fileUnit ?? lengthUnit(file, representation).mm ** (quantity === 'volume' ? 3 : 2);
    const value = Math.abs(measureOf(measure)) * factor;
    return Number.isFinite(value) && value > 0 ? [{ quantity, value }] : [];
  });
}

const typedName = (value: Value | undefined) =>
  typeof value === 'object' && value !== null && 'typed' in value ? value.typed : '';

function quantityOf(text: string): 'volume' | 'area' | null {
  if (/volume/i.test(text)) return 'volume';
  return /area/i.test(text) ? 'area' : null;
}

// The product of powers of length units, in mm² or mm³.
function derivedUnit(file: StepFile, id: number): number {
  const elements = listOf(file.lookUp(id)?.values[0] ?? file.entities.get(id)?.parts.DERIVED_UNIT?.[0]);
  return elements.reduce<number>((factor, element) => {
    const [unit, exponent] = file.lookUp(referenceOf(element))?.values ?? [];
    return factor * lengthOfUnit(file, referenceOf(unit)) ** measureOf(exponent);
  }, 1);
}
