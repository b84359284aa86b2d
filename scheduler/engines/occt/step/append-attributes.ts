import { addOccurrenceColours } from '../colours/add-occurrence-colours.ts';
import { type Definition, definitionsOf, type Part, type Use } from '../product/product.ts';
import { geometryItems } from './layers.ts';
import { quote } from './normalize-step.ts';
import { parseStep, type StepFile } from './parse-step.ts';
import { productStructure, type StepProduct, type StepUse } from './product-structure.ts';
import { real, referenceOf } from './values.ts';

/**
 * Adds the materials and layers of parts, and the colours of single instances, to a STEP file that the kernel wrote for a
 * product. The kernel writes the uses of each assembly in their order.
 */
export function appendAttributes(bytes: Buffer, root: Definition): Buffer {
  const hasAttributes = (each: Definition) =>
    each.shape ? each.material || each.layers?.length : each.uses.some(({ colours }) => colours?.length);
  if (![...definitionsOf(root)].some(hasAttributes)) return bytes;
  const file = parseStep(bytes);
  const { products, roots } = productStructure(file);
  const parts = new Map<StepProduct, Part>();
  const uses = new Map<Use, StepUse>();
  const seen = new Set<StepProduct>();
  const match = (definition: Definition, product: StepProduct | undefined): void => {
    if (!product || seen.has(product)) return;
    seen.add(product);
    if (definition.shape) parts.set(product, definition);
    else if (product.uses.length === definition.uses.length)
      definition.uses.forEach((use, i) => {
        uses.set(use, product.uses[i]!);
        match(use.definition, products.get(product.uses[i]!.product));
      });
  };
  match(root, roots[0]);
  const lines: string[] = [];
  // The kernel numbers entities from 1 without gaps.
  const add: AddStatement = (statement) => {
    lines.push(`#${file.entityCount + lines.length + 1} = ${statement};`);
    return `#${file.entityCount + lines.length}`;
  };
  addMaterials(file, parts, add);
  addLayers(file, parts, add);
  addOccurrenceColours(file, { parts, uses }, add);
  const end = bytes.lastIndexOf('ENDSEC;');
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${lines.join('\n')}\n`), bytes.subarray(end)]);
}

/** Adds a statement and returns a reference to it. */
export type AddStatement = (statement: string) => string;
type Parts = ReadonlyMap<StepProduct, Part>;

function addLayers(file: StepFile, parts: Parts, add: AddStatement): void {
  const layers = [...parts].flatMap(([{ geometry }, part]) => {
    const items = geometry.flatMap((id) => geometryItems(file, id)).map((id) => `#${id}`);
    return items.length ? (part.layers ?? []).map((name) => ({ name, items })) : [];
  });
  for (const [name, uses] of Map.groupBy(layers, (layer) => layer.name))
    add(`PRESENTATION_LAYER_ASSIGNMENT(${quote(name)},'',(${uses.flatMap(({ items }) => items).join()}))`);
}

// As CAx-IF recommends: a property of the product definition with the name, and one with the density.
function addMaterials(file: StepFile, parts: Parts, add: AddStatement): void {
  if (![...parts.values()].some(({ material }) => material)) return;
  const kilogram = add('( MASS_UNIT() NAMED_UNIT(*) SI_UNIT(.KILO.,.GRAM.) )');
  const metre = add('( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,.METRE.) )');
  const factors = [`${kilogram},1.`, `${metre},-3.`].map((factor) => add(`DERIVED_UNIT_ELEMENT(${factor})`));
  const unit = add(`DERIVED_UNIT((${factors.join()}))`);
  for (const [{ id, representation }, { material }] of parts) {
    const { name = null, density = null } = material ?? {};
    const context = `#${referenceOf(file.entities.get(representation ?? 0)?.values[2])}`;
    const addProperty = (kind: string, item: string) => {
      const property = add(`PROPERTY_DEFINITION('material property','${kind}',#${id})`);
      const values = add(`REPRESENTATION('${kind}',(${add(item)}),${context})`);
      add(`PROPERTY_DEFINITION_REPRESENTATION(${property},${values})`);
    };
    if (name !== null) addProperty('material name', `DESCRIPTIVE_REPRESENTATION_ITEM(${quote(name)},${quote(name)})`);
    if (density !== null) {
      const value = `POSITIVE_RATIO_MEASURE(${real(Number(density.toPrecision(12)))})`;
      addProperty('density', `MEASURE_REPRESENTATION_ITEM('density measure',${value},${unit})`);
    }
  }
}
