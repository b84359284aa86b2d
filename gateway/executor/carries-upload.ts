import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

/** Can a variable of the operation hold a file (the scalar Upload, also inside input objects)? */
export function carriesUpload({ variableDefinitions = [] }: OperationDefinitionNode, schema: GraphQLSchema): boolean {
  const seen = new Set<string>();
  const holdsFile = (given: GraphQLInputType): boolean => {
    const type = getNamedType(given);
    if (type.name === 'Upload') return true;
    if (!isInputObjectType(type) || seen.has(type.name)) return false;
    seen.add(type.name);
    return Object.values(type.getFields()).some((field) => holdsFile(field.type));
  };
  return variableDefinitions.some(({ type: node }) => {
    const type = typeFromAST(schema, node as Parameters<typeof typeFromAST>[1]);
    return isInputType(type) && holdsFile(type);
  });
}
