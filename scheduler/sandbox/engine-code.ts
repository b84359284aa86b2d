import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPackages, type Program } from './program.ts';

const HOME = join(import.meta.dirname, '../..');

/**
 * The code that an engine program in the sandbox may read: the engine, the domain rules it imports, and the packages of
 * both.
 */
export const ENGINE_CODE: Pick<Program, 'home' | 'visible'> = {
  home: HOME,
  visible: [
    'scheduler/engines',
    'scheduler/generator',
    'scheduler/sandbox',
    'subgraphs/core/domain',
    'package.json',
    ...findPackages(
      ['replicad', 'replicad-opencascadejs', '@gltf-transform/core', 'fflate', 'occt-import-js', 'sax'],
      (path) => readFileSync(join(HOME, path), 'utf8'),
    ),
  ],
};
