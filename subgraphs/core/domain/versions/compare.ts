// Compares two drafts or versions: files, text fields and mass properties.

import { isObject } from '../text/is-object.ts';

type File = { kind: string; fileName: string; sha256: string };
/** A file that exists on one side only or differs; `contentDiffers` is false if only its name changed. */
export type FileChange<F extends File> = {
  kind: string;
  change: 'added' | 'removed' | 'changed';
  contentDiffers: boolean;
  from: F | null;
  to: F | null;
};

/** Returns the files that differ in content or name, sorted by kind. */
export function compareFiles<F extends File>(from: readonly F[], to: readonly F[]): FileChange<F>[] {
  const [before, after] = [byKind(from), byKind(to)];
  const kinds = [...new Set([...before.keys(), ...after.keys()])].sort();
  return kinds.flatMap((kind): FileChange<F>[] => {
    const [old, now] = [before.get(kind) ?? null, after.get(kind) ?? null];
    if (old?.sha256 === now?.sha256 && old?.fileName === now?.fileName) return [];
    return [{ kind, change: changeBetween(old, now), contentDiffers: old?.sha256 !== now?.sha256, from: old, to: now }];
  });
}

/** Returns how one side of a comparison became the other; null means a missing side. */
export function changeBetween(from: unknown, to: unknown): 'added' | 'removed' | 'changed' {
  if (!from) return 'added';
  return to ? 'changed' : 'removed';
}

function byKind<F extends File>(files: readonly F[]): Map<string, F> {
  return new Map(files.map((file) => [file.kind, file]));
}

export type FieldChange = { field: string; from: string | null; to: string | null };

/** Returns the text fields that differ, with both values. */
export function compareFields<N extends string>(
  from: Readonly<Record<N, string | null>>,
  to: Readonly<Record<N, string | null>>,
  fields: readonly N[],
): FieldChange[] {
  return fields
    .filter((field) => from[field] !== to[field])
    .map((field) => ({ field, from: from[field], to: to[field] }));
}

type Vector = readonly [number, number, number];
export type BoundingBox = { min: Vector; max: Vector; size: Vector };
/**
 * The mass properties that an engine computed, in mm, mm² and mm³; `volume` is null for geometry without one, e.g. an
 * open shell.
 */
export type MassProperties = { volume: number | null; area: number; boundingBox: BoundingBox };

/** Parses the text of a `properties` file. Returns null if it contains none: users can upload any text. */
export function parseMassProperties(text: string): MassProperties | null {
  const { volume, area, boundingBox } = objectIn(text);
  const { min, max } = isObject(boundingBox) ? boundingBox : {};
  if ((volume !== null && !isNumber(volume)) || !isNumber(area) || !isVector(min) || !isVector(max)) return null;
  return { volume, area, boundingBox: { min, max, size: difference(min, max) } };
}

export type NumberChange = {
  from: number | null;
  to: number | null;
  difference: number | null;
  relative: number | null;
};
export type BoxChange = { from: BoundingBox; to: BoundingBox; sizeDifference: Vector };

/** Compares mass properties: `difference` is `to` minus `from`, `relative` is that divided by `from`. */
export function compareMassProperties(
  from: MassProperties,
  to: MassProperties,
): { volume: NumberChange; area: NumberChange; boundingBox: BoxChange } {
  return {
    volume: numberChange(from.volume, to.volume),
    area: numberChange(from.area, to.area),
    boundingBox: {
      from: from.boundingBox,
      to: to.boundingBox,
      sizeDifference: difference(from.boundingBox.size, to.boundingBox.size),
    },
  };
}

function numberChange(from: number | null, to: number | null): NumberChange {
  if (from === null || to === null) return { from, to, difference: null, relative: null };
  const change = roundToInputs(to - from, Math.max(Math.abs(from), Math.abs(to)));
  return { from, to, difference: change, relative: from === 0 ? null : change / from };
}

function difference(from: Vector, to: Vector): Vector {
  const along = (axis: 0 | 1 | 2) =>
    roundToInputs(to[axis] - from[axis], Math.max(Math.abs(from[axis]), Math.abs(to[axis])));
  return [along(0), along(1), along(2)];
}

const SIGNIFICANT_DIGITS = 12;

// Rounds a difference to the precision of its inputs, so that 0.3 - 0.1 is 0.2.
function roundToInputs(value: number, magnitude: number): number {
  const decimals = SIGNIFICANT_DIGITS - Math.ceil(Math.log10(magnitude || 1));
  // + 0 turns -0 into 0
  return decimals < 0 || decimals > 20 ? value : Number(value.toFixed(decimals)) + 0;
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isVector(value: unknown): value is Vector {
  return Array.isArray(value) && value.length === 3 && value.every(isNumber);
}
