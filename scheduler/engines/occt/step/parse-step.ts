import { fail } from '../job-failure.ts';
import { decodeFile } from './file-encoding.ts';
import { baseName } from './names.ts';
import { findStatementEnd, readId, skipBlank, type Visitor } from './scan.ts';
import { parseValues, type Value } from './values.ts';

/** An entity, the `ordinal`th from 1. A complex instance, `( A(…) B(…) )`, has type `''` and its parts by name. */
export type Entity = { id: number; ordinal: number; type: string; values: Value[]; parts: Record<string, Value[]> };

/** A syntactically complete STEP file. */
export type StepFile = {
  schema: string | null;
  /** The name in the header, without folder and extension; '' if there is none. */
  name: string;
  /** The file without a byte order mark and without bytes after its end; exponents have a capital E. */
  content: Buffer;
  /** The number of numbers with a small `e`, which ISO 10303-21 does not allow. */
  smallExponents: number;
  /** The number of bytes after the end of the file, apart from blanks. */
  trailingBytes: number;
  /** Names are in an encoding that could not be determined. */
  unreadableNames: boolean;
  entityCount: number;
  entities: Map<number, Entity>;
  /** Returns the ids of the entities of a type that is parsed on demand, in the order of the file. */
  idsOf(type: ListedType): readonly number[];
  /** Parses an entity of a placement, a style or a property. */
  lookUp(id: number): Entity | undefined;
  /** Returns the ordinals of entities; ids that are not in the file are left out. */
  ordinalsOf(ids: ReadonlySet<number>): Map<number, number>;
};

/**
 * Parses a STEP file (ISO 10303-21, any schema): checks that all statements are terminated, all references resolve and
 * all numbers are in range, and parses the entities of the product structure. Throws JobFailure `not_step`,
 * `truncated`, `syntax`, `bad_number`, `no_data`, `empty` or `dangling`.
 */
export function parseStep(bytes: Buffer): StepFile {
  const { text, unreadable, isConverted } = decodeFile(bytes);
  const start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  let at = findEndOfMagic(text, start);
  const end = findLastEnd(text);
  let contentEnd = end;
  const entities = new Map<number, Entity>();
  const positions = new Map<number, { at: number; ordinal: number }>();
  const defined = new Set<number>();
  const referenced = new Set<number>();
  const smallExponents: number[] = [];
  const visitor: Visitor = {
    reference: (id) => referenced.add(id),
    smallExponent: (at) => smallExponents.push(at),
  };
  const listed = new Map<string, number[]>(LISTED.map((type) => [type, []]));
  let schema: string | null = null;
  let name = '';
  let inData = false;
  let sections = 0;
  let entityCount = 0;
  for (;;) {
    at = skipBlank(text, at);
    if (at >= end) fail('truncated', 'STEP file is truncated: a section is not terminated');
    if (!inData || text[at] !== '#') {
      const stop = findStatementEnd(text, at);
      const statement = text.slice(at, Math.min(stop, at + 2000)).trimEnd();
      if (inData && statement !== 'ENDSEC') fail('syntax', `STEP file is damaged at byte ${at}`);
      if (/^DATA\s*(\(|$)/.test(statement)) {
        inData = true;
        sections++;
      } else if (statement === 'ENDSEC') inData = false;
      else if (statement === 'END-ISO-10303-21') {
        contentEnd = stop + 1;
        break;
      } else if (statement.startsWith('FILE_NAME')) name ||= fileNameOf(text, at);
      else schema ??= /^FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'/.exec(statement)?.[1]?.trim() ?? null;
      at = stop + 1;
      continue;
    }
    const { id, type, open } = parseEntityHead(text, at);
    const stop = findStatementEnd(text, open, visitor);
    entityCount++;
    defined.add(id);
    if (isParsedOnDemand(type)) {
      parseValues(text, open + 1);
      positions.set(id, { at, ordinal: entityCount });
      listed.get(type)?.push(id);
    } else if (isStructure(type)) entities.set(id, parseEntity(text, id, entityCount, type, open));
    at = stop + 1;
  }
  if (!sections) fail('no_data', 'STEP file has no DATA section');
  if (!entityCount) fail('empty', 'STEP file contains no product with a shape');
  let dangling = 0;
  for (const id of referenced) if (!defined.has(id)) dangling++;
  if (dangling)
    fail('dangling', `STEP file is damaged: ${dangling} references point to entities that are not in the file`);
  const isChanged = isConverted || smallExponents.length > 0;
  const content = isChanged ? Buffer.from(text.slice(start, contentEnd), 'latin1') : bytes.subarray(start, contentEnd);
  for (const index of smallExponents) content.write('E', index - start, 'latin1');
  return {
    schema,
    name,
    content,
    smallExponents: smallExponents.length,
    trailingBytes: countTrailing(text, contentEnd),
    unreadableNames: unreadable,
    entityCount,
    entities,
    idsOf: (type) => listed.get(type)!,
    lookUp: (id) => parseOnDemand(text, positions.get(id)),
    ordinalsOf: (ids) => ordinalsOf(defined, ids),
  };
}

const MAGIC = /ISO-10303-21\s*;/y;
const WORD = /[A-Za-z_][A-Za-z_0-9]*/y;
const END = /END-ISO-10303-21\s*;/y;
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
const NOT_STEP = 'the file is not a STEP file: it does not start with "ISO-10303-21;"';

function findEndOfMagic(text: string, start: number): number {
  if (!text.includes('ISO-10303-21')) fail('not_step', NOT_STEP);
  MAGIC.lastIndex = skipBlank(text, start);
  if (!MAGIC.test(text)) fail('not_step', NOT_STEP);
  return MAGIC.lastIndex;
}

// FILE_NAME('pump.stp', …); findStatementEnd has checked the statement.
function fileNameOf(text: string, at: number): string {
  const open = skipBlank(text, at + 'FILE_NAME'.length);
  const [first] = text[open] === '(' ? parseValues(text, open + 1).values : [];
  return typeof first === 'string' ? baseName(first) : '';
}

function findLastEnd(text: string): number {
  const last = text.lastIndexOf('END-ISO-10303-21');
  END.lastIndex = Math.max(last, 0);
  if (last < 0 || !END.test(text)) fail('truncated', 'STEP file is truncated: END-ISO-10303-21; is missing');
  return END.lastIndex;
}

// Some writers pad the file with spaces or NUL bytes.
function countTrailing(text: string, end: number): number {
  let length = text.length;
  while (length > end && text.charCodeAt(length - 1) <= 32) length--;
  return length - end;
}

// Parses `#12 = PRODUCT (`: the id, the upper-case type ('' for a complex instance) and the index of the parenthesis.
function parseEntityHead(text: string, at: number): { id: number; type: string; open: number } {
  const [id, afterId] = readId(text, at + 1);
  const equals = skipBlank(text, afterId);
  const start = skipBlank(text, equals + 1);
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0] ?? '';
  const open = skipBlank(text, start + word.length);
  if (afterId === at + 1 || text[equals] !== '=' || text[open] !== '(')
    fail('syntax', `STEP file is damaged at byte ${at}`);
  return { id, type: word.toUpperCase(), open };
}

