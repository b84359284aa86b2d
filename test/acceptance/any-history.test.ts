// Histories by chance, compared with a model of what the specification promises: documents, workspaces, versions, releases, files, references, folders.
// Several commands at once have to come out as some order of them would. PDM_TEST_HISTORIES sets how many; PDM_TEST_HISTORY_SEED plays those again that failed.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { compareAll, histories, play } from '../support/model/history.ts';
import { reader } from '../support/model/look.ts';
import { emptyModel } from '../support/model/state.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { FOR_A_TEST } from '../support/query-plans.ts';

const HISTORIES = Number(process.env.PDM_TEST_HISTORIES ?? 3);
const SEED = process.env.PDM_TEST_HISTORY_SEED;

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

test(`${HISTORIES} histories by chance: the service answers and shows what the model does`, {
  timeout: 30_000 + HISTORIES * 10_000,
}, async () => {
  let made = 0;
  const property = fc.asyncProperty(histories({ least: 30, most: 60, atOnce: 5 }), async (batches) => {
    const name = `history-${++made}`;
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
    throw new Error(`history ${made} of PDM_TEST_HISTORY_SEED=${seed} PDM_TEST_HISTORIES=${HISTORIES}`, {
      cause: errorInstance,
    });
  expect(await brokenInvariants({ db: pdm.services.mongo.db })).toEqual([]);
});

/** The actions in the audit records of some requests. Jobs are not in the model: where those of a deleted document are queued anew for its copies is left out. */
async function recorded(requestIds: readonly string[]): Promise<Map<string, string[]>> {
  const wanted = { requestId: { $in: [...requestIds] }, action: { $ne: 'job.queued' } };
  const records = await collection({ db: pdm.services.mongo.db }, 'audit')
    .find(wanted, { comment: FOR_A_TEST })
    .toArray();
  const byRequest = Map.groupBy(records, ({ requestId }) => requestId ?? '');
  return new Map([...byRequest].map(([requestId, some]) => [requestId, some.map(({ action }) => action)]));
}
