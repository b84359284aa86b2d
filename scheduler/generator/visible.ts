import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, packagesBelow } from '../sandbox/launch.ts';

const HOME = join(import.meta.dirname, '../..');

/** The program that runs generators, and what of our own code it may read: the engine, the pure rules it stands on, and the packages of both. */
export const GUEST: Pick<Program, 'home' | 'visible' | 'entry' | 'nodeFlags'> = {
  home: HOME,
  visible: [
    ...['scheduler/engines', 'scheduler/generator', 'scheduler/sandbox', 'subgraphs/core/domain', 'package.json'],
    ...packagesBelow(['replicad', 'replicad-opencascadejs', '@gltf-transform/core'], (path) => readFileSync(join(HOME, path), 'utf8')),
  ],
  entry: 'scheduler/generator/guest.ts',
  // half the memory, and faster for a process of one job
  nodeFlags: ['--liftoff-only'],
};
