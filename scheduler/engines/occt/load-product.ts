import type { STEPControl_Reader, StepData_StepModel } from 'replicad-opencascadejs';
import { count } from './count.ts';
import type { Kernel, Shape } from './kernel.ts';
import { shortName } from './limits.ts';
import { IDENTITY } from './matrix.ts';
import type { Definition, Warning } from './product.ts';
import { type CheckedStep, readStep } from './read-step.ts';
import type { StepProduct } from './step/product-structure.ts';

/** A STEP file, part or assembly, as a tree of shared definitions. */
export type LoadedProduct = { root: Definition; warnings: Warning[] };

/** Reads a checked STEP file through the kernel; its shapes live until the caller's stack is disposed. */
export function loadProduct(kernel: Kernel, step: CheckedStep, shapes: DisposableStack): LoadedProduct {
  const product = readStep(kernel, step, (whole, reader) => {
    shapes.use(whole);
    return singlePart(step, whole) ?? assembly(kernel, step, whole, reader, shapes);
  });
  if (!step.structure.unit.name)
    product.warnings.unshift({ code: 'no_unit', message: 'the file names no length unit; millimetres are assumed' });
  return product;
}

// The whole shape of a single part is the part: no second transfer.
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
    const definition = product.uses.length ? group(product) : leaf(product);
    definitions.set(product.id, definition);
    return definition;
  };
  const leaf = (product: StepProduct): Definition | null => {
    const shape = transfer(kernel, reader, product);
    const found = shape ? count(kernel, shapes.use(shape), 'face') : 0;
    if (shape && found) {
      const definition = part(product, shape);
      faces.set(definition, found);
      return definition;
    }
    if (product.used)
      warnings.push({
        code: 'missing_part',
        message: `product ${shortName(product.name)} has no geometry in this file`,
      });
    return null;
  };
  const group = (product: StepProduct): Definition => {
    const uses = product.uses.flatMap(({ product: id, name, transform }) => {
      const of = define(structure.products.get(id)!);
      return of ? [{ of, name, transform }] : [];
    });
    const definition: Definition = { name: product.name, shape: null, uses };
    faces.set(
      definition,
      uses.reduce((sum, { of }) => sum + faces.get(of)!, 0),
    );
    return definition;
  };
  const roots = structure.roots.map(define).filter((root): root is Definition => root !== null && faces.get(root)! > 0);
  // Definitions put back in place must show every face of the whole shape, or the file is taken as one body.
  const accounted = roots.reduce((sum, root) => sum + faces.get(root)!, 0);
  if (accounted === count(kernel, whole, 'face')) return { root: joined(roots), warnings };
  if (structure.products.size > 1) {
    warnings.push({
      code: 'flattened',
      message: 'the product structure does not account for every face; the file is kept as one part',
    });
  }
  return { root: { name: structure.roots[0]?.name ?? 'file', shape: whole, uses: null }, warnings };
}

const part = (product: StepProduct, shape: Shape): Definition => ({ name: product.name, shape, uses: null });

// One shared shape per product, in its own place.
function transfer(kernel: Kernel, reader: STEPControl_Reader, product: StepProduct): Shape | null {
  if (product.representation === undefined) return null;
  using model = reader.StepModel();
  const position = positionIn(model, product);
  if (!position) return null;
  reader.ClearShapes();
  using value = model.Value(position);
  using progress = new kernel.Message_ProgressRange();
  return reader.TransferEntity(value, progress) && reader.NbShapes() > 0 ? reader.Shape(1) : null;
}

// The kernel numbers entities as they stand in the file. Its own search walks through the whole file for each product, so it
// is only the second choice.
function positionIn(model: StepData_StepModel, { id, ordinal }: StepProduct): number {
  if (ordinal <= model.NbEntities()) {
    using guess = model.Value(ordinal);
    if (model.IdentLabel(guess) === id) return ordinal;
  }
  return model.NextNumberForLabel(`#${id}`, 0, true);
}

function joined(roots: Definition[]): Definition {
  const [only, ...more] = roots;
  if (only && !more.length) return only;
  return { name: 'file', shape: null, uses: roots.map((of) => ({ of, name: of.name, transform: IDENTITY })) };
}
