import { counted } from '../../../subgraphs/core/domain/counted.ts';
import { glb } from './glb.ts';
import { KERNEL_NAME, type Kernel } from './kernel.ts';
import { measureProduct, type ProductMeasures } from './measure-product.ts';
import { type Colour, tintParts } from './palette.ts';
import { drawPicture } from './picture/draw-picture.ts';
import { png } from './picture/png.ts';
import { type Definition, definitionsOf, type Part, type Placement, placements, type Warning } from './product.ts';
import { type Properties, type Source, writeProperties } from './properties.ts';
import { refuse } from './refusal.ts';
import type { Report } from './report.ts';
import { structureTree } from './structure-tree.ts';
import { chordError, type Mesh, tessellate } from './tessellate.ts';

/** What is shown of a model or an assembly, made from its geometry. */
export type Derived = { glb: Uint8Array; properties: Buffer; thumbnail: Buffer };

/** Everything that is made while the kernel's shapes live, and what the rest needs: nothing of the kernel may outlive an await. */
export type Sketch = {
  properties: Buffer;
  thumbnail: Buffer;
  root: Definition;
  meshes: Map<Part, Mesh>;
  tolerance: number;
  tints: Map<Part, Colour>;
};

/** Measures, meshes and draws a product. `warnings` grows by what the measures show. */
export function sketch(
  kernel: Kernel,
  root: Definition,
  warnings: Warning[],
  source: Source | null,
  report: Report,
): Sketch {
  const placed = placements(root);
  if (!placed.length) refuse('empty', 'the assembly has no instance with geometry');
  const measured = measureProduct(kernel, placed);
  warnings.push(...remarks(measured));
  report.progress(50, 'measured');
  for (const { code, message } of warnings) report.log(`warning ${code}: ${message}`);
  report.log(
    `found: ${counted(measured.solids, 'solid')}, ${counted(measured.faces, 'face')}, ${counted(measured.definitions, 'definition')} in ${counted(measured.occurrences, 'place')}`,
  );
  const tolerance = chordError(measured.boundingBox.size);
  const meshes = meshParts(kernel, placed, tolerance);
  report.progress(75, 'meshed');
  const tints = tintParts(meshes);
  const items = placed.map(({ part, matrix }) => ({ mesh: meshes.get(part)!, matrix, tint: tints.get(part)! }));
  const thumbnail = png(drawPicture(items, THUMBNAIL));
  report.progress(90, 'drawn');
  return {
    properties: writeProperties(propertiesOf(root, measured, warnings, source)),
    thumbnail,
    root,
    meshes,
    tolerance,
    tints,
  };
}

/** Adds the GLB, which needs no kernel. */
export async function finish({ properties, thumbnail, root, meshes, tolerance, tints }: Sketch): Promise<Derived> {
  return { properties, thumbnail, glb: await glb(root, meshes, tolerance, tints) };
}

const THUMBNAIL = 512;

function meshParts(kernel: Kernel, placed: Placement[], tolerance: number): Map<Part, Mesh> {
  const meshes = new Map<Part, Mesh>();
  for (const { part } of placed) if (!meshes.has(part)) meshes.set(part, tessellate(kernel, part.shape, tolerance));
  return meshes;
}

function propertiesOf(
  root: Definition,
  measured: ProductMeasures,
  warnings: Warning[],
  source: Source | null,
): Properties {
  const { boundingBox, volume, area, centreOfMass, solids, faces, valid, definitions, occurrences } = measured;
  const measures = { boundingBox, volume, area, centreOfMass, solids, faces, valid, definitions, occurrences };
  const structure = { products: definitionsOf(root).size, structure: structureTree(root) };
  return { units: 'mm', ...measures, ...structure, source, warnings, engine: KERNEL_NAME };
}

function remarks({ valid, solids, inverted }: ProductMeasures): Warning[] {
  const found: Warning[] = [];
  if (!valid)
    found.push({
      code: 'invalid_shape',
      message: 'the geometry kernel finds faults in the shape; measures and later operations may be off',
    });
  if (!solids)
    found.push({ code: 'no_solid', message: 'there is no closed solid; volume and centre of mass are not given' });
  if (inverted)
    found.push({
      code: 'inverted_solid',
      message: 'the faces of a solid point inwards; the volume is given as positive',
    });
  return found;
}
