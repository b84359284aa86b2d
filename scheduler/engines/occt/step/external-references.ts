import type { Entity, StepFile } from './parse-step.ts';
import { referenceIn, type Value } from './values.ts';

/** The files that a STEP file references: all their names, and those with the shape of a product definition. */
export type ExternalReferences = { files: string[]; ofProduct: ReadonlyMap<number, readonly string[]> };

/**
 * Reads the references to other files. Systems relate a file (`DOCUMENT_FILE`) to a product definition directly, through
 * a document reference, or through a product of its own for the document. A reference that is damaged or to something
 * else is skipped: it is never a reason to refuse a file.
 */
export function externalReferences(file: StepFile): ExternalReferences {
  const byType = Map.groupBy(file.entities.values(), ({ type }) => type);
  const all = (type: string) => byType.get(type) ?? [];
  const documents = [...all('DOCUMENT_FILE'), ...all('').filter(({ parts }) => parts.DOCUMENT_FILE)];
  if (!documents.length) return { files: [], ofProduct: new Map() };
  const locations = groupByItem(all('APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT'), ({ values }) => idsIn(values[3]));
  const names = new Map(
    documents.map((document) => [document.id, namesOf(document, locations.get(document.id) ?? [])]),
  );
  const definitionsOf = groupByItem(
    [...all('PRODUCT_DEFINITION'), ...all('PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS')],
    (definition) => itemsOfDefinition(file, definition),
  );
  const equivalences = groupByItem(all('DOCUMENT_PRODUCT_EQUIVALENCE'), ({ values }) => referenceIn(values[3]) ?? []);
  // The files by document: one is the file itself, others are equivalent to the product of a file.
  const filesOf = new Map<number, readonly string[]>(names);
  const found = new Map<number, readonly string[]>();
  for (const { id, values } of all('PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS')) {
    const own = idsIn(values[4]).flatMap((document) => names.get(document) ?? []);
    if (own.length) found.set(id, own);
    const same = own.length ? (equivalences.get(referenceIn(values[2]) ?? 0) ?? []) : [];
    for (const equivalence of same) filesOf.set(referenceIn(equivalence.values[2]) ?? 0, own);
  }
  for (const type of REFERENCES) {
    for (const { values } of all(type)) {
      const files = filesOf.get(referenceIn(values[0]) ?? 0);
      if (!files) continue;
      for (const item of idsIn(values[2]))
        for (const { id } of definitionsOf.get(shapeOwner(file, item)) ?? []) found.set(id, files);
    }
  }
  return { files: [...new Set([...names.values()].flatMap(([first]) => first ?? []))], ofProduct: found };
}

const REFERENCES = ['APPLIED_DOCUMENT_REFERENCE', 'CC_DESIGN_SPECIFICATION_REFERENCE'];

// The assigned identification is the location; the id and the name of the document may be, too.
function namesOf(document: Entity, identified: readonly Entity[]): string[] {
  const values = document.type ? document.values : (document.parts.DOCUMENT ?? []);
  const candidates = [...identified.map((each) => each.values[0]), values[0], values[1]];
  return [...new Set(candidates.map(textIn).filter(Boolean))];
}

// An item is a product definition, its shape, its formation or its product.
function shapeOwner(file: StepFile, item: number): number {
  const entity = file.entities.get(item);
  return entity?.type === 'PRODUCT_DEFINITION_SHAPE' ? (referenceIn(entity.values[2]) ?? 0) : item;
}

function itemsOfDefinition(file: StepFile, { id, values }: Entity): number[] {
  const formation = referenceIn(values[2]) ?? 0;
  return [id, formation, referenceIn(file.entities.get(formation)?.values[2]) ?? 0];
}

function groupByItem(
  entities: readonly Entity[],
  itemsOf: (entity: Entity) => number | number[],
): Map<number, Entity[]> {
  const groups = new Map<number, Entity[]>();
  for (const entity of entities)
    for (const item of new Set([itemsOf(entity)].flat())) {
      const group = groups.get(item);
      if (group) group.push(entity);
      else groups.set(item, [entity]);
    }
  return groups;
}

const idsIn = (value: Value | undefined): number[] =>
  Array.isArray(value) ? value.flatMap((each) => referenceIn(each) ?? []) : [];

const textIn = (value: Value | undefined): string => (typeof value === 'string' ? value.trim() : '');
