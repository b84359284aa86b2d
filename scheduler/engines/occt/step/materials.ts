import { lengthOfUnit, massOfUnit } from './length-unit.ts';
import type { StepFile } from './parse-step.ts';
import { productProperties } from './product-properties.ts';
import { listOf, measureOf, referenceOf, textOf, type Value } from './values.ts';

/** What a file states about the material of a product; `density` in kg/m³. */
export type Material = { name: string | null; density: number | null };

/** Returns the materials of products. A product for which the file states different ones has none. */
export function readMaterials(file: StepFile, products: ReadonlyMap<number, unknown>): Map<number, Material> {
  const found = productProperties(file, /material|density/i, products, ({ product, representation }) =>
    listOf(file.entities.get(representation)?.values[1]).map((item) => ({
      product,
      ...readItem(file, referenceOf(item)),
    })),
  );
  const materials = new Map<number, Material>();
  for (const [product, items] of Map.groupBy(found, (item) => item.product)) {
    const name = onlyValue(items.map((item) => item.name));
    const density = onlyValue(items.map((item) => item.density));
    if (name !== null || density !== null) materials.set(product, { name, density });
  }
  return materials;
}

function onlyValue<T>(values: (T | null)[]): T | null {
  const [first, ...others] = new Set(values.filter((value) => value !== null));
  return first === undefined || others.length ? null : first;
}

const NOTHING: Material = { name: null, density: null };

function readItem(file: StepFile, id: number): Material {
  const entity = file.lookUp(id);
  if (entity?.type === 'DESCRIPTIVE_REPRESENTATION_ITEM') {
    const [name, description] = entity.values.map(textOf);
    return { ...NOTHING, name: description?.trim() || name?.trim() || null };
  }
  const { REPRESENTATION_ITEM: item = [], MEASURE_WITH_UNIT: measure = [] } = file.entities.get(id)?.parts ?? {};
  const [name, value, unit] = entity?.values ?? [...item, ...measure];
  if (!/density/i.test(textOf(name ?? null)) || !unit) return NOTHING;
  const density = measureOf(value) * densityUnit(file, referenceOf(unit));
  return { ...NOTHING, density: density > 0 && density < Number.POSITIVE_INFINITY ? density : null };
}

// In kg/m³. Inventor writes the exponent of the length as 3 instead of -3.
function densityUnit(file: StepFile, id: number): number {
  const elements = listOf(file.lookUp(id)?.values[0] ?? file.entities.get(id)?.parts.DERIVED_UNIT?.[0]);
  return elements.reduce<number>((factor, element) => {
    const [unit, exponent] = file.lookUp(referenceOf(element))?.values ?? [];
    return factor * unitPower(file, referenceOf(unit), exponent);
  }, 1);
}

function unitPower(file: StepFile, unit: number, exponent: Value | undefined): number {
  const mass = massOfUnit(file, unit);
  return mass > 0 ? mass : (lengthOfUnit(file, unit) / 1000) ** -Math.abs(measureOf(exponent));
}
