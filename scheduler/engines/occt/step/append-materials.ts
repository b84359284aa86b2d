import { type Definition, definitionsOf } from '../product/product.ts';
import type { Material } from './materials.ts';
import { quote } from './normalize-step.ts';
import { parseStep, type StepFile } from './parse-step.ts';
import { productStructure, type StepProduct } from './product-structure.ts';
import { referenceOf } from './values.ts';

/**
 * Adds the materials of parts to a STEP file that the kernel wrote for a product. The kernel writes the uses of each
 * assembly in their order.
 */
export function appendMaterials(bytes: Buffer, root: Definition): Buffer {
  if (![...definitionsOf(root)].some(({ shape, ...part }) => shape && 'material' in part && part.material))
    return bytes;
  const file = parseStep(bytes);
  const { products, roots } = productStructure(file);
  const found = new Map<StepProduct, Material>();
  const match = (definition: Definition, product: StepProduct | undefined): void => {
    if (!product || found.has(product)) return;
    if (definition.shape) {
      if (definition.material) found.set(product, definition.material);
    } else if (product.uses.length === definition.uses.length)
      definition.uses.forEach((use, i) => {
        match(use.definition, products.get(product.uses[i]!.product));
      });
  };
  match(root, roots[0]);
  const lines = materialStatements(file, found);
  const end = bytes.lastIndexOf('ENDSEC;');
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${lines.join('\n')}\n`), bytes.subarray(end)]);
}

// As CAx-IF recommends: a property of the product definition with the name, and one with the density.
function materialStatements(file: StepFile, materials: ReadonlyMap<StepProduct, Material>): string[] {
  const lines: string[] = [];
  // The kernel numbers entities from 1 without gaps.
  let last = file.entityCount;
  const add = (statement: string): string => {
    lines.push(`#${++last} = ${statement};`);
    return `#${last}`;
  };
  const kilogram = add('( MASS_UNIT() NAMED_UNIT(*) SI_UNIT(.KILO.,.GRAM.) )');
  const metre = add('( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,.METRE.) )');
  const factors = [`${kilogram},1.`, `${metre},-3.`].map((factor) => add(`DERIVED_UNIT_ELEMENT(${factor})`));
  const unit = add(`DERIVED_UNIT((${factors.join()}))`);
  for (const [{ id, representation }, { name, density }] of materials) {
    const context = `#${referenceOf(file.entities.get(representation ?? 0)?.values[2])}`;
    const addProperty = (kind: string, item: string) => {
      const property = add(`PROPERTY_DEFINITION('material property','${kind}',#${id})`);
      const values = add(`REPRESENTATION('${kind}',(${add(item)}),${context})`);
      add(`PROPERTY_DEFINITION_REPRESENTATION(${property},${values})`);
    };
    if (name !== null) addProperty('material name', `DESCRIPTIVE_REPRESENTATION_ITEM(${quote(name)},${quote(name)})`);
    if (density !== null) {
      const value = `POSITIVE_RATIO_MEASURE(${Number(density.toPrecision(12))
        .toExponential()
        .replace(/^(-?\d+)e/, '$1.e')})`;
      addProperty('density', `MEASURE_REPRESENTATION_ITEM('density measure',${value},${unit})`);
    }
  }
  return lines;
}
