import { pluralize } from '../../../subgraphs/core/domain/text/pluralize.ts';
import { fail } from './job-failure.ts';
import { KERNEL_NAME, type Kernel } from './kernel.ts';
import type { Reporter } from './process/reporter.ts';
import { measureProduct, type ProductMeasurements } from './product/measure-product.ts';
import type { Mesh } from './product/mesh.ts';
import { type Colour, type Surface, surfacesOf, tintParts } from './product/palette.ts';
import {
  type Definition,
  definitionsOf,
  type Part,
  type Placement,
  placements,
  type Warning,
} from './product/product.ts';
import { encodeProperties, type Properties, type Source } from './product/properties.ts';
import { structureTree } from './product/structure-tree.ts';
import { chordError, tessellate } from './product/tessellate.ts';
import { type UnmeshedFaces, unmeshedFaces, unmeshedWarning } from './product/unmeshed-faces.ts';
import { writeGlb } from './product/write-glb.ts';
import { encodePng } from './render/encode-png.ts';
import { renderImage } from './render/render-image.ts';

/** The artifacts derived from the geometry of a model or an assembly. */
export type DerivedArtifacts = { glb: Uint8Array; properties: Buffer; thumbnail: Buffer };

/** Everything computed with the kernel. The shapes in `root` are freed afterwards and must not be used. */
export type Evaluation = {
  properties: Buffer;
  thumbnail: Buffer;
  root: Definition;
  meshes: Map<Part, Mesh>;
  tolerance: number;
  surfaces: Map<Part, Surface[]>;
  tints: Map<Part, Colour>;
};

/** Measures, meshes and renders a product. Appends the problems it finds to `warnings`. */
export function evaluateProduct(
  kernel: Kernel,
  root: Definition,
  warnings: Warning[],
  source: Source | null,
  report: Reporter,
): Evaluation {
  const placed = placements(root);
  if (!placed.length) fail('empty', 'the assembly has no instance with geometry');
  const measured = measureProduct(kernel, placed);
  warnings.push(...geometryWarnings(measured));
  report.progress(50, 'measured');
  report.log(
    `found: ${pluralize(measured.solids, 'solid')}, ${pluralize(measured.faces, 'face')}, ${pluralize(measured.definitions, 'definition')} in ${pluralize(measured.occurrences, 'occurrence')}`,
  );
  const tolerance = chordError(measured.boundingBox.size);
  const meshes = meshParts(kernel, placed, tolerance);
  const unmeshed = unmeshedFaces(meshes);
  warnings.push(...unmeshedWarning(unmeshed));
  for (const { code, message } of warnings) report.log(`warning ${code}: ${message}`);
  report.progress(75, 'meshed');
  const tints = tintParts(meshes);
  const surfaces = new Map([...meshes].map(([part, mesh]) => [part, surfacesOf(part, mesh, tints.get(part)!)]));
  const items = placed.map(({ part, matrix }) => ({ mesh: meshes.get(part)!, matrix, surfaces: surfaces.get(part)! }));
  const thumbnail = encodePng(renderImage(items, THUMBNAIL_PIXELS));
  report.progress(90, 'rendered');
  return {
    properties: encodeProperties(propertiesOf(root, measured, unmeshed, warnings, source)),
    thumbnail,
    root,
    meshes,
    tolerance,
    surfaces,
    tints,
  };
}

/** Completes the artifacts with the GLB, which needs no kernel. */
export async function createArtifacts({ properties, thumbnail, ...model }: Evaluation): Promise<DerivedArtifacts> {
  return { properties, thumbnail, glb: await writeGlb(model) };
}

const THUMBNAIL_PIXELS = 512;

function meshParts(kernel: Kernel, placed: Placement[], tolerance: number): Map<Part, Mesh> {
  const meshes = new Map<Part, Mesh>();
  for (const { part } of placed) if (!meshes.has(part)) meshes.set(part, tessellate(kernel, part.shape, tolerance));
  return meshes;
}

function propertiesOf(
  root: Definition,
  measured: ProductMeasurements,
  unmeshed: UnmeshedFaces[],
  warnings: Warning[],
  source: Source | null,
): Properties {
  const { boundingBox, volume, area, centreOfMass, solids, faces, valid, definitions, occurrences } = measured;
  const counts = { solids, faces, unmeshed, valid, definitions, occurrences };
  const measurements = { boundingBox, volume, area, centreOfMass, ...counts };
  const structure = { products: definitionsOf(root).size, structure: structureTree(root) };
  return { units: 'mm', ...measurements, ...structure, source, warnings, engine: KERNEL_NAME };
}

function geometryWarnings({ valid, solids, inverted }: ProductMeasurements): Warning[] {
  const found: Warning[] = [];
  if (!valid)
    found.push({
      code: 'invalid_shape',
      message: 'the geometry kernel reports errors in the shape; measurements and later operations may be inaccurate',
    });
  if (!solids)
    found.push({ code: 'no_solid', message: 'the model has no closed solid; volume and center of mass are omitted' });
  if (inverted)
    found.push({
      code: 'inverted_solid',
      message: 'the faces of a solid point inwards; the absolute value of its volume is reported',
    });
  return found;
}
