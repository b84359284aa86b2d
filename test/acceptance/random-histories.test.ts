// Random histories of documents, workspaces, versions, releases, files, references and folders,
// compared with a model of the specification.
// The result of concurrent commands must equal the result of some sequential order of them.
// PDM_TEST_HISTORIES sets the number of histories; PDM_TEST_HISTORY_SEED replays a failed run.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { reader } from '../support/model/document-state.ts';
import { compareAll, histories, play } from '../support/model/history.ts';
import { emptyModel } from '../support/model/state.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { TEST_QUERY_COMMENT } from '../support/query-plans.ts';

const HISTORIES = Number(process.env.PDM_TEST_HISTORIES ?? 3);
const SEED = process.env.PDM_TEST_HISTORY_SEED;

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

test(`matches the model in ${HISTORIES} random histories`, {
  timeout: 60_000 + HISTORIES * 40_000,
}, async () => {
  let created = 0;
  const property = fc.asyncProperty(histories({ min: 30, max: 60, concurrent: 5 }), async (batches) => {
    const name = `history-${++created}`;
    const service = { clients: pdm, read: reader(pdm.viewer), recorded };
    let model = emptyModel((await pdm.editor.post('/folders', { name })).body.id, name);
    for (const [i, batch] of batches.entries()) model = await play(service, model, batch, `${name}-${i}`);
    await compareAll(service, model);
  });
  const { failed, seed, errorInstance } = await fc.check(property, {
    numRuns: HISTORIES,
    endOnFailure: true,
    ...(SEED ? { seed: Number(SEED) } : {}),
  });
  if (failed)
    throw new Error(`history ${created} of PDM_TEST_HISTORY_SEED=${seed} PDM_TEST_HISTORIES=${HISTORIES}`, {
      cause: errorInstance,
    });
  expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
});

/**
 * Returns the actions in the audit records of the given requests, by request id. Jobs are not part of the model,
 * so `job.queued`, which the deletion of a document causes for its copies, is left out.
 */
async function recorded(requestIds: readonly string[]): Promise<Map<string, string[]>> {
  const filter = { requestId: { $in: [...requestIds] }, action: { $ne: 'job.queued' } };
  const records = await collection({ db: pdm.services.mongo.db }, 'audit')
    .find(filter, { comment: TEST_QUERY_COMMENT })
    .toArray();
  const byRequest = Map.groupBy(records, ({ requestId }) => requestId ?? '');
  return new Map([...byRequest].map(([requestId, records]) => [requestId, records.map(({ action }) => action)]));
}
