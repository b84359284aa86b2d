// Formats the `properties` artifact, which an engine created, for display.
import { isObject } from '../shell/is-object.ts';
import { formatArea, formatMass, formatNumber, formatVolume } from '../ui/format.ts';

/** `detail` marks what matters to few readers, such as the number of faces or the engine. */
export type Property = { name: string; value: string; detail?: true };

/** Returns the known properties with their units, then the other numeric properties under their own names. */
export function formatProperties(content: unknown): Property[] {
  const record = isObject(content) ? content : {};
  const unit = typeof record.units === 'string' ? record.units : 'mm';
  const properties: Property[] = [];
  const add = (name: string, value: string | null) => value !== null && properties.push({ name, value });
  const addDetail = (name: string, value: string | null) =>
    value !== null && properties.push({ name, value, detail: true });
  const box = isObject(record.boundingBox) ? record.boundingBox : {};
  const uncertainty = isObject(record.uncertainty) ? record.uncertainty : {};
  add('Size', within(vector(box.size, ' × ', unit), box.uncertainty, unit));
  add('Geometry', record.representation === 'mesh' ? 'Triangles only, no exact surfaces' : null);
  add('Volume', uncertain(record.volume, formatVolume, unit, uncertainty.volume));
  add('Surface area', uncertain(record.area, formatArea, unit, uncertainty.area));
  const withoutMass = isNumber(record.occurrencesWithoutMass) ? record.occurrencesWithoutMass : 0;
  add('Mass', formatTotalMass(record.mass, record.massUnits, withoutMass, uncertainty.mass));
  const materials = Array.isArray(record.materials) ? record.materials.filter(isObject) : [];
  const described = joinTexts(materials.map(describeMaterial), ', ');
  if (materials.length > MAX_MATERIALS) add('Materials', String(materials.length));
  else add(materials.length > 1 ? 'Materials' : 'Material', described);
  add('Unique parts', isNumber(record.definitions) && record.definitions > 1 ? number(record.definitions, '') : null);
  add('Part instances', isNumber(record.occurrences) && record.occurrences > 1 ? number(record.occurrences, '') : null);
  const isUniform = withoutMass > 0 && isNumber(record.definitions) && record.definitions > 1;
  const massCentre = withoutMass === 0 && vector(record.massCentre, ', ', unit);
  const centre = massCentre || within(vector(record.centreOfMass, ', ', unit), uncertainty.centreOfMass, unit);
  addDetail(isUniform ? 'Center of volume' : 'Center of mass', centre);
  if (materials.length > MAX_MATERIALS) addDetail('List of materials', described);
  addDetail('Solids', number(record.solids, ''));
  addDetail('Faces', number(record.faces, ''));
  for (const [name, value] of Object.entries(record)) {
    if (!KNOWN.has(name)) addDetail(toTitle(name), number(value, ''));
  }
  for (const [name, value] of statedValues(record.check, unit)) addDetail(name, value);
  addDetail('Layers', joinTexts([...layersIn(record.structure)], ', '));
  const source = isObject(record.source) ? record.source : {};
  addDetail('Source format', joinTexts([source.format, protocolName(source.schema)]));
  addDetail('File unit', typeof source.unit === 'string' ? source.unit.toLowerCase() : null);
  addDetail('Engine', typeof record.engine === 'string' ? record.engine : null);
  return properties;
}

/** Returns the engine's warnings, and one if the shape is invalid. */
export function engineWarnings(content: unknown): string[] {
  if (!isObject(content)) return [];
  const list = Array.isArray(content.warnings) ? content.warnings : [];
  const warnings = list.flatMap((warning) => {
    const message: unknown = isObject(warning) ? warning.message : warning;
    return typeof message === 'string' ? [message] : [];
  });
  return content.valid === false && warnings.length === 0
    ? ['The geometry kernel found errors in the shape. The properties may be inaccurate.']
    : warnings;
}

/** More are counted, and listed under the details. */
const MAX_MATERIALS = 3;
const MAX_STATED = 20;
const formatDensity = (density: unknown) => number(density, 'kg/m³');

