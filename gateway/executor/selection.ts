// Which fields of a type a client's selection asks for, with fragments opened and @skip and @include settled.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedOutputType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { JsonObject } from './merge.ts';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** One key of the answer: the field it shows and every selection set asked below it. */
export type Asked = { name: string; below: SelectionSetNode[] };

/** Gathers the fields asked of one object type, in the client's order (CollectFields of the GraphQL specification). */
export function askedFields(
  type: GraphQLNamedOutputType,
  sets: readonly SelectionSetNode[],
  { schema, fragments, variables }: { schema: GraphQLSchema; fragments: Fragments; variables: JsonObject },
): Map<string, Asked> {
  const asked = new Map<string, Asked>();
  const gather = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (!isKept(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) {
        addField(selection, asked);
        continue;
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (fragment && applies(fragment.typeCondition?.name.value, type, schema)) gather(fragment.selectionSet);
    }
  };
  for (const set of sets) gather(set);
  return asked;
}

/** The Boolean variables that @skip and @include of an operation depend on; each combination of their values has a shape of its own. */
export function switches(operation: OperationDefinitionNode, fragments: Fragments): string[] {
  const names = new Set<string>();
  const seek = (node: SelectionNode | OperationDefinitionNode | FragmentDefinitionNode): void => {
    for (const { name, arguments: [argument] = [] } of node.directives ?? []) {
      if ((name.value === 'skip' || name.value === 'include') && argument?.value.kind === Kind.VARIABLE)
        names.add(argument.value.name.value);
    }
    if ('selectionSet' in node) for (const selection of node.selectionSet?.selections ?? []) seek(selection);
  };
  seek(operation);
  for (const fragment of fragments.values()) seek(fragment);
  return [...names];
}

function addField(field: FieldNode, asked: Map<string, Asked>): void {
  const key = field.alias?.value ?? field.name.value;
  let found = asked.get(key);
  if (!found) {
    found = { name: field.name.value, below: [] };
    asked.set(key, found);
  }
  if (field.selectionSet) found.below.push(field.selectionSet);
}

function isKept(node: SelectionNode, variables: JsonObject): boolean {
  return (node.directives ?? []).every(({ name, arguments: [argument] = [] }) => {
    if (!argument || (name.value !== 'skip' && name.value !== 'include')) return true;
    const value =
      argument.value.kind === Kind.VARIABLE
        ? variables[argument.value.name.value]
        : argument.value.kind === Kind.BOOLEAN && argument.value.value;
    return Boolean(value) === (name.value === 'include');
  });
}

function applies(condition: string | undefined, type: GraphQLNamedOutputType, schema: GraphQLSchema): boolean {
  if (condition === undefined || condition === type.name) return true;
  const abstract = schema.getType(condition);
  return isAbstractType(abstract) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(abstract, type);
}
