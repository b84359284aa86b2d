import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type DemoFile = { fileName: string; content: Uint8Array };

/** The folder of real STEP files: PDM_STEP_DIR, or shared/data/step beside the repository; null where there is none. */
export function stepFolder(given: string | undefined): string | null {
  const folder = given ?? join(import.meta.dirname, '../../shared/data/step');
  return existsSync(join(folder, 'as1-oc-214.stp')) ? folder : null;
}

/** Two states of one model: the AS1 assembly as two systems wrote it; without those files a bracket modelled here, before and after a change. */
export async function demoFiles(folder: string | null): Promise<[DemoFile, DemoFile]> {
  if (!folder) return (await import('./bracket.ts')).bracketFiles();
  const file = (fileName: string) => ({ fileName, content: readFileSync(join(folder, fileName)) });
  return [file('as1-oc-214.stp'), file('as1-tu-203.stp')];
}
