import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { EngineResult } from './engine.ts';
import { createListener, describeEngineContract } from './engine-contract.ts';
import { defaultResult, fakeEngine } from './fake-engine.ts';

const SLOW = 'ISO-10303-21; slow';

describeEngineContract('the fake engine', async () => ({
  create: (_workDir, slots) =>
    fakeEngine({
      slots,
      respond: async (job, on) => {
        const isSlow = job.type === 'convert' && (await readFile(job.source, 'utf8')) === SLOW;
        if (!isSlow) return defaultResult(job, on);
        on.log('working');
        return new Promise<EngineResult>(() => {});
      },
    }),
  validSource: Buffer.from('ISO-10303-21; valid'),
  slowSource: Buffer.from(SLOW),
}));

test('returns the scripted results and records the jobs', async () => {
  const engine = fakeEngine({
    respond: (_job, _on, call) => ({ error: { code: 'truncated', message: `call ${call}`, final: true } }),
  });
  const job = { type: 'convert', source: '/nowhere' } as const;
  expect(await engine.run(job, createListener())).toEqual({
    error: { code: 'truncated', message: 'call 1', final: true },
  });
  expect(await engine.run(job, createListener())).toMatchObject({ error: { message: 'call 2' } });
  expect(engine.jobs).toEqual([job, job]);
});
