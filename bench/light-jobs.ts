// Time from the upload of a small STEP file until it is converted, next to a file of 30 MB that keeps the only slot
// busy, with the default settings: 20 files one after the other, then 20 at once. The large file consists of those in
// PDM_CAD_DIR, the small one is in PDM_STEP_DIR. Run: `npm run bench light-jobs`. Target: p95 ≤ 5 s one after the other.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cadFiles, cadFolder, readStepFile } from '../test/support/cad-files.ts';
import { createModelDocument } from '../test/support/model-documents.ts';
import { startPdm } from '../test/support/pdm.ts';
import { joinStepFiles } from './peers/join-step.ts';

const PARTS = Number(process.env.PARTS ?? 20);
const LARGE_BYTES = 30_000_000;
const TARGET_SECONDS = 5;
const POLL_MILLISECONDS = 50;

if (cadFiles.isMissing) console.log('not run: PDM_CAD_DIR is not set');
else await measure();

async function measure(): Promise<void> {
  const pdm = await startPdm({ scheduler: true, settings: { PDM_ENGINE_SLOTS: '1', PDM_SANDBOX_IMPORT: 'auto' } });
  const statusOf = async (job: string): Promise<string> => (await pdm.viewer.get(`/jobs/${job}`)).body.status;
  const reach = async (job: string, ...expected: string[]): Promise<void> => {
    for (;;) {
      const status = await statusOf(job);
      if (expected.includes(status)) return;
      if (status === 'failed') throw new Error(`job ${job} failed`);
      await pause(POLL_MILLISECONDS);
    }
  };
  const upload = async (source: Buffer): Promise<string> => {
    const { draftId } = await createModelDocument(pdm, 'Part');
    return (await pdm.editor.upload(draftId, 'source', source, { fileName: 'part.step' })).body.jobId;
  };
  const small = readStepFile('rounded-cube.step');
  let count = 0;
  const convertSmall = async (): Promise<number> => {
    const start = performance.now();
    await reach(await upload(Buffer.concat([small, Buffer.from(`/* ${count++} */\n`)])), 'done');
    return (performance.now() - start) / 1000;
  };

  const large = joinStepFiles(join(cadFolder, 'step'), LARGE_BYTES);
  const first = await upload(large);
  await reach(first, 'running');
  const waiting = await upload(Buffer.concat([large, Buffer.from('/* again */\n')]));
  const alone: number[] = [];
  for (let n = 0; n < PARTS; n++) alone.push(await convertSmall());
  const together = await Promise.all(Array.from({ length: PARTS }, convertSmall));
  const states = [await statusOf(first), await statusOf(waiting)];
  const p95 = percentile(alone, 0.95);
  console.log(
    `${PARTS} parts of ${Math.round(small.length / 1000)} kB next to ${(large.length / 1e6).toFixed(1)} MB: one after the other p50 ${percentile(alone, 0.5).toFixed(2)} s, p95 ${p95.toFixed(2)} s (target: ${TARGET_SECONDS} s)${p95 > TARGET_SECONDS ? ': MISSED' : ''}; at once p50 ${percentile(together, 0.5).toFixed(2)} s, p95 ${percentile(together, 0.95).toFixed(2)} s; the large files are then ${states.join(' and ')}`,
  );
  if (!states.includes('running')) console.log('not valid: no large file was being converted at the end');
  await pdm.close();
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1]!;
}
