import { readBrep } from '../formats/read-brep.ts';
import { JobFailure } from '../job-failure.ts';
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { countSubshapes } from '../product/count-subshapes.ts';
import type { Colour } from '../product/palette.ts';
import type { Part } from '../product/product.ts';
import type { FcstdDocument } from './open-fcstd.ts';
import { readColours, readMaterialColours, unpackColour } from './read-colours.ts';
import type { FcstdObject } from './read-objects.ts';

/** Returns the part that an object shows. Null if it has no faces or, after a call of `onUnreadable`, no shape. */
export type ReadPart = (document: FcstdDocument, object: FcstdObject) => Part | null;

/** Creates a function that reads each part once. The shapes are disposed with `shapes`. */
export function createPartReader(
  kernel: Kernel,
  shapes: DisposableStack,
  onUnreadable: (label: string) => void,
): ReadPart {
  const parts = new Map<FcstdObject, Part | null>();
  return (document, object) => {
    const known = parts.get(object);
    if (known !== undefined) return known;
    const part = readPart(kernel, document, object, shapes, onUnreadable);
    parts.set(object, part);
    return part;
  };
}

function readPart(
  kernel: Kernel,
  { files }: FcstdDocument,
  object: FcstdObject,
  shapes: DisposableStack,
  onUnreadable: (label: string) => void,
): Part | null {
  const bytes = files.get(object.shape ?? '');
  // FreeCAD writes an empty file for a feature without a shape.
  if (!bytes?.length) return null;
  const read = readShape(kernel, bytes);
  if (!read) {
    onUnreadable(object.label);
    return null;
  }
  const shape = withoutLocation(kernel, shapes.use(read), shapes);
  const faces = countSubshapes(kernel, shape, 'face');
  if (!faces) return null;
  return { name: object.label, shape, uses: null, ...coloursOf(files, object, faces) };
}

// Returns null for a shape that the kernel rejects; other failures concern the whole job.
function readShape(kernel: Kernel, bytes: Uint8Array): Shape | null {
  try {
    return withKernelErrors(kernel, 'shape reader', () => readBrep(kernel, bytes));
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'kernel') return null;
    throw error;
  }
}

// The STEP writer finds the faces of a shape, to colour them, only if the shape itself has no location.
function withoutLocation(kernel: Kernel, shape: Shape, shapes: DisposableStack): Shape {
  using location = shape.Location();
  if (location.IsIdentity()) return shape;
  return withKernelErrors(kernel, 'placement', () => {
    using origin = new kernel.TopLoc_Location();
    using unplaced = shape.Located(origin, false);
    using move = location.Transformation();
    using moved = new kernel.BRepBuilderAPI_Transform(unplaced, move, true, false);
    return shapes.use(moved.Shape());
  });
}

// A list of colours has one for each face, or one for all of them.
function coloursOf(
  files: ReadonlyMap<string, Uint8Array>,
  { colour, faceColours, appearance }: FcstdObject,
  faces: number,
): Pick<Part, 'colour' | 'faceColours'> {
  const diffuse = readColours(files.get(faceColours ?? ''));
  const colours = diffuse.length ? diffuse : readMaterialColours(files.get(appearance ?? ''));
  const distinct = new Map(colours.map((each): [string, Colour] => [each.join(), each]));
  if (colours.length === faces && distinct.size > 1) return { faceColours: colours };
  const [only] = distinct.values();
  if (distinct.size === 1 && only) return { colour: only };
  return colour === null || Number.isNaN(colour) ? {} : { colour: unpackColour(colour) };
}
