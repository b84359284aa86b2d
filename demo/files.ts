import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type DemoFile = { fileName: string; content: Uint8Array };

/**
 * Returns the folder of STEP files (default: shared/data/step beside the repository), or null if it lacks the demo
 * files.
 */
export function findStepFolder(configured: string | undefined): string | null {
  const folder = configured ?? join(import.meta.dirname, '../../shared/data/step');
  return existsSync(join(folder, 'as1-oc-214.stp')) ? folder : null;
}

/**
 * Returns two states of one model: the AS1 assembly from two CAD systems, or without a folder a bracket modeled here.
 */
export async function loadDemoFiles(folder: string | null): Promise<[DemoFile, DemoFile]> {
  if (!folder) return (await import('./bracket.ts')).createBracketFiles();
  const file = (fileName: string) => ({ fileName, content: readFileSync(join(folder, fileName)) });
  return [file('as1-oc-214.stp'), file('as1-tu-203.stp')];
}
