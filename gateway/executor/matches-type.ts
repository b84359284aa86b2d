// Type conditions of fragments.
import { type GraphQLSchema, isAbstractType } from 'graphql';

/** Whether a type satisfies a type condition: it is that type, a member of that union, or implements that interface. */
export function matchesType(schema: GraphQLSchema, typeName: unknown, condition: string): boolean {
  if (typeName === condition) return true;
  if (typeof typeName !== 'string') return false;
  const abstract = schema.getType(condition);
  const type = schema.getType(typeName);
  if (!abstract || !type || !isAbstractType(abstract)) return false;
  return 'getFields' in type && 'getInterfaces' in type && schema.isSubType(abstract, type);
}
