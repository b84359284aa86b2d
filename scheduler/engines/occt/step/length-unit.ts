import type { StepFile } from './parse-step.ts';
import { listOf, measureOf, referenceOf, textOf, type Value } from './values.ts';

/**
 * `name` as in the file, `mm` the length of one unit. If the file specifies no unit, `name` is null and mm are assumed.
 */
export type LengthUnit = { name: string | null; mm: number };

/** Returns the length unit of a representation: SI with any prefix, or a conversion-based unit such as INCH. */
export function lengthUnit(file: StepFile, representation: number | undefined): LengthUnit {
  const none = { name: null, mm: 1 };
  const contextId = representation === undefined ? null : file.entities.get(representation)?.values[2];
  if (!contextId) return none;
  const units = file.entities.get(referenceOf(contextId))?.parts.GLOBAL_UNIT_ASSIGNED_CONTEXT?.[0];
  if (!units) return none;
  const parts = listOf(units).map((unit) => file.entities.get(referenceOf(unit))?.parts);
  const length = parts.find((unit) => unit?.LENGTH_UNIT);
  const mm = length ? inBaseUnits(file, length) * 1000 : Number.NaN;
  if (!length || !(mm > 0 && mm < Number.POSITIVE_INFINITY)) return none; // NaN fails both comparisons
  const { CONVERSION_BASED_UNIT: conversion, SI_UNIT: si } = length;
  return { name: conversion ? textOf(conversion[0]).toUpperCase() : `${wordOf(si?.[0])}${wordOf(si?.[1])}`, mm };
}

/** Returns the length of a unit in mm; NaN if it is not a length unit. */
export function lengthOfUnit(file: StepFile, unit: number): number {
  return inBaseUnits(file, file.entities.get(unit)?.parts ?? {}) * 1000;
}

/** Returns the mass of a unit in kg; NaN if it is not a unit of mass. */
export function massOfUnit(file: StepFile, unit: number): number {
  const parts = file.entities.get(unit)?.parts ?? {};
  return parts.MASS_UNIT ? inBaseUnits(file, parts) / 1000 : Number.NaN;
}

const PREFIXES: Record<string, number> = {
  EXA: 1e18,
  PETA: 1e15,
  TERA: 1e12,
  GIGA: 1e9,
  MEGA: 1e6,
  KILO: 1e3,
  HECTO: 100,
  DECA: 10,
  DECI: 0.1,
  CENTI: 0.01,
  MILLI: 1e-3,
  MICRO: 1e-6,
  NANO: 1e-9,
};
const MAX_CONVERSION_DEPTH = 8;

// In m or g. Returns NaN for an unknown unit or prefix. A conversion refers to a measure in another unit: LENGTH_MEASURE(25.4) in
// mm; some writers omit LENGTH_MEASURE.
function inBaseUnits(file: StepFile, unit: Record<string, Value[]>, depth = 0): number {
  const conversion = unit.CONVERSION_BASED_UNIT;
  if (conversion && depth < MAX_CONVERSION_DEPTH) {
    const factor = file.entities.get(referenceOf(conversion[1]));
    const [value, base] = factor?.type ? factor.values : (factor?.parts.MEASURE_WITH_UNIT ?? []);
    return measureOf(value) * inBaseUnits(file, file.entities.get(referenceOf(base))?.parts ?? {}, depth + 1);
  }
  if (!unit.SI_UNIT) return Number.NaN;
  const prefix = wordOf(unit.SI_UNIT[0]);
  return prefix ? (PREFIXES[prefix] ?? Number.NaN) : 1;
}

const wordOf = (value: Value | undefined) =>
  typeof value === 'object' && value !== null && 'word' in value ? value.word : '';
