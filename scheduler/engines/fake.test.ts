import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { EngineResult } from './engine.ts';
import { engineContract, listener } from './engine-contract.ts';
import { answerInName, fakeEngine } from './fake.ts';

const SLOW = 'ISO-10303-21; slow';

engineContract('the fake engine', async () => ({
  make: (_workDir, slots) =>
    fakeEngine({
      slots,
      answer: async (job, on) => {
        const isSlow = job.type === 'convert' && (await readFile(job.source, 'utf8')) === SLOW;
        if (!isSlow) return answerInName(job, on);
        on.log('working');
        return new Promise<EngineResult>(() => {});
      },
    }),
  goodSource: Buffer.from('ISO-10303-21; good'),
  slowSource: Buffer.from(SLOW),
}));

test('the fake engine answers as scripted and remembers what it was asked', async () => {
  const engine = fakeEngine({
    answer: (_job, _on, call) => ({ error: { code: 'truncated', message: `call ${call}`, final: true } }),
  });
  const job = { type: 'convert', source: '/nowhere' } as const;
  expect(await engine.run(job, listener())).toEqual({ error: { code: 'truncated', message: 'call 1', final: true } });
  expect(await engine.run(job, listener())).toMatchObject({ error: { message: 'call 2' } });
  expect(engine.jobs).toEqual([job, job]);
});
