import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Availability, needs } from './needs.ts';

/** The folder of the files of `readStepFile`. */
export const stepFolder = resolve(process.env.PDM_STEP_DIR ?? '../shared/data/step');
/** The folder of these files. */
export const cadFolder = resolve(process.env.PDM_CAD_DIR ?? '../shared/data/cad');

/** Exchange files of other CAD systems, which are not distributed for lack of a license. */
export const cadFiles: Availability = needs('CAD files', existsSync(join(cadFolder, 'step')));

/** Reads a file of PDM_CAD_DIR (`step/…`, `fcstd/…`). */
export const readCadFile = (name: string): Buffer => readFileSync(join(cadFolder, name));

/** Reads a file of PDM_STEP_DIR. */
export const readStepFile = (name: string): Buffer => readFileSync(join(stepFolder, name));
