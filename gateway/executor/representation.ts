// Selects the fields that a subgraph requires to resolve an entity (`requires` of a fetch).
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { matchesType } from './matches-type.ts';
import { isObjectOrList, type JsonObject } from './merge.ts';

type Select = (value: unknown) => unknown;
type RequiredField = { name: string; conditions: readonly string[]; below: Select | undefined };

/** Creates the function entity → representation. It returns null if a required field is missing. */
export function compileRepresentation(selections: readonly QueryPlanSelectionNode[], schema: GraphQLSchema): Select {
  const fields = requiredFields(selections, schema, []);
  const byType = new Map<unknown, (entity: JsonObject) => JsonObject | null>();
  return (entity) => {
    if (!isObjectOrList(entity)) return entity;
    const type = entity.__typename;
    let select = byType.get(type);
    if (!select) {
      select = compileSelection(
        fields.filter(({ conditions }) => conditions.every((condition) => matchesType(schema, type, condition))),
      );
      byType.set(type, select);
    }
    return select(entity);
  };
}

// Nearly all representations have exactly these two fields; an object literal gives them one hidden class.
function compileSelection(fields: readonly RequiredField[]): (entity: JsonObject) => JsonObject | null {
  if (fields.map(({ name }) => name).join() === '__typename,id') {
    return ({ __typename, id }) => (__typename === undefined || id === undefined ? null : { __typename, id });
  }
  return (entity) => {
    const representation: JsonObject = {};
    for (const { name, below } of fields) {
      const value = entity[name];
      if (value === undefined) return null;
      representation[name] = below ? mapItems(value, below) : value;
    }
    return representation;
  };
}

function mapItems(value: unknown, select: Select): unknown {
  if (Array.isArray(value)) return value.map((item) => mapItems(item, select));
  return value === null ? null : select(value);
}

function requiredFields(
  selections: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
  conditions: readonly string[],
): RequiredField[] {
  return selections.flatMap((selection) => {
    if (selection.kind === 'InlineFragment') {
      return requiredFields(
        selection.selections,
        schema,
        selection.typeCondition ? [...conditions, selection.typeCondition] : conditions,
      );
    }
    const below = selection.selections?.length ? compileRepresentation(selection.selections, schema) : undefined;
    return [{ name: selection.alias ?? selection.name, conditions, below }];
  });
}
