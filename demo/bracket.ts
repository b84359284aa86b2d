import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Drawing, draw, drawCircle, drawRoundedRectangle, type Solid, setOC } from 'replicad';
import opencascade from 'replicad-opencascadejs';
import type { DemoFile } from './files.ts';

/** Returns an angle bracket as two STEP files: with holes of 9 mm and of 13 mm. */
export async function createBracketFiles(): Promise<[DemoFile, DemoFile]> {
  const require = createRequire(import.meta.url);
  setOC(
    await opencascade({ wasmBinary: readFileSync(require.resolve('replicad-opencascadejs/wasm')), print: () => {} }),
  );
  return [await createBracketFile('bracket.step', 9), await createBracketFile('bracket-m12.step', 13)];
}

async function createBracketFile(fileName: string, hole: number): Promise<DemoFile> {
  const base = extrudeOutline(drawRoundedRectangle(80, 60, 6), 'XY', [0, 0, 0], 8);
  const wall = extrudeOutline(drawRoundedRectangle(80, 60, 6), 'XZ', [0, 30, 30], 8);
  const rib = extrudeOutline(draw([0, 0]).hLine(-40).lineTo([0, 40]).close(), 'YZ', [-4, 22, 8], 8);
  const holes = [-25, 25].map((x) => extrudeOutline(drawCircle(hole / 2).translate(x, -12), 'XY', [0, 0, -1], 10));
  const solid = holes.reduce((body, tool) => body.cut(tool) as Solid, base.fuse(wall).fuse(rib) as Solid);
  return { fileName, content: new Uint8Array(await solid.blobSTEP().arrayBuffer()) };
}

function extrudeOutline(
  outline: Drawing,
  plane: 'XY' | 'XZ' | 'YZ',
  origin: [number, number, number],
  thickness: number,
): Solid {
  const sketch = outline.sketchOnPlane(plane, origin);
  if (!('extrude' in sketch)) throw new Error('the outline must be a single closed curve');
  return sketch.extrude(thickness) as Solid;
}
