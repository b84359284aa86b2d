import { type GraphQLSchema, isAbstractType } from 'graphql';

/** Does a type fit a type condition: is it that type, one of that union, or does it implement that interface? */
export function fits(schema: GraphQLSchema, typeName: unknown, condition: string): boolean {
  if (typeName === condition) return true;
  if (typeof typeName !== 'string') return false;
  const abstract = schema.getType(condition);
  const type = schema.getType(typeName);
  if (!abstract || !type || !isAbstractType(abstract)) return false;
  return 'getFields' in type && 'getInterfaces' in type && schema.isSubType(abstract, type);
}
