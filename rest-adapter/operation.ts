// What the rows need to know of their operations.
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

export type Variable = { name: string; type: GraphQLInputType };

export function operationOf(document: DocumentNode): OperationDefinitionNode {
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error('A document of the REST table holds no operation');
  return operation;
}

/** The variables of an operation with their types; a type that the schema does not have stops the start. */
export function variablesOf(document: DocumentNode, schema: GraphQLSchema): Variable[] {
  const { name: operation, variableDefinitions = [] } = operationOf(document);
  return variableDefinitions.map(({ variable, type: node }) => {
    const type = typeFromAST(schema, node);
    if (!type || !isInputType(type))
      throw new Error(
        `${operation?.value}: the variable ${variable.name.value} has a type that the schema does not know`,
      );
    return { name: variable.name.value, type };
  });
}
