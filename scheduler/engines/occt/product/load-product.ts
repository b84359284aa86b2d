import type { STEPControl_Reader, StepData_StepModel } from 'replicad-opencascadejs';
import type { Kernel, Shape } from '../kernel.ts';
import { sanitizeName } from '../limits.ts';
import { type CheckedStep, readStep } from '../read-step.ts';
import { itemColours } from '../step/item-colours.ts';
import type { StepProduct } from '../step/product-structure.ts';
import { countSubshapes } from './count-subshapes.ts';
import { colourParts } from './face-colours.ts';
import { IDENTITY } from './matrix.ts';
import { type Definition, definitionsOf, type Warning } from './product.ts';

/** A STEP file as a tree of shared definitions. */
export type LoadedProduct = { root: Definition; warnings: Warning[] };

/** Reads a checked STEP file through the kernel. The shapes are disposed with `shapes`. */
export function loadProduct(kernel: Kernel, step: CheckedStep, shapes: DisposableStack): LoadedProduct {
  const product = readStep(kernel, step, (whole, reader) => {
    shapes.use(whole);
    const loaded = singlePart(step, whole) ?? assembly(kernel, step, whole, reader, shapes);
    readColours(kernel, step, loaded.root, reader);
    return loaded;
  });
  if (!step.structure.unit.name)
    product.warnings.unshift({
      code: 'no_unit',
      message: 'the file specifies no length unit; millimeters are assumed',
    });
  return product;
}

// For a single part, the shape of the whole file is the part: no second transfer is needed.
function singlePart({ structure }: CheckedStep, whole: Shape): LoadedProduct | null {
  const products = [...structure.products.values()].filter(
    (product) => product.uses.length || product.representation !== undefined,
  );
  const [only] = products;
  if (products.length !== 1 || !only || only.uses.length) return null;
  return { root: part(only, whole), warnings: [] };
}

function assembly(
  kernel: Kernel,
  { structure }: CheckedStep,
  whole: Shape,
  reader: STEPControl_Reader,
  shapes: DisposableStack,
): LoadedProduct {
  const warnings: Warning[] = [];
  const faces = new Map<Definition, number>();
  const definitions = new Map<number, Definition | null>();
  const define = (product: StepProduct): Definition | null => {
    const known = definitions.get(product.id);
    if (known !== undefined) return known;
    const definition = product.uses.length ? loadGroup(product) : loadLeaf(product);
    definitions.set(product.id, definition);
    return definition;
  };
  const loadLeaf = (product: StepProduct): Definition | null => {
    const shape = product.representation === undefined ? null : transfer(kernel, reader, product);
    const faceCount = shape ? countSubshapes(kernel, shapes.use(shape), 'face') : 0;
    if (shape && faceCount) {
      const definition = part(product, shape);
      faces.set(definition, faceCount);
      return definition;
    }
    if (product.used)
      warnings.push({
        code: 'missing_part',
        message: `product ${sanitizeName(product.name)} has no geometry in this file`,
      });
    return null;
  };
  const loadGroup = (product: StepProduct): Definition => {
    const uses = product.uses.flatMap(({ product: id, name, transform }) => {
      const definition = define(structure.products.get(id)!);
      return definition ? [{ definition, name, transform }] : [];
    });
    const group: Definition = { name: product.name, shape: null, uses };
    faces.set(
      group,
      uses.reduce((sum, use) => sum + faces.get(use.definition)!, 0),
    );
    return group;
  };
  const roots = structure.roots.map(define).filter((root): root is Definition => root !== null && faces.get(root)! > 0);
  // If the placed definitions do not have all faces of the whole shape, the file is loaded as one part.
  const placedFaces = roots.reduce((sum, root) => sum + faces.get(root)!, 0);
  if (placedFaces === countSubshapes(kernel, whole, 'face')) return { root: joinRoots(roots), warnings };
  if (structure.products.size > 1) {
    warnings.push({
      code: 'flattened',
      message: 'the product structure does not contain every face; the file is converted as one part',
    });
  }
  return { root: { name: structure.roots[0]?.name ?? 'file', shape: whole, uses: null }, warnings };
}

const part = (product: StepProduct, shape: Shape): Definition => ({ name: product.name, shape, uses: null });

// The reader has built the shapes of all items and returns them again.
function readColours(kernel: Kernel, { file }: CheckedStep, root: Definition, reader: STEPControl_Reader): void {
  const colours = itemColours(file);
  if (!colours.size) return;
  const ordinals = file.ordinalsOf(new Set(colours.keys()));
  const parts = [...definitionsOf(root)].filter((definition) => definition.shape !== null);
  colourParts(kernel, parts, colours, (id) => transfer(kernel, reader, { id, ordinal: ordinals.get(id) ?? 0 }));
}

type EntityPosition = { id: number; ordinal: number };

// Returns the shape of an entity, for example of a product in its own coordinates.
function transfer(kernel: Kernel, reader: STEPControl_Reader, entity: EntityPosition): Shape | null {
  using model = reader.StepModel();
  const position = positionOf(model, entity);
  if (!position) return null;
  reader.ClearShapes();
  using value = model.Value(position);
  using progress = new kernel.Message_ProgressRange();
  if (!reader.TransferEntity(value, progress) || reader.NbShapes() === 0) return null;
  const shape = reader.Shape(1);
  if (!shape.IsNull()) return shape;
  shape.delete();
  return null;
}

// The kernel usually numbers entities in file order; its own lookup scans the whole file for each product.
function positionOf(model: StepData_StepModel, { id, ordinal }: EntityPosition): number {
  if (ordinal > 0 && ordinal <= model.NbEntities()) {
    using guess = model.Value(ordinal);
    if (model.IdentLabel(guess) === id) return ordinal;
  }
  return model.NextNumberForLabel(`#${id}`, 0, true);
}

function joinRoots(roots: Definition[]): Definition {
  const [only, ...more] = roots;
  if (only && !more.length) return only;
  return {
    name: 'file',
    shape: null,
    uses: roots.map((definition) => ({ definition, name: definition.name, transform: IDENTITY })),
  };
}
