// The description of an operation, from the descriptions of the GraphQL fields that its route reads.
import { type GraphQLField, type GraphQLNamedType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { operationOf } from '../operation.ts';
import type { Route } from '../route.ts';

/**
 * Returns the description of the innermost field that the route picks, without the sentences that are about GraphQL
 * only, or else the summary as a sentence.
 */
export function operationDescription({ description, operation, pick, summary }: Route, schema: GraphQLSchema): string {
  if (description) return description;
  const root = schema.getRootType(operationOf(operation).operation);
  let type: GraphQLNamedType | null | undefined = root;
  let innermost = '';
  for (const step of pick) {
    const field: GraphQLField<unknown, unknown> | undefined = isObjectType(type) ? type.getFields()[step] : undefined;
    innermost = field?.description || innermost;
    type = field && getNamedType(field.type);
  }
  const sentences = innermost.replaceAll('\n', ' ').split(/(?<=\.) (?=[A-Z])/);
  const text = sentences.filter((sentence) => !GRAPHQL_ONLY.test(sentence)).join(' ');
  return text || `${summary}.`;
}

const GRAPHQL_ONLY =
  /\bper operation\b|^(Null (if|until|with)|A page of|Returns a page of)|^Returns an? [a-z ]+( \(administrators only\))?\.$/;
