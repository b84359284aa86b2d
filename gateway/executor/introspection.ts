// Runs introspection fields on the schema with graphql-js. All other fields are planned.
import {
  type DocumentNode,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { JsonObject } from './merge.ts';
import type { Fragments } from './selection.ts';

/** Creates the function that resolves the introspection fields of an operation; undefined if it has none. */
export function compileIntrospection(
  operation: OperationDefinitionNode,
  { schema, fragments }: { schema: GraphQLSchema; fragments: Fragments },
): ((variables: JsonObject) => Promise<JsonObject>) | undefined {
  const selectionSet = introspectionOnly(operation.selectionSet, fragments);
  if (selectionSet.selections.length === 0) return undefined;
  const definitions: FragmentDefinitionNode[] = [...fragments.values()];
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }, ...definitions] };
  return async (variables) => {
    const { data, errors } = await execute({ schema, document, variableValues: variables });
    if (errors?.[0]) throw errors[0];
    return { ...data };
  };
}

/** Returns the document without introspection fields, for the planner, which does not know all of them (`isOneOf`). */
export function withoutIntrospection(document: DocumentNode): DocumentNode {
  return visit(document, {
    // A selection set must not become empty.
    Field: (field) => (isIntrospection(field) ? TYPENAME : undefined),
    FragmentDefinition: ({ typeCondition }) => (typeCondition.name.value.startsWith('__') ? null : undefined),
  });
}

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

const isIntrospection = ({ name }: FieldNode): boolean => name.value === '__schema' || name.value === '__type';

// Selects the introspection fields at the root, also within fragments.
function introspectionOnly(set: SelectionSetNode, fragments: Fragments): SelectionSetNode {
  const selections = set.selections.flatMap((selection): readonly SelectionSetNode['selections'][number][] => {
    if (selection.kind === Kind.FIELD) return isIntrospection(selection) ? [selection] : [];
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    if (!fragment) return [];
    const selectionSet = introspectionOnly(fragment.selectionSet, fragments);
    if (selectionSet.selections.length === 0) return [];
    return [
      {
        kind: Kind.INLINE_FRAGMENT,
        directives: selection.directives,
        typeCondition: fragment.typeCondition,
        selectionSet,
      },
    ];
  });
  return { kind: Kind.SELECTION_SET, selections };
}
