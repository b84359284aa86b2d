// What a subgraph asks to know of an entity before it can resolve it (`requires` of a fetch), picked from what is there.
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { isObject, type JsonObject } from './merge.ts';
import { fits } from './type-test.ts';

type Select = (value: unknown) => unknown;
type Wanted = { name: string; conditions: readonly string[]; below: Select | undefined };

/** Makes the function entity → representation; it answers null when a field the representation needs is missing. */
export function compileRepresentation(selections: readonly QueryPlanSelectionNode[], schema: GraphQLSchema): Select {
  const wanted = wantedFields(selections, schema, []);
  const byType = new Map<unknown, (entity: JsonObject) => JsonObject | null>();
  return (entity) => {
    if (!isObject(entity)) return entity;
    const type = entity.__typename;
    let select = byType.get(type);
    if (!select) {
      select = selection(
        wanted.filter(({ conditions }) => conditions.every((condition) => fits(schema, type, condition))),
      );
      byType.set(type, select);
    }
    return select(entity);
  };
}

// nearly always asked for: these two, written out, give all representations one layout
function selection(wanted: readonly Wanted[]): (entity: JsonObject) => JsonObject | null {
  if (wanted.map(({ name }) => name).join() === '__typename,id') {
    return ({ __typename, id }) => (__typename === undefined || id === undefined ? null : { __typename, id });
  }
  return (entity) => {
    const representation: JsonObject = {};
    for (const { name, below } of wanted) {
      const value = entity[name];
      if (value === undefined) return null;
      representation[name] = below ? each(value, below) : value;
    }
    return representation;
  };
}

const each = (value: unknown, select: Select): unknown =>
  Array.isArray(value) ? value.map((item) => each(item, select)) : value === null ? null : select(value);

function wantedFields(
  selections: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
  conditions: readonly string[],
): Wanted[] {
  return selections.flatMap((selection) => {
    if (selection.kind === 'InlineFragment') {
      return wantedFields(
        selection.selections,
        schema,
        selection.typeCondition ? [...conditions, selection.typeCondition] : conditions,
      );
    }
    const below = selection.selections?.length ? compileRepresentation(selection.selections, schema) : undefined;
    return [{ name: selection.alias ?? selection.name, conditions, below }];
  });
}
