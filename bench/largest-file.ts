// Time and memory of converting a STEP file of almost the maximum size (PDM_ENGINE_MAX_STEP_MB) with the default memory
// limit. The file consists of those in PDM_CAD_DIR. Run: `npm run bench largest-file` (Linux). Target: it is converted
// within the default limits of memory and time.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { occtEngine } from '../scheduler/engines/occt/engine.ts';
import { readConfig } from '../subgraphs/core/platform/config.ts';
import { cadFiles, cadFolder } from '../test/support/cad-files.ts';
import { joinStepFiles } from './peers/join-step.ts';

const CHECK_MILLISECONDS = 100;

if (cadFiles.isMissing) console.log('not run: PDM_CAD_DIR is not set');
else await measure();

async function measure(): Promise<void> {
  const { PDM_ENGINE_MAX_STEP_MB: maxStepMb, PDM_ENGINE_MAX_MEMORY_MB: memoryMb } = readConfig({});
  const workDir = mkdtempSync(join(tmpdir(), 'bench-largest-'));
  const source = join(workDir, 'job/large.step');
  mkdirSync(join(workDir, 'job'));
  const bytes = joinStepFiles(join(cadFolder, 'step'), maxStepMb * 2 ** 20);
  writeFileSync(source, bytes);
  const engine = occtEngine({ slots: 1, workDir, maxStepMb, memoryMb, log: () => {} });
  let peakMb = 0;
  const check = setInterval(() => {
    const pid = engine.state().slots[0]?.pid;
    if (pid) peakMb = Math.max(peakMb, residentMb(pid));
  }, CHECK_MILLISECONDS);
  const start = performance.now();
  const result = await engine.run(
    { type: 'convert', source, fileName: 'large.step' },
    { log: console.log, progress: () => {}, signal: new AbortController().signal },
  );
  const seconds = (performance.now() - start) / 1000;
  clearInterval(check);
  await engine.stop();
  rmSync(workDir, { recursive: true });
  const outcome = 'error' in result ? `${result.error?.code}: ${result.error?.message}: MISSED` : 'converted';
  console.log(
    `${(bytes.length / 2 ** 20).toFixed(1)} MB: ${outcome} in ${seconds.toFixed(0)} s with ${peakMb.toFixed(0)} MB (limit: ${memoryMb} MB)`,
  );
}

function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
