import { JobFailure } from '../job-failure.ts';
import type { StepFile } from './parse-step.ts';
import { referenceOf } from './values.ts';

/** A property of a product and the representation that has its values. */
export type ProductProperty = { product: number; representation: number };

/**
 * Reads the properties whose name or description matches, in the order of the file. Those of other things than products
 * are skipped, as are values of unexpected kinds: a property is never a reason to refuse a file.
 */
export function productProperties<T>(
  file: StepFile,
  name: RegExp,
  products: ReadonlyMap<number, unknown>,
  read: (property: ProductProperty) => T[],
): T[] {
  const definitions = new Set(
    file.idsOf('PROPERTY_DEFINITION').filter((id) => {
      const texts = file.lookUp(id)?.values.slice(0, 2) ?? [];
      return texts.some((text) => typeof text === 'string' && name.test(text));
    }),
  );
  return file.idsOf('PROPERTY_DEFINITION_REPRESENTATION').flatMap((id) => {
    try {
      const { values } = file.lookUp(id)!;
      const definition = referenceOf(values[0]);
      if (!definitions.has(definition)) return [];
      const product = productOf(file, products, referenceOf(file.lookUp(definition)!.values[2]));
      return product === null ? [] : read({ product, representation: referenceOf(values[1]) });
    } catch (error) {
      if (error instanceof JobFailure) return [];
      throw error;
    }
  });
}

const MAX_STEPS = 4;

// A property belongs to a product definition, its shape, or an aspect of its shape, each of which names the next one.
function productOf(file: StepFile, products: ReadonlyMap<number, unknown>, owner: number): number | null {
  let id = owner;
  for (let i = 0; i < MAX_STEPS; i++) {
    if (products.has(id)) return id;
    const entity = file.lookUp(id) ?? file.entities.get(id);
    if (!entity || !['SHAPE_ASPECT', 'PRODUCT_DEFINITION_SHAPE'].includes(entity.type)) return null;
    id = referenceOf(entity.values[2]);
  }
  return null;
}