// Uncertainties below the digits that are shown are left out.
const MIN_UNCERTAINTY_MM = 0.001;
function within(value: string | null, uncertainty: unknown, unit: string): string | null {
  if (value === null || !isNumber(uncertainty) || uncertainty < MIN_UNCERTAINTY_MM) return value;
  return `${value} ± ${Number(uncertainty.toPrecision(2))} ${unit}`;
}

/** Returns what the file states, with the deviation of the value that the engine computed. */
function statedValues(check: unknown, unit: string): [name: string, value: string][] {
  const stated = (Array.isArray(check) ? check : []).filter(isObject).flatMap((entry): [string, string][] => {
    const { of, quantity, file, deviation } = entry;
    const value = formatStated(quantity, file, unit);
    if (typeof of !== 'string' || value === null || !isNumber(deviation)) return [];
    return [
      [`${toTitle(String(quantity))} of ${of} in the file`, `${value}, ${percentOf(deviation)} from the engine's`],
    ];
  });
  const more = stated.length - MAX_STATED;
  return more > 0 ? [...stated.slice(0, MAX_STATED), ['Further values in the file', String(more)]] : stated;
}

function formatStated(quantity: unknown, value: unknown, unit: string): string | null {
  if (quantity === 'volume' && isNumber(value)) return formatVolume(value, unit);
  if (quantity === 'area' && isNumber(value)) return formatArea(value, unit);
  return quantity === 'centroid' ? vector(value, ', ', unit) : null;
}

const percentOf = (share: number) => `${Number((100 * share).toPrecision(2))} %`;

function formatTotalMass(mass: unknown, units: unknown, withoutMass: number, uncertainty: unknown): string | null {
  if (!isNumber(mass)) return null;
  const isKilograms = units === undefined || units === 'kg';
  const total = isKilograms ? uncertain(mass, formatMass, '', uncertainty) : number(mass, String(units));
  return withoutMass > 0 ? `${total} without ${withoutMass} part${withoutMass > 1 ? 's' : ''} of unknown mass` : total;
}

// The layers of all parts in the tree of the structure.
function layersIn(entry: unknown, found = new Set<unknown>()): Set<unknown> {
  if (!isObject(entry)) return found;
  for (const layer of Array.isArray(entry.layers) ? entry.layers : []) found.add(layer);
  for (const child of Array.isArray(entry.children) ? entry.children : []) layersIn(child, found);
  return found;
}

function describeMaterial({ name, density }: Record<string, unknown>): string | null {
  const value = formatDensity(density);
  if (typeof name !== 'string') return value;
  return value ? `${name} (${value})` : name;
}

const KNOWN = new Set([
  'occurrencesWithoutMass',
  'volume',
  'area',
  'mass',
  'solids',
  'faces',
  'definitions',
  'occurrences',
  'products',
]);

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const number = (value: unknown, unit: string) => (isNumber(value) ? `${formatNumber(value)} ${unit}`.trim() : null);

function uncertain(
  value: unknown,
  format: (value: number, unit: string) => string,
  unit: string,
  uncertainty: unknown,
): string | null {
  if (!isNumber(value)) return null;
  const share = isNumber(uncertainty) && value > 0 ? uncertainty / value : 0;
  return share < 1e-5 ? format(value, unit) : `${format(value, unit)} ± ${percentOf(share)}`;
}

function vector(value: unknown, separator: string, unit: string): string | null {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(isNumber)) return null;
  return `${value.map((one) => formatNumber(one)).join(separator)} ${unit}`;
}

// Maps schema names to the ISO 10303 application protocols, which users know by number.
const PROTOCOLS: readonly [RegExp, string][] = [
  [/^AP242/, 'AP242'],
  [/^AUTOMOTIVE_DESIGN/, 'AP214'],
  [/^CONFIGURATION_CONTROL_3D_DESIGN_ED2/, 'AP203 edition 2'],
  [/^CONFIG(URATION)?_CONTROL/, 'AP203'],
];

function protocolName(schema: unknown): string | undefined {
  if (typeof schema !== 'string') return undefined;
  return PROTOCOLS.find(([pattern]) => pattern.test(schema))?.[1] ?? schema.split(/[\s{]/, 1)[0];
}

const joinTexts = (parts: unknown[], separator = ' ') =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(separator) || null;
const toTitle = (name: string) =>
  name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/^./, (letter) => letter.toUpperCase());
