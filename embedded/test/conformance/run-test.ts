// Runs one test of the unified test format.
import assert from 'node:assert';
import { type Document, type MongoClient, MongoError, MongoServerError } from 'mongodb';
import { type TestContext, testContext } from './context.ts';
import { assertMatches } from './matching.ts';
import { findOperation, toPlainResult } from './operations.ts';
import { type SpecifiedTest, unmetRequirement } from './specification.ts';
import { RUNNER_OPERATIONS } from './test-runner.ts';

export type Outcome = { outcome: 'passed' } | { outcome: 'failed' | 'skipped'; reason: string };

const VERSION = '8.0.0';

/** Runs one test on the server of `admin` and returns its outcome. */
export async function runTest(admin: MongoClient, uri: string, specified: SpecifiedTest): Promise<Outcome> {
  const unmet = unmetRequirement(specified, VERSION);
  if (unmet) return { outcome: 'skipped', reason: unmet };
  const { common, test } = specified;
  const context = testContext(uri);
  try {
    await admin.db('admin').command({ killAllSessions: [] });
    for (const data of common.initialData ?? []) await insertInitialData(admin, data);
    await context.create(common.createEntities ?? []);
    for (const operation of test.operations) await runOperation(admin, operation, context);
    for (const expected of test.expectEvents ?? []) compareEvents(expected, context);
    await context.endSessions();
    for (const expected of test.outcome ?? []) await compareOutcome(admin, expected, context);
    return { outcome: 'passed' };
  } catch (error) {
    return {
      outcome: 'failed',
      reason: error instanceof Error ? `${error.name} ${codeOf(error) ?? ''}: ${error.message}` : String(error),
    };
  } finally {
    await context.close();
  }
}

async function insertInitialData(
  admin: MongoClient,
  { databaseName, collectionName, documents, createOptions = {} }: Document,
): Promise<void> {
  const db = admin.db(databaseName);
  await db.dropCollection(collectionName);
  const collection = await db.createCollection(collectionName, createOptions);
  if (documents.length > 0) await collection.insertMany(documents);
}

async function runOperation(admin: MongoClient, operation: Document, context: TestContext): Promise<void> {
  const {
    name,
    object,
    arguments: fields = {},
    expectResult,
    expectError,
    ignoreResultAndError,
    saveResultAsEntity,
  } = operation;
  if (object === 'testRunner') {
    const runnerOperation = RUNNER_OPERATIONS[name];
    if (!runnerOperation) throw new Error(`unknown test runner operation ${name}`);
    return runnerOperation(fields, context, admin);
  }
  const run = findOperation(context.entity(object), name);
  if (!run) throw new Error(`the driver has no operation ${name}`);
  let result: unknown;
  try {
    result = await run(context.optionsFrom(fields));
  } catch (error) {
    if (ignoreResultAndError) return;
    if (!expectError || !(error instanceof Error)) throw error;
    return compareError(expectError, error, context);
  }
  if (ignoreResultAndError) return;
  assert.ok(!expectError, `${name} should have failed`);
  if ('expectResult' in operation) assertMatches(expectResult, result, context, { open: true, at: name });
  if (saveResultAsEntity) context.save(saveResultAsEntity, result);
}

function compareError(expected: Document, error: Error, context: TestContext): void {
  // The first cause for a bulk write over several collections, otherwise the error itself.
  const cause = error.cause instanceof MongoServerError ? error.cause : error;
  const details: Document = { ...error, ...cause };
  if (expected.isClientError !== undefined) {
    const fromServer = codeOf(error) !== undefined || codeOf(cause) !== undefined;
    assert.equal(
      !fromServer || error.name === 'MongoNetworkError',
      expected.isClientError,
      `isClientError of ${error.name}: ${error.message}`,
    );
  }
  if (expected.errorContains)
    assert.ok(error.message.toLowerCase().includes(expected.errorContains.toLowerCase()), error.message);
  if (expected.errorCode) assert.equal(Number(codeOf(cause)), Number(expected.errorCode), error.message);
  if (expected.errorCodeName)
    assert.equal(details.codeName ?? details.errorResponse?.codeName, expected.errorCodeName, error.message);
  for (const label of expected.errorLabelsContain ?? [])
    assert.ok(hasLabel(error, label), `lacks the label ${label}: ${error.message}`);
  for (const label of expected.errorLabelsOmit ?? [])
    assert.ok(!hasLabel(error, label), `has the label ${label}: ${error.message}`);
  if (expected.errorResponse)
    assertMatches(expected.errorResponse, details.errorResponse, context, { open: true, at: 'errorResponse' });
  if (expected.expectResult)
    assertMatches(expected.expectResult, toPlainResult(details.partialResult ?? details.result), context, {
      open: true,
      at: 'result',
    });
  if (expected.writeErrors)
    assertMatches(expected.writeErrors, writeErrorCodes(details.writeErrors), context, {
      open: true,
      at: 'writeErrors',
    });
  if (expected.writeConcernErrors)
    assertMatches(expected.writeConcernErrors, details.writeConcernErrors, context, {
      open: true,
      at: 'writeConcernErrors',
    });
}

const hasLabel = (error: Error, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);
// Errors of the driver itself have no code, or a string as code.
const codeOf = (error: Error): unknown => ('code' in error && typeof error.code === 'number' ? error.code : undefined);
const writeErrorCodes = (errors: unknown): Document =>
  errors instanceof Map ? Object.fromEntries([...errors].map(([index, { code }]) => [index, { code }])) : {};

function compareEvents(
  { client, eventType = 'command', events: expected, ignoreExtraEvents }: Document,
  context: TestContext,
): void {
  if (eventType !== 'command') return;
  const observed = context.observed(client);
  const sent = observed.map((event) => Object.values(event)[0]?.commandName);
  assert.ok(
    ignoreExtraEvents ? observed.length >= expected.length : observed.length === expected.length,
    `expected ${expected.length} events, got ${sent}`,
  );
  for (const [index, event] of expected.entries()) {
    const [kind = '', wanted = {}] = Object.entries<Document>(event)[0] ?? [];
    const { command, reply, ...rest } = wanted;
    const observedEvent = observed[index]?.[kind];
    const at = `event ${index}`;
    assert.ok(observedEvent, `${at} is not a ${kind}`);
    assertMatches(rest, observedEvent, context, { open: true, at });
    if (command) assertMatches(command, observedEvent.command, context, { open: true, at });
    if (reply) assertMatches(reply, observedEvent.reply, context, { open: true, at });
  }
}

async function compareOutcome(
  admin: MongoClient,
  { databaseName, collectionName, documents }: Document,
  context: TestContext,
): Promise<void> {
  const found = await admin
    .db(databaseName)
    .collection(collectionName)
    .find({}, { sort: { _id: 1 } })
    .toArray();
  assertMatches(documents, found, context, { at: `${databaseName}.${collectionName}` });
}
