// What differs between two drafts or versions: files, fields, and what an engine measured.

import { isObject } from '../text/is-object.ts';

type File = { kind: string; fileName: string; sha256: string };
/** A file that only one side has, or that differs; `contentDiffers` is false when it was only renamed. */
export type FileChange<F extends File> = {
  kind: string;
  change: 'added' | 'removed' | 'changed';
  contentDiffers: boolean;
  from: F | null;
  to: F | null;
};

/** The files that differ in content or name, by kind; equal ones are left out. */
export function compareFiles<F extends File>(from: readonly F[], to: readonly F[]): FileChange<F>[] {
  const [before, after] = [byKind(from), byKind(to)];
  const kinds = [...new Set([...before.keys(), ...after.keys()])].sort();
  return kinds.flatMap((kind): FileChange<F>[] => {
    const [old, now] = [before.get(kind) ?? null, after.get(kind) ?? null];
    if (old?.sha256 === now?.sha256 && old?.fileName === now?.fileName) return [];
    const change = !old ? 'added' : !now ? 'removed' : 'changed';
    return [{ kind, change, contentDiffers: old?.sha256 !== now?.sha256, from: old, to: now }];
  });
}

function byKind<F extends File>(files: readonly F[]): Map<string, F> {
  return new Map(files.map((file) => [file.kind, file]));
}

export type FieldChange = { field: string; from: string | null; to: string | null };

/** Which of some text fields differ, and how. */
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
/** What an engine measured, in mm, mm², mm³; a volume that means nothing (an open shell) is null. */
export type Measures = { volume: number | null; area: number; boundingBox: BoundingBox };

/** The measures in the text of a `properties` file; null when it holds none, whoever wrote it. */
export function measuresIn(text: string): Measures | null {
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

/** How the measures changed: to minus from, and that in relation to from. */
export function compareMeasures(
  from: Measures,
  to: Measures,
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
  const change = tidy(to - from, Math.max(Math.abs(from), Math.abs(to)));
  return { from, to, difference: change, relative: from === 0 ? null : change / from };
}

function difference(from: Vector, to: Vector): Vector {
  const along = (axis: 0 | 1 | 2) => tidy(to[axis] - from[axis], Math.max(Math.abs(from[axis]), Math.abs(to[axis])));
  return [along(0), along(1), along(2)];
}

const DIGITS = 12;

// A difference knows no more decimals than what it is the difference of: 0.3 - 0.1 is 0.2.
function tidy(value: number, of: number): number {
  const decimals = DIGITS - Math.ceil(Math.log10(of || 1));
  return decimals < 0 || decimals > 20 ? value : Number(value.toFixed(decimals)) + 0;
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {}; // no JSON, no measures
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isVector(value: unknown): value is Vector {
  return Array.isArray(value) && value.length === 3 && value.every(isNumber);
}
