import { pluralize } from '../../../subgraphs/core/domain/text/pluralize.ts';
import { fail } from './job-failure.ts';
import { KERNEL_NAME, type Kernel } from './kernel.ts';
import { encodeMeasureData, MAX_MEASURED_FACES, measureModel } from './measure/measure-model.ts';
import { pacedProgress } from './process/paced-progress.ts';
import type { Reporter } from './process/reporter.ts';
import { meshedSize, roughSize } from './product/bounding-box.ts';
import { checkStated, type Stated } from './product/check-stated.ts';
import { MAX_UNCERTAINTY } from './product/integrals.ts';
import { massOf } from './product/mass.ts';
import { measureProduct, type ProductMeasurements } from './product/measure-product.ts';
import type { Mesh } from './product/mesh.ts';
import { type Colour, paintedSurfaces, type Surface, surfacesOf, tintParts } from './product/palette.ts';
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
import { unmeshedFaces, unmeshedWarning } from './product/unmeshed-faces.ts';
import { writeGlb } from './product/write-glb.ts';
import { encodePng } from './render/encode-png.ts';
import { renderImage } from './render/render-image.ts';

/** The artifacts derived from the geometry of a model or an assembly. */
export type DerivedArtifacts = { glb: Uint8Array; properties: Buffer; thumbnail: Buffer; measure?: Buffer };

/** Everything computed with the kernel. The shapes in `root` are freed afterwards and must not be used. */
export type Evaluation = {
  properties: Properties;
  thumbnail: Buffer;
  /** Null for a model with too many faces. */
  measure: Buffer | null;
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
  stated: readonly Stated[] = [],
): Evaluation {
  const placed = placements(root);
  if (!placed.length) fail('empty', 'the assembly has no instance with geometry');
  const { meshes, tolerance } = meshProduct(kernel, placed, report);
  report.progress(60, 'meshed');
  const tints = tintParts(meshes);
  const surfaces = new Map([...meshes].map(([part, mesh]) => [part, surfacesOf(part, mesh, tints.get(part)!)]));
  const partMeasured = pacedProgress(report, { from: 60, to: 90, step: 'measuring', total: meshes.size });
  const { data, integrated } = measureModel(kernel, { placed, meshes, surfaces, tolerance }, partMeasured);
  if (!data)
    warnings.push({
      code: 'no_measuring_data',
      message: `exact measuring data is limited to ${MAX_MEASURED_FACES} faces; the 3D view measures on the triangles`,
    });
  const measured = measureProduct(kernel, placed, meshes, tolerance, integrated);
  const unmeshed = unmeshedFaces(meshes);
  const compared = checkStated(stated, measured.parts);
  warnings.push(...geometryWarnings(measured), ...unmeshedWarning(unmeshed), ...compared.warnings);
  for (const { code, message } of warnings) report.log(`warning ${code}: ${message}`);
  report.log(
    `found: ${pluralize(measured.solids, 'solid')}, ${pluralize(measured.faces, 'face')}, ${pluralize(measured.definitions, 'definition')} in ${pluralize(measured.occurrences, 'occurrence')}`,
  );
  report.progress(90, 'measured');
  const items = placed.map(({ part, matrix, colour }) => ({
    mesh: meshes.get(part)!,
    matrix,
    surfaces: paintedSurfaces(surfaces.get(part)!, colour),
  }));
  const thumbnail = encodePng(renderImage(items, THUMBNAIL_PIXELS));
  report.progress(95, 'rendered');
  return {
    properties: propertiesOf(root, placed, measured, { unmeshed, check: compared.check, warnings }, source),
    thumbnail,
    measure: data && encodeMeasureData(data),
    root,
    meshes,
    tolerance,
    surfaces,
    tints,
  };
}

/** Completes the artifacts with the GLB, which needs no kernel. */
export async function createArtifacts(evaluation: Evaluation): Promise<DerivedArtifacts> {
  const { properties, thumbnail, measure, ...model } = evaluation;
  return {
    glb: await writeGlb(model),
    properties: encodeProperties(properties),
    thumbnail,
    ...(measure && { measure }),
  };
}

