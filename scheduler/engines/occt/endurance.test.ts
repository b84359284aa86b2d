import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../../test/support/needs.ts';
import { createListener } from '../engine-contract.ts';
import { occtEngine } from './engine.ts';
import { bracket, stepOf } from './test-models.ts';

const long = needs('long tests', process.env.PDM_TEST_ENDURANCE === '1' && process.platform === 'linux');

test.skipIf(long.isMissing)(
  long.title('uses constant memory from job 10 to job 30'),
  { timeout: 600_000 },
  async () => {
    const workDir = await mkdtemp(join(tmpdir(), 'occt-endurance-'));
    const engine = occtEngine({ slots: 1, workDir, log: () => {} });
    const source = await stepOf(bracket());
    const memory: number[] = [];
    const times: number[] = [];
    try {
      for (let job = 1; job <= 30; job++) {
        const folder = join(workDir, String(job));
        await mkdir(folder);
        await writeFile(join(folder, 'source'), source);
        const start = performance.now();
        expect(await engine.run({ type: 'convert', source: join(folder, 'source') }, createListener())).toHaveProperty(
          'artifacts',
        );
        times.push(performance.now() - start);
        memory.push(await residentMb(engine.state().slots[0]?.pid ?? 0));
      }
    } finally {
      await engine.stop();
      await rm(workDir, { recursive: true, force: true });
    }
    console.log(`MB after each job: ${memory.join(' ')}; median ${Math.round(times.sort((a, b) => a - b)[15]!)} ms`);
    const peakBefore = (job: number) => Math.max(...memory.slice(job - 3, job));
    expect(peakBefore(30)).toBeLessThan(peakBefore(12) * 1.1);
  },
);

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024);
}
