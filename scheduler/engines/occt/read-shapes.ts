// The shapes of single entities of a STEP file that the kernel has read.
import type { STEPControl_Reader, StepData_StepModel } from 'replicad-opencascadejs';
import type { ShapeOfItem } from './colours/face-colours.ts';
import type { Styles } from './colours/read-styles.ts';
import type { Kernel, Shape } from './kernel.ts';
import { countSubshapes } from './product/count-subshapes.ts';
import type { CheckedStep } from './read-step.ts';

/** An entity by its id and its position in the file. */
export type EntityPosition = { id: number; ordinal: number };

/** The shape of a part, and the number of its faces. */
export type PartShape = { shape: Shape; faces: number };
export type ReadShape = (entity: EntityPosition) => PartShape | null;

/** Returns a reader that reads each shape once; those without faces count as absent. Shapes are disposed with `shapes`. */
export function createShapeReader(kernel: Kernel, reader: STEPControl_Reader, shapes: DisposableStack): ReadShape {
  const known = new Map<number, PartShape | null>();
  return (entity) => {
    const read = known.get(entity.id);
    if (read !== undefined) return read;
    const shape = transfer(kernel, reader, entity);
    const faces = shape ? countSubshapes(kernel, shapes.use(shape), 'face') : 0;
    const found = shape && faces ? { shape, faces } : null;
    known.set(entity.id, found);
    return found;
  };
}

/** Returns the shapes of styled items, which the reader has built and returns again. */
export function shapeOfItems(
  kernel: Kernel,
  { file }: CheckedStep,
  { items, occurrences }: Styles,
  reader: STEPControl_Reader,
): ShapeOfItem {
  const ordinals = file.ordinalsOf(new Set([...items.keys(), ...occurrences.map(({ item }) => item)]));
  return (id) => transfer(kernel, reader, { id, ordinal: ordinals.get(id) ?? 0 });
}

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
