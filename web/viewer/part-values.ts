// The values of a part: exact ones of the engine where there are any, otherwise those of the triangles.
import type { MeasureData } from '../../subgraphs/core/domain/measure/measure-data.ts';
import { lineMass } from '../bom/line-masses.ts';
import { isObject } from '../shell/is-object.ts';
import { formatArea, formatMass, formatVolume } from '../ui/format.ts';
import { type Box, formatMm, isPoint, type Point } from './space.ts';

/** `approximate`: computed from triangles. */
export type PartValue = { name: string; value: string; approximate?: true };

type Sources = {
  /** The properties artifact of the document of the part; null if there is none. */
  properties: unknown;
  /** The exact faces of the model, and the meshes of the part. */
  measure: MeasureData | null;
  meshes: readonly number[];
  triangles: { volume: number; area: number };
  /** Converts a point of the part (mm) to the coordinates of the model. */
  toModel: (point: Point) => Point;
};

/** Returns volume, area, center, mass and material of a part, as far as they are known. */
export function partValues({ properties, measure, meshes, triangles, toModel }: Sources): PartValue[] {
  const known = isObject(properties) && properties.units === 'mm' ? properties : {};
  const values: PartValue[] = [
    typeof known.volume === 'number'
      ? { name: 'Volume', value: formatVolume(known.volume, 'mm') }
      : { name: 'Volume', value: formatVolume(triangles.volume, 'mm'), approximate: true },
  ];
  const area = typeof known.area === 'number' ? known.area : areaOf(measure, meshes);
  values.push(
    area === null
      ? { name: 'Area', value: formatArea(triangles.area, 'mm'), approximate: true }
      : { name: 'Area', value: formatArea(area, 'mm') },
  );
  if (isPoint(known.centreOfMass))
    values.push({ name: 'Center', value: `${toModel(known.centreOfMass).map(formatMm).join(', ')} mm` });
  const { mass, materials } = lineMass(known);
  if (mass !== null) values.push({ name: 'Mass', value: formatMass(mass) });
  if (materials.length > 0)
    values.push({ name: materials.length === 1 ? 'Material' : 'Materials', value: materials.join(', ') });
  return values;
}

/** Returns the area of all faces of the meshes, in mm²; null if the measuring data does not contain a mesh. */
function areaOf(measure: MeasureData | null, meshes: readonly number[]): number | null {
  if (!measure || meshes.length === 0) return null;
  const areas = new Map(
    measure.parts.flatMap(({ mesh, faces }) =>
      mesh === null ? [] : [[mesh, faces.reduce((sum, { area }) => sum + area, 0)] as const],
    ),
  );
  let total = 0;
  for (const mesh of meshes) {
    const area = areas.get(mesh);
    if (area === undefined) return null;
    total += area;
  }
  return total;
}

/** How many faces have no triangles, and how many in each part. */
export type UnmeshedFaces = { count: number; parts: string };

/** Returns the faces of a model without triangles; null if there are none. */
export function unmeshedFaces(properties: unknown): UnmeshedFaces | null {
  if (!isObject(properties) || !Array.isArray(properties.unmeshed) || !properties.unmeshed.length) return null;
  const unmeshed = properties.unmeshed.flatMap((entry) =>
    isObject(entry) && typeof entry.faces === 'number' ? [{ part: String(entry.part), faces: entry.faces }] : [],
  );
  return {
    count: unmeshed.reduce((sum, { faces }) => sum + faces, 0),
    parts: unmeshed.map(({ part, faces }) => `${part} (${faces})`).join(', '),
  };
}

/**
 * Returns the bounding box that the geometry kernel computed, in mm; null if the properties have no valid one. The box of
 * the triangles is slightly smaller where faces are round.
 */
export function parseBoundingBox(properties: unknown): Box | null {
  if (!isObject(properties) || properties.units !== 'mm' || !isObject(properties.boundingBox)) return null;
  const { min, max } = properties.boundingBox;
  return isPoint(min) && isPoint(max) ? { min, max } : null;
}
