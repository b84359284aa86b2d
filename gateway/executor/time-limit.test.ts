import { buildSchema, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { compileTimeLimit } from './time-limit.ts';

const SCHEMA = buildSchema(`
  scalar Upload
  type Query { documents: Int }
  type Mutation { claimJob(waitSeconds: Int): Int uploadArtifact(file: Upload!): Int updateReferences(versionId: ID!): Int deleteArtifact: Int }
`);
const limitOf = (source: string, variables = {}) => {
  const operation = parse(source).definitions[0] as OperationDefinitionNode;
  return compileTimeLimit(operation, SCHEMA)(variables, 10_000).milliseconds;
};

test.each([
  ['{ documents }', {}, 10_000],
  ['mutation { deleteArtifact }', {}, 10_000],
  ['mutation ($s: Int) { claimJob(waitSeconds: $s) }', { s: 20 }, 30_000],
  ['mutation { claimJob(waitSeconds: 999) }', {}, 60_000],
  ['mutation { updateReferences(versionId: "v") }', {}, 40_000],
  ['mutation ($f: Upload!) { uploadArtifact(file: $f) }', {}, undefined],
])('%s with %j has a limit of %s ms', (source, variables, expected) => {
  expect(limitOf(source, variables)).toBe(expected);
});