const THUMBNAIL_PIXELS = 512;

// The chord error depends on the size of the model, which is known only from its mesh if poles lie far outside.
function meshProduct(kernel: Kernel, placed: Placement[], report: Reporter) {
  const rough = chordError(roughSize(kernel, placed));
  const meshes = meshParts(kernel, placed, rough, report);
  const tolerance = chordError(meshedSize(placed, meshes));
  if (tolerance > rough * 0.8) return { meshes, tolerance: rough };
  return { meshes: meshParts(kernel, placed, tolerance, report), tolerance };
}

function meshParts(kernel: Kernel, placed: Placement[], tolerance: number, report: Reporter): Map<Part, Mesh> {
  const parts = new Set(placed.map(({ part }) => part));
  const partMeshed = pacedProgress(report, { from: 45, to: 60, step: 'meshing', total: parts.size });
  const meshes = new Map<Part, Mesh>();
  for (const part of parts) {
    meshes.set(part, tessellate(kernel, part.shape, tolerance));
    partMeshed();
  }
  return meshes;
}

function propertiesOf(
  root: Definition,
  placed: Placement[],
  measured: ProductMeasurements,
  { unmeshed, check, warnings }: Pick<Properties, 'unmeshed' | 'check' | 'warnings'>,
  source: Source | null,
): Properties {
  const { boundingBox, volume, area, centreOfMass, solids, faces, valid, definitions, occurrences } = measured;
  const { massUncertainty, ...mass } = massOf(placed, measured.parts);
  const known =
    volume === null ? { area: measured.uncertainty.area, volume, centreOfMass: null } : measured.uncertainty;
  const uncertainty = { ...known, mass: massUncertainty };
  const counts = { solids, faces, unmeshed, valid, definitions, occurrences };
  const measurements = { boundingBox, volume, area, centreOfMass, uncertainty, ...mass, check, ...counts };
  const structure = { products: definitionsOf(root).size, structure: structureTree(root) };
  const units = { units: 'mm', massUnits: 'kg', densityUnits: 'kg/m³' } as const;
  return { ...units, ...measurements, ...structure, source, warnings, engine: KERNEL_NAME };
}

function geometryWarnings(measured: ProductMeasurements): Warning[] {
  const { valid, solids, openFaces, inverted, area, volume, uncertainty } = measured;
  const found: Warning[] = [];
  const isUnsure = uncertainty.area > MAX_UNCERTAINTY * area || uncertainty.volume > MAX_UNCERTAINTY * (volume ?? 0);
  if (isUnsure)
    found.push({
      code: 'uncertain_measurements',
      message: uncertaintyMessage(measured),
    });
  if (!valid)
    found.push({
      code: 'invalid_shape',
      message: 'the geometry kernel reports errors in the shape; measurements and later operations may be inaccurate',
    });
  if (!solids)
    found.push({ code: 'no_solid', message: 'the model has no closed solid; volume and center of mass are omitted' });
  else if (openFaces)
    found.push({
      code: 'open_faces',
      message: `${pluralize(openFaces, 'face')} ${openFaces === 1 ? 'belongs' : 'belong'} to no solid; the area includes ${openFaces === 1 ? 'it' : 'them'}, volume and center of mass do not`,
    });
  if (inverted)
    found.push({
      code: 'inverted_solid',
      message: 'the faces of a solid point inwards; the absolute value of its volume is reported',
    });
  return found;
}

function uncertaintyMessage({ area, volume, uncertainty }: ProductMeasurements): string {
  const percent = (error: number, value: number) => `${Number(((100 * error) / value).toPrecision(2))} %`;
  const values = [
    ...(volume ? [`volume ± ${percent(uncertainty.volume, volume)}`] : []),
    `area ± ${percent(uncertainty.area, area)}`,
  ];
  return `the integrations and the triangles disagree: ${values.join(', ')}`;
}
