// Reads the operation definition and the variables of a route's GraphQL document.
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

/** Returns the operation definition of a document. */
export function operationOf(document: DocumentNode): OperationDefinitionNode {
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error('a document of a REST route has no operation');
  return operation;
}

/** Returns the variables of an operation with their types. Throws if the schema lacks a type. */
export function variablesOf(document: DocumentNode, schema: GraphQLSchema): Variable[] {
  const { name: operation, variableDefinitions = [] } = operationOf(document);
  return variableDefinitions.map(({ variable, type: node }) => {
    const type = typeFromAST(schema, node);
    if (!type || !isInputType(type))
      throw new Error(`${operation?.value}: the variable ${variable.name.value} has a type that is not in the schema`);
    return { name: variable.name.value, type };
  });
}
