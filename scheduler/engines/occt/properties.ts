import type { Vector } from './matrix.ts';
import type { Box } from './measure-shape.ts';
import type { Warning } from './product.ts';
import type { StructureEntry } from './structure-tree.ts';

/** The `properties` artifact: what the engine knows about a model or an assembly. mm, mm², mm³; a measure that means nothing is null. */
export type Properties = {
  units: 'mm';
  boundingBox: Box & { size: Vector };
  volume: number | null;
  area: number;
  centreOfMass: Vector | null;
  solids: number;
  faces: number;
  valid: boolean;
  definitions: number;
  occurrences: number;
  products: number;
  structure: StructureEntry;
  source: Source | null;
  warnings: Warning[];
  engine: string;
};

/** The file a model was made from; `unit` is null when the file names none. */
export type Source = { format: 'STEP'; schema: string | null; unit: string | null; name: string; entities: number };

/** The artifact's bytes. Numbers carry what the kernel knows, twelve digits or 1e-6; the rest is noise. */
export function writeProperties(properties: Properties): Buffer {
  return Buffer.from(`${JSON.stringify(properties, tidy, 1)}\n`);
}

function tidy(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number(Math.abs(value) < 1e5 ? value.toFixed(6) : value.toPrecision(12)) + 0;
}
