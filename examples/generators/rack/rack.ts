// A shelf rack of particle board and dowels. x is the width, y the depth, z the height; the left side is at x = 0.
import type * as replicad from 'replicad';
import { computeLayout, DOWEL, type Params } from './layout.ts';

export default function generate(params: Params, { cad }: { cad: typeof replicad }) {
  const { width, depth, height } = params;
  const { sideThickness, boardThickness, heights, holes } = computeLayout(params);
  const span = width - 2 * sideThickness;
  const at = (x: number, y: number, z: number) => `[[1,0,0,${x}],[0,1,0,${y}],[0,0,1,${z}],[0,0,0,1]]`;
  const rod = (x: number, y: number, z: number, length: number) =>
    cad.makeCylinder(DOWEL.diameter / 2, length, [x, y, z], [1, 0, 0]);
  const { inSide, inBoard } = DOWEL;

  // Both sides are the same part: the right one is rotated by 180° around the vertical axis.
  const blankSide: replicad.Shape3D = cad.makeBox([0, 0, 0], [sideThickness, depth, height]);
  const side = holes.reduce((rest, { y, z }) => rest.cut(rod(sideThickness - inSide, y, z, inSide)), blankSide);
  const blankBoard: replicad.Shape3D = cad.makeBox([0, 0, 0], [span, depth, boardThickness]);
  const ends = holes
    .slice(0, 2)
    .flatMap(({ y }) => [rod(0, y, boardThickness / 2, inBoard), rod(span - inBoard, y, boardThickness / 2, inBoard)]);
  const board = ends.reduce((rest, hole) => rest.cut(hole), blankBoard);
  const dowel = rod(0, 0, 0, inSide + inBoard);

  const rotated = `[[-1,0,0,${width}],[0,-1,0,${depth}],[0,0,1,0],[0,0,0,1]]`;
  const instances = [
    { ident: 'side:left', template: 'side', transform: at(0, 0, 0) },
    { ident: 'side:right', template: 'side', transform: rotated },
    ...heights.map((z, i) => ({ ident: `board:${i + 1}`, template: 'board', transform: at(sideThickness, 0, z) })),
    ...holes.flatMap(({ y, z }, i) => [
      { ident: `dowel:left:${i + 1}`, template: 'dowel', transform: at(sideThickness - inSide, y, z) },
      { ident: `dowel:right:${i + 1}`, template: 'dowel', transform: at(width - sideThickness - inBoard, y, z) },
    ]),
  ];
  return [
    { key: 'side', kind: 'model', name: `Side ${height}x${depth}x${sideThickness}`, shape: side },
    { key: 'board', kind: 'model', name: `Board ${span}x${depth}x${boardThickness}`, shape: board },
    { key: 'dowel', kind: 'model', name: `Dowel ${DOWEL.diameter}x${inSide + inBoard}`, shape: dowel },
    {
      key: 'rack',
      kind: 'assembly',
      name: `Rack ${width}x${depth}x${height}`,
      description: `${heights.length} boards, ${2 * holes.length} dowels`,
      instances,
    },
  ];
}
