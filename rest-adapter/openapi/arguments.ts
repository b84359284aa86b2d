// Finds the GraphQL argument that each variable of an operation is passed to.
import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

/** An argument: its coordinate, such as `Mutation.moveDocuments(ids)`, its name and its description. */
export type Argument = { coordinate: string; name: string; description: string | null | undefined };

/** Returns the argument of each variable, by the name of the variable. */
export function argumentsOf(document: DocumentNode, schema: GraphQLSchema): ReadonlyMap<string, Argument> {
  const found = new Map<string, Argument>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Variable({ name: { value: variable } }) {
        const argument = types.getArgument();
        if (!argument || found.has(variable)) return;
        const { name, description } = argument;
        const coordinate = `${types.getParentType()?.name}.${types.getFieldDef()?.name}(${name})`;
        found.set(variable, { coordinate, name, description });
      },
    }),
  );
  return found;
}
