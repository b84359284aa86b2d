import { fail } from '../job-failure.ts';
import { IDENTITY, invertRigid, type Matrix, multiply } from '../product/matrix.ts';
import { assertProductTree } from './assert-product-tree.ts';
import { externalReferences } from './external-references.ts';
import { geometryItems, readLayers } from './layers.ts';
import { type LengthUnit, lengthUnit } from './length-unit.ts';
import { placeMappedItems } from './mapped-items.ts';
import { type Material, readMaterials } from './materials.ts';
import { firstName } from './names.ts';
import type { Entity, StepFile } from './parse-step.ts';
import { placementOf } from './placement.ts';
import { referenceOf, textOf, type Value } from './values.ts';

/**
 * A placed instance of a product in an assembly, by the id of its entity; the transform is in mm. `mappedItem` is the
 * entity that places it, if it is another one.
 */
export type StepUse = { id: number; product: number; name: string; transform: Matrix; mappedItem?: number };

/**
 * A product definition, the `ordinal`th entity of the file. `representation` is its shape; materials, documents and
 * some writers' assemblies have none.
 */
export type StepProduct = {
  id: number;
  ordinal: number;
  name: string;
  uses: StepUse[];
  used: boolean;
  /** No use refers to it, only mapped items: the kernel builds it in its own coordinates, too. */
  isBuiltTwice: boolean;
  representation: number | undefined;
  /** Representations with the geometry of the product itself, without its children. */
  geometry: number[];
  /** What the file states about its material. */
  material: Material | undefined;
  layers: readonly string[];
  /** The names of another file that has its shape, the most likely first; none if it is in this file. */
  externalFile: readonly string[];
};

export type ProductStructure = {
  products: Map<number, StepProduct>;
  roots: StepProduct[];
  unit: LengthUnit;
  externalFiles: string[];
  /** The number of items in layers that belong to no product, such as faces and curves. */
  unreadLayerItems: number;
};

/**
 * Reads the product tree of a STEP file with placements in mm. Throws JobFailure `structure` for unexpected entity
 * values, and `cycle`, `too_deep` or `too_many_occurrences` before expanding anything.
 */
export function productStructure(file: StepFile): ProductStructure {
  const byType = Map.groupBy(file.entities.values(), (entity) => entity.type);
  const all = (type: string) => byType.get(type) ?? [];
  const products = readProducts(file, [
    ...all('PRODUCT_DEFINITION'),
    ...all('PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS'),
  ]);
  // Entities are positive, so that -1 finds none.
  const shapeOwner = new Map(all('PRODUCT_DEFINITION_SHAPE').map((shape) => [shape.id, referenceOf(shape.values[2])]));
  for (const { values } of all('SHAPE_DEFINITION_REPRESENTATION')) {
    const product = products.get(shapeOwner.get(referenceOf(values[0])) ?? -1);
    if (product) product.representation = referenceOf(values[1]);
  }
  const geometryOf = relatedGeometry(file, all('SHAPE_REPRESENTATION_RELATIONSHIP'));
  const materials = readMaterials(file, products);
  for (const product of products.values()) {
    product.geometry = geometryOf(product.representation);
    product.material = materials.get(product.id);
  }
  const layers = readLayers(file, products.values());
  for (const [product, names] of layers.ofProduct) product.layers = names;
  const relationOf = new Map(
    all('CONTEXT_DEPENDENT_SHAPE_REPRESENTATION').map(({ values }) => [
      shapeOwner.get(referenceOf(values[1])),
      referenceOf(values[0]),
    ]),
  );
  const unplaced = new Set<StepUse>();
  for (const use of all('NEXT_ASSEMBLY_USAGE_OCCURRENCE')) {
    const parent = products.get(referenceOf(use.values[3]));
    const child = products.get(referenceOf(use.values[4]));
    if (!parent || !child) continue;
    const relation = file.entities.get(relationOf.get(use.id) ?? -1);
    const transform = transformOf(file, relation, parent);
    const step: StepUse = { id: use.id, product: child.id, name: useName(use, child), transform };
    parent.uses.push(step);
    if (!relation) unplaced.add(step);
    child.used = true;
  }
  placeMappedItems(file, products, unplaced);
  const roots = [...products.values()].filter((product) => !product.used);
  if (products.size && !roots.length) fail('cycle', 'STEP file is damaged: its assembly contains itself');
  assertProductTree(roots, (product) => product.uses.map((use) => products.get(use.product)!));
  const external = externalReferences(file);
  for (const [id, names] of external.ofProduct) {
    const product = products.get(id);
    if (product) product.externalFile = names;
  }
  const withShape = roots.find((root) => root.representation !== undefined);
  return {
    products,
    roots,
    unit: lengthUnit(file, withShape?.representation),
    externalFiles: external.files,
    unreadLayerItems: layers.unread,
  };
}

