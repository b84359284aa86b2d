// Detects operations that upload files.
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

/** Whether a variable of the operation can contain a file (the scalar Upload, also within input objects). */
export function hasUploadVariable(
  { variableDefinitions = [] }: OperationDefinitionNode,
  schema: GraphQLSchema,
): boolean {
  const visited = new Set<string>();
  const canHoldFile = (inputType: GraphQLInputType): boolean => {
    const type = getNamedType(inputType);
    if (type.name === 'Upload') return true;
    if (!isInputObjectType(type) || visited.has(type.name)) return false;
    visited.add(type.name);
    return Object.values(type.getFields()).some((field) => canHoldFile(field.type));
  };
  return variableDefinitions.some(({ type: node }) => {
    const type = typeFromAST(schema, node as Parameters<typeof typeFromAST>[1]);
    return isInputType(type) && canHoldFile(type);
  });
}
