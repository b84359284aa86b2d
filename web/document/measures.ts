// What the engine measured (the artifact of kind `properties`), as lines people read.
import { figure } from '../ui/format.ts';

export type Measure = { name: string; value: string };

/** The measures of a `properties` file, known ones first and with their units; figures of other engines follow under the names they have there. */
export function measuresOf(content: unknown): Measure[] {
  const given = isRecord(content) ? content : {};
  const unit = typeof given.units === 'string' ? given.units : 'mm';
  const measures: Measure[] = [];
  const add = (name: string, value: string | null) => value !== null && measures.push({ name, value });
  const box = isRecord(given.boundingBox) ? given.boundingBox : {};
  add('Size', vector(box.size, ' × ', unit));
  add('Volume', number(given.volume, `${unit}³`));
  add('Surface', number(given.area, `${unit}²`));
  add('Mass', number(given.mass, typeof given.massUnits === 'string' ? given.massUnits : 'kg'));
  add('Density', number(given.density, ''));
  add('Centre of mass', vector(given.centreOfMass, ', ', unit));
  add('Solids', number(given.solids, ''));
  add('Faces', number(given.faces, ''));
  add('Different parts', number(given.definitions, ''));
  add('Placed parts', number(given.occurrences, ''));
  for (const [name, value] of Object.entries(given)) {
    if (!KNOWN.has(name)) add(inWords(name), number(value, ''));
  }
  const source = isRecord(given.source) ? given.source : {};
  add('Made from', text([source.format, protocol(source.schema)]));
  add('Unit of the file', typeof source.unit === 'string' ? source.unit.toLowerCase() : null);
  add('Engine', typeof given.engine === 'string' ? given.engine : null);
  return measures;
}

/** What the engine warns of: its sentences. */
export function warningsOf(content: unknown): string[] {
  if (!isRecord(content)) return [];
  const given = Array.isArray(content.warnings) ? content.warnings : [];
  const said = given.flatMap((warning) =>
    typeof warning === 'string'
      ? [warning]
      : isRecord(warning) && typeof warning.message === 'string'
        ? [warning.message]
        : [],
  );
  return content.valid === false && said.length === 0
    ? ['The geometry kernel finds faults in the shape; measures may be off.']
    : said;
}

const KNOWN = new Set([
  'volume',
  'area',
  'mass',
  'density',
  'solids',
  'faces',
  'definitions',
  'occurrences',
  'products',
]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const number = (value: unknown, unit: string) => (isFigure(value) ? `${figure(value)} ${unit}`.trim() : null);

function vector(value: unknown, between: string, unit: string): string | null {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(isFigure)) return null;
  return `${value.map((one) => figure(one)).join(between)} ${unit}`;
}

// A file names its schema; people know the application protocols of ISO 10303 by their numbers.
const PROTOCOLS: readonly [RegExp, string][] = [
  [/^AP242/, 'AP242'],
  [/^AUTOMOTIVE_DESIGN/, 'AP214'],
  [/^CONFIGURATION_CONTROL_3D_DESIGN_ED2/, 'AP203 edition 2'],
  [/^CONFIG(URATION)?_CONTROL/, 'AP203'],
];

function protocol(schema: unknown): string | undefined {
  if (typeof schema !== 'string') return undefined;
  return PROTOCOLS.find(([named]) => named.test(schema))?.[1] ?? schema.split(/[\s{]/, 1)[0];
}

const text = (parts: unknown[]) => parts.filter((part) => typeof part === 'string' && part !== '').join(' ') || null;
const inWords = (name: string) =>
  name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/^./, (letter) => letter.toUpperCase());
