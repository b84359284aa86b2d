import { glb } from './glb.ts';
import { KERNEL_NAME, type Kernel } from './kernel.ts';
import { shortName } from './limits.ts';
import { loadProduct } from './load-product.ts';
import { measureProduct } from './measure-product.ts';
import { tintParts } from './palette.ts';
import { drawPicture } from './picture/draw-picture.ts';
import { png } from './picture/png.ts';
import { type Definition, type Part, type Placement, placements, type Warning } from './product.ts';
import { type Properties, type Source, writeProperties } from './properties.ts';
import { type CheckedStep, checkStep } from './read-step.ts';
import type { Report } from './report.ts';
import { structureTree } from './structure-tree.ts';
import { chordError, type Mesh, tessellate } from './tessellate.ts';

/** What a conversion makes; the `stp` of a STEP source is the source itself, byte for byte. */
export type Converted = { glb: Uint8Array; properties: Buffer; thumbnail: Buffer };

/** Turns a STEP source (AP203, AP214, AP242; part or assembly; any length unit) into what the service shows of it. The kernel is started once the file is checked. */
export async function convert(bytes: Buffer, startKernel: () => Promise<Kernel>, maxBytes: number, report: Report): Promise<Converted> {
  const step = checkStep(bytes, maxBytes);
  const { file, structure } = step;
  report.log(
    `checked: ${file.schema ?? 'no schema'}, unit ${structure.unit.name ?? 'not named'}, ${file.entityCount} entities, ${structure.products.size} products`,
  );
  const kernel = await startKernel();
  report.progress(5, 'kernel');
  const { properties, thumbnail, scene } = loadProduct(kernel, step, ({ root, warnings }) => {
    report.progress(20, 'read');
    return derive(kernel, step, root, warnings, report);
  });
  // Kernel objects are gone from here on: nothing of the kernel may outlive an await.
  return { properties, thumbnail, glb: await glb(scene.root, scene.meshes, scene.tints) };
}

function derive(kernel: Kernel, step: CheckedStep, root: Definition, warnings: Warning[], report: Report) {
  const placed = placements(root);
  const { inverted, ...measures } = measureProduct(kernel, placed);
  const source = sourceOf(step, root);
  warnings.push(...remarks({ ...measures, inverted, source }));
  report.progress(50, 'measured');
  for (const { code, message } of warnings) report.log(`warning ${code}: ${message}`);
  report.log(`found: ${measures.solids} solids, ${measures.faces} faces, ${measures.definitions} definitions in ${measures.occurrences} places`);
  const meshes = meshParts(kernel, placed, chordError(measures.boundingBox.size));
  report.progress(75, 'meshed');
  const tints = tintParts(meshes);
  const items = placed.map(({ part, matrix }) => ({ mesh: meshes.get(part)!, matrix, tint: tints.get(part)! }));
  const thumbnail = png(drawPicture(items, THUMBNAIL));
  report.progress(90, 'drawn');
  const products = step.structure.products.size;
  const properties: Properties = { units: 'mm', ...measures, products, structure: structureTree(root), source, warnings, engine: KERNEL_NAME };
  return { properties: writeProperties(properties), thumbnail, scene: { root, meshes, tints } };
}

const THUMBNAIL = 512;

function meshParts(kernel: Kernel, placed: Placement[], tolerance: number): Map<Part, Mesh> {
  const meshes = new Map<Part, Mesh>();
  for (const { part } of placed) if (!meshes.has(part)) meshes.set(part, tessellate(kernel, part.shape, tolerance));
  return meshes;
}

function sourceOf({ file, structure }: CheckedStep, root: Definition): Source {
  return {
    format: 'STEP',
    schema: file.schema && shortName(file.schema),
    unit: structure.unit.name,
    name: shortName(root.name),
    entities: file.entityCount,
  };
}

function remarks({ valid, solids, inverted, source }: { valid: boolean; solids: number; inverted: boolean; source: Source }): Warning[] {
  const found: Warning[] = [];
  if (!source.unit) found.push({ code: 'no_unit', message: 'the file names no length unit; millimetres are assumed' });
  if (!valid)
    found.push({ code: 'invalid_shape', message: 'the geometry kernel finds faults in the shape; measures and later operations may be off' });
  if (!solids) found.push({ code: 'no_solid', message: 'there is no closed solid; volume and centre of mass are not given' });
  if (inverted) found.push({ code: 'inverted_solid', message: 'the faces of a solid point inwards; the volume is given as positive' });
  return found;
}
