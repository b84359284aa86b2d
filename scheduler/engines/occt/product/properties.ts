import type { BoundingBox } from './bounding-box.ts';
import type { Check } from './check-stated.ts';
import type { MaterialUse } from './mass.ts';
import type { Vector } from './matrix.ts';
import type { Warning } from './product.ts';
import type { StructureEntry } from './structure-tree.ts';
import type { UnmeshedFaces } from './unmeshed-faces.ts';

/** The `properties` artifact, in mm, mm², mm³. `volume` and `centreOfMass` are null without a closed solid. */
export type Properties = {
  units: 'mm';
  boundingBox: BoundingBox;
  volume: number | null;
  area: number;
  centreOfMass: Vector | null;
  /** By how much each value may differ from the true one. */
  uncertainty: { area: number; volume: number | null; centreOfMass: number | null; mass: number | null };
  massUnits: 'kg';
  densityUnits: 'kg/m³';
  /** The parts with a known density; null: none. */
  mass: number | null;
  /** The centre of mass of these parts, weighted by mass; `centreOfMass` assumes the same density everywhere. */
  massCentre: Vector | null;
  occurrencesWithoutMass: number;
  materials: MaterialUse[];
  /** What the file states, compared with the kernel. */
  check: Check[];
  solids: number;
  faces: number;
  /** Parts with faces that the 3D view and the thumbnail do not show. */
  unmeshed: UnmeshedFaces[];
  valid: boolean;
  definitions: number;
  occurrences: number;
  products: number;
  structure: StructureEntry;
  source: Source | null;
  warnings: Warning[];
  engine: string;
};

/** The file a model was converted from; `unit` is null if the file names none. */
export type Source = {
  format: 'STEP' | 'BREP' | 'FreeCAD';
  schema: string | null;
  unit: string | null;
  name: string;
  entities: number;
};

/**
 * Encodes the artifact as JSON, rounded to what the kernel can compute: six decimals, or twelve digits from 1e5 and for
 * kg.
 */
export function encodeProperties(properties: Properties): Buffer {
  return encodeJson(properties);
}

/** Encodes a record as JSON with the same rounding. */
export function encodeJson(properties: object): Buffer {
  return Buffer.from(`${JSON.stringify(properties, round, 1)}\n`);
}

function round(key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number(Math.abs(value) < 1e5 && key !== 'mass' ? value.toFixed(6) : value.toPrecision(12)) + 0;
}
