import { GraphQLError, type GraphQLSchema, isScalarType, Kind } from 'graphql';
import { parseInstant } from '../subgraphs/core/domain/text/parse-instant.ts';

/**
 * Has validation refuse a text for a DateTime that names no moment. Further in only the subgraphs know what a DateTime is, and there graphql-js
 * says of a literal in an operation no more than that it is not valid, without a code.
 */
export function checkLiterals(schema: GraphQLSchema): void {
  const dateTime = schema.getType('DateTime');
  if (!isScalarType(dateTime)) return;
  dateTime.parseLiteral = (node) => {
    if (node.kind === Kind.STRING && parseInstant(node.value)) return node.value;
    throw new GraphQLError('A DateTime is an RFC 3339 time in quotes, such as "2026-03-02T09:14:07Z".', {
      nodes: node,
    });
  };
}
