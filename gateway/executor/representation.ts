// What a subgraph asks to know of an entity before it can resolve it (`requires` of a fetch), picked from what is there.
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { isObject, type JsonObject } from './merge.ts';
import { fits } from './type-test.ts';

type Wanted = { name: string; applies: ((typeName: unknown) => boolean) | undefined; below: ((value: unknown) => unknown) | undefined };

/** Makes the function entity → representation; it answers null when a field the representation needs is missing. */
export function compileRepresentation(selections: readonly QueryPlanSelectionNode[], schema: GraphQLSchema): (entity: unknown) => unknown {
  const wanted = wantedFields(selections, schema, []);
  return function select(entity) {
    if (!isObject(entity)) return entity;
    const representation: JsonObject = {};
    for (const { name, applies, below } of wanted) {
      if (applies && !applies(entity.__typename)) continue;
      const value = entity[name];
      if (value === undefined) return null;
      representation[name] = below ? each(value, below) : value;
    }
    return representation;
  };
}

const each = (value: unknown, select: (value: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map((item) => each(item, select)) : value === null ? null : select(value);

function wantedFields(selections: readonly QueryPlanSelectionNode[], schema: GraphQLSchema, conditions: readonly string[]): Wanted[] {
  return selections.flatMap((selection) => {
    if (selection.kind === 'InlineFragment') {
      return wantedFields(selection.selections, schema, selection.typeCondition ? [...conditions, selection.typeCondition] : conditions);
    }
    const below = selection.selections?.length ? compileRepresentation(selection.selections, schema) : undefined;
    return [{ name: selection.alias ?? selection.name, applies: conditions.length ? typeTest(schema, conditions) : undefined, below }];
  });
}

function typeTest(schema: GraphQLSchema, conditions: readonly string[]): (typeName: unknown) => boolean {
  const known = new Map<unknown, boolean>();
  return (typeName) => {
    const found = known.get(typeName);
    if (found !== undefined) return found;
    const applies = conditions.every((condition) => fits(schema, typeName, condition));
    known.set(typeName, applies);
    return applies;
  };
}