function parseEntity(text: string, id: number, ordinal: number, type: string, open: number): Entity {
  const { values } = parseValues(text, open + 1);
  if (type) return { id, ordinal, type, values, parts: {} };
  const parts: Record<string, Value[]> = Object.create(null);
  for (const value of values)
    if (typeof value === 'object' && value !== null && 'typed' in value) parts[value.typed] = value.values;
  return { id, ordinal, type, values: [], parts };
}

// A set keeps the order in which its elements were added.
function ordinalsOf(defined: Set<number>, ids: ReadonlySet<number>): Map<number, number> {
  const ordinals = new Map<number, number>();
  let ordinal = 0;
  for (const id of ids.size ? defined : []) {
    ordinal++;
    if (ids.has(id)) ordinals.set(id, ordinal);
  }
  return ordinals;
}

// Files may contain millions of points: all are checked, but only those used by a placement are parsed into values.
function parseOnDemand(text: string, position: { at: number; ordinal: number } | undefined): Entity | undefined {
  if (!position) return undefined;
  const { id, type, open } = parseEntityHead(text, position.at);
  return parseEntity(text, id, position.ordinal, type, open);
}

const LISTED = [
  'STYLED_ITEM',
  'OVER_RIDING_STYLED_ITEM',
  'CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM',
  'PRESENTATION_LAYER_ASSIGNMENT',
  'INVISIBILITY',
  'MAPPED_ITEM',
  'PROPERTY_DEFINITION',
  'PROPERTY_DEFINITION_REPRESENTATION',
] as const;
type ListedType = (typeof LISTED)[number];

const ON_DEMAND = new Set<string>([
  ...LISTED,
  'MEASURE_REPRESENTATION_ITEM',
  'DESCRIPTIVE_REPRESENTATION_ITEM',
  'SHAPE_ASPECT',
  'REPRESENTATION_MAP',
  'DERIVED_UNIT',
  'DERIVED_UNIT_ELEMENT',
  'AXIS2_PLACEMENT_3D',
  'CARTESIAN_POINT',
  'DIRECTION',
  'PRESENTATION_STYLE_ASSIGNMENT',
  'PRESENTATION_STYLE_BY_CONTEXT',
  'SURFACE_STYLE_USAGE',
  'SURFACE_SIDE_STYLE',
  'SURFACE_STYLE_FILL_AREA',
  'SURFACE_STYLE_RENDERING',
  'SURFACE_STYLE_RENDERING_WITH_PROPERTIES',
  'SURFACE_STYLE_TRANSPARENT',
  'FILL_AREA_STYLE',
  'FILL_AREA_STYLE_COLOUR',
  'COLOUR_RGB',
  'DRAUGHTING_PRE_DEFINED_COLOUR',
  'PRE_DEFINED_COLOUR',
]);
const isParsedOnDemand = (type: string) => ON_DEMAND.has(type);

const STRUCTURE = new Set([
  '',
  'PRODUCT',
  'PRODUCT_DEFINITION',
  'PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS',
  'NEXT_ASSEMBLY_USAGE_OCCURRENCE',
  'SPECIFIED_HIGHER_USAGE_OCCURRENCE',
  'PRODUCT_DEFINITION_SHAPE',
  'SHAPE_DEFINITION_REPRESENTATION',
  'SHAPE_REPRESENTATION_RELATIONSHIP',
  'CONTEXT_DEPENDENT_SHAPE_REPRESENTATION',
  'ITEM_DEFINED_TRANSFORMATION',
  'REPRESENTATION',
  'CONVERSION_BASED_UNIT',
  'LENGTH_MEASURE_WITH_UNIT',
  'MASS_MEASURE_WITH_UNIT',
  'MEASURE_WITH_UNIT',
  'DOCUMENT_FILE',
  'DOCUMENT_PRODUCT_EQUIVALENCE',
  'APPLIED_DOCUMENT_REFERENCE',
  'CC_DESIGN_SPECIFICATION_REFERENCE',
  'APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT',
]);
const isStructure = (type: string) =>
  STRUCTURE.has(type) || type.startsWith('PRODUCT_DEFINITION_FORMATION') || type.endsWith('SHAPE_REPRESENTATION');