function useName({ values }: Entity, child: StepProduct): string {
  const [id, name, description] = values.slice(0, 3).map(textOf) as [string, string, string];
  return firstName(name, /^\d+$/.test(id) ? '' : id, child.name, description);
}

// A plain SHAPE_REPRESENTATION usually has only placements; its geometry is in related representations.
function relatedGeometry(file: StepFile, relations: Entity[]): (representation: number | undefined) => number[] {
  const related = new Map<number, number[]>();
  for (const { values } of relations) {
    const [first, second] = [referenceOf(values[2]), referenceOf(values[3])];
    related.set(first, [...(related.get(first) ?? []), second]);
    related.set(second, [...(related.get(second) ?? []), first]);
  }
  return (representation) =>
    representation === undefined
      ? []
      : [representation, ...(related.get(representation) ?? [])].filter((id) => {
          const type = file.entities.get(id)?.type;
          return type && (type !== 'SHAPE_REPRESENTATION' || geometryItems(file, id).length > 0);
        });
}

function readProducts(file: StepFile, definitions: Entity[]): Map<number, StepProduct> {
  const entityOf = (value: Entity['values'][number] | undefined) =>
    file.entities.get(referenceOf(value)) ??
    fail('structure', 'STEP file is damaged: its product structure cannot be read');
  return new Map(
    definitions.map((definition) => {
      const { values } = entityOf(entityOf(definition.values[2]).values[2]);
      const name = firstName(textOf(values[1]), textOf(values[0]), textOf(values[2])) || file.name || 'unnamed';
      return [
        definition.id,
        {
          id: definition.id,
          ordinal: definition.ordinal,
          name,
          uses: [],
          used: false,
          isBuiltTwice: false,
          representation: undefined,
          geometry: [],
          material: undefined,
          layers: [],
          externalFile: [],
        },
      ];
    }),
  );
}

// Each of the two placements is in the unit of its own representation: a part in mm may be placed in an assembly in
// inches. Some writers name the assembly as rep_1 of the relationship instead of rep_2; their transform is inverted.
function transformOf(file: StepFile, relation: Entity | undefined, parent: StepProduct): Matrix {
  const withTransform = relation?.parts.REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION;
  if (!withTransform) return IDENTITY;
  const items = file.entities.get(referenceOf(withTransform[0]))?.values;
  const [, , first, second] = relation.parts.REPRESENTATION_RELATIONSHIP ?? [];
  const assemblyUnit = lengthUnit(file, parent.representation);
  const placement = (item: Value | undefined, representation: Value | undefined) => {
    const unit = lengthUnit(file, referenceOf(representation));
    return placementOf(file, referenceOf(item), (unit.name ? unit : assemblyUnit).mm);
  };
  const transform = multiply(placement(items?.[3], second), invertRigid(placement(items?.[2], first)));
  return referenceOf(first) === parent.representation ? invertRigid(transform) : transform;
}
