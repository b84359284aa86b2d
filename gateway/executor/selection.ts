// Collects the selected fields of a type, with fragments expanded and @skip and @include applied.
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

/** One key of the response: its field and all selection sets below it. */
export type SelectedField = { name: string; below: SelectionSetNode[] };

/**
 * Collects the fields selected of one object type, in the client's order (CollectFields of the GraphQL specification).
 */
export function collectFields(
  type: GraphQLNamedOutputType,
  sets: readonly SelectionSetNode[],
  { schema, fragments, variables }: { schema: GraphQLSchema; fragments: Fragments; variables: JsonObject },
): Map<string, SelectedField> {
  const fields = new Map<string, SelectedField>();
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (!isIncluded(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) {
        addField(selection, fields);
        continue;
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (fragment && applies(fragment.typeCondition?.name.value, type, schema)) collect(fragment.selectionSet);
    }
  };
  for (const set of sets) collect(set);
  return fields;
}

/** Returns the Boolean variables used by @skip and @include. Each combination of their values selects other fields. */
export function conditionVariables(operation: OperationDefinitionNode, fragments: Fragments): string[] {
  const names = new Set<string>();
  const visit = (node: SelectionNode | OperationDefinitionNode | FragmentDefinitionNode): void => {
    for (const { name, arguments: [argument] = [] } of node.directives ?? []) {
      if ((name.value === 'skip' || name.value === 'include') && argument?.value.kind === Kind.VARIABLE)
        names.add(argument.value.name.value);
    }
    if ('selectionSet' in node) for (const selection of node.selectionSet?.selections ?? []) visit(selection);
  };
  visit(operation);
  for (const fragment of fragments.values()) visit(fragment);
  return [...names];
}

function addField(field: FieldNode, fields: Map<string, SelectedField>): void {
  const key = field.alias?.value ?? field.name.value;
  let found = fields.get(key);
  if (!found) {
    found = { name: field.name.value, below: [] };
    fields.set(key, found);
  }
  if (field.selectionSet) found.below.push(field.selectionSet);
}

function isIncluded(node: SelectionNode, variables: JsonObject): boolean {
  return (node.directives ?? []).every(({ name, arguments: [argument] = [] }) => {
    if (!argument || (name.value !== 'skip' && name.value !== 'include')) return true;
    const { value } = argument;
    const condition =
      value.kind === Kind.VARIABLE ? variables[value.name.value] : value.kind === Kind.BOOLEAN && value.value;
    return Boolean(condition) === (name.value === 'include');
  });
}

function applies(condition: string | undefined, type: GraphQLNamedOutputType, schema: GraphQLSchema): boolean {
  if (condition === undefined || condition === type.name) return true;
  const abstract = schema.getType(condition);
  return isAbstractType(abstract) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(abstract, type);
}
