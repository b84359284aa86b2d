// Validates DateTime literals in operations.
import { GraphQLError, type GraphQLSchema, isScalarType, Kind } from 'graphql';
import { parseInstant } from '../subgraphs/core/domain/text/parse-instant.ts';

/**
 * Makes validation reject DateTime literals that are not a valid time. Otherwise the API schema would accept any literal,
 * and graphql-js in a subgraph would report only that the literal is invalid, without a code.
 */
export function validateDateTimeLiterals(schema: GraphQLSchema): void {
  const dateTime = schema.getType('DateTime');
  if (!isScalarType(dateTime)) return;
  dateTime.parseLiteral = (node) => {
    if (node.kind === Kind.STRING && parseInstant(node.value)) return node.value;
    throw new GraphQLError('A DateTime must be an RFC 3339 time in quotes, e.g. "2026-03-02T09:14:07Z".', {
      nodes: node,
    });
  };
}
