import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorMessage } from '../../../../subgraphs/core/domain/text/error-message.ts';
import { fail } from '../job-failure.ts';
import { type Colour, toSrgb } from '../product/palette.ts';
import { checkTriangles, joinTriangles, type Triangles } from './triangles.ts';

/** The reader of IGES files. It is loaded from node_modules and never bundled, so that users can replace it (LGPL). */
export const IGES_READER = 'OCCT 7 (occt-import-js 0.0.23)';

/** Fraction of the size of the model. */
const CHORD_ERROR = 0.001;
const ANGLE = 0.3;

type ReadMesh = {
  attributes: { position: { array: ArrayLike<number> } };
  index: { array: ArrayLike<number> };
  color?: readonly number[];
};
type IgesReader = {
  ReadIgesFile(bytes: Uint8Array, options: object): { success: boolean; meshes: ReadMesh[] };
};

/** Reads an IGES file as triangles in mm, with colors. The geometry kernel cannot read its surfaces. */
export async function readIges(bytes: Buffer): Promise<{ mesh: Triangles; chordError: number }> {
  const { meshes } = await tessellate(bytes);
  const mesh = joinTriangles(
    meshes.map(({ attributes, index, color }) =>
      checkTriangles(attributes.position.array, index.array, color?.map(toSrgb) as Colour | undefined),
    ),
  );
  const sides = [0, 1, 2].map((axis) => {
    let [min, max] = [Infinity, -Infinity];
    for (let i = axis; i < mesh.positions.length; i += 3) {
      min = Math.min(min, mesh.positions[i]!);
      max = Math.max(max, mesh.positions[i]!);
    }
    return max - min;
  });
  return { mesh, chordError: (CHORD_ERROR * sides.reduce((sum, side) => sum + side, 0)) / 3 };
}

async function tessellate(bytes: Buffer): Promise<{ meshes: ReadMesh[] }> {
  const reader = await startReader();
  const quality = {
    linearDeflectionType: 'bounding_box_ratio',
    linearDeflection: CHORD_ERROR,
    angularDeflection: ANGLE,
  };
  try {
    const result = reader.ReadIgesFile(bytes, { linearUnit: 'millimeter', ...quality });
    return result.success ? result : fail('unreadable', 'the IGES reader rejected the file');
  } catch (error) {
    // Traps, aborts and C++ exceptions, which are numbers.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError || !(error instanceof Error))
      fail('kernel_crash', `the IGES reader crashed on this input (${errorMessage(error)})`);
    throw error;
  }
}

async function startReader(): Promise<IgesReader> {
  const require = createRequire(import.meta.url);
  const start = require('occt-import-js') as (options: object) => Promise<IgesReader>;
  const wasmBinary = readFileSync(join(dirname(require.resolve('occt-import-js')), 'occt-import-js.wasm'));
  const silent = () => {};
  return start({ wasmBinary, print: silent, printErr: silent });
}
