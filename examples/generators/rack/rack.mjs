// A generator: a pure function of its parameters that returns documents. It gets the modelling library and does no input or output.
export default function generate({ width = 800, depth = 300, height = 900, shelves = 3 }, { cad }) {
  const { drawRectangle, drawRoundedRectangle, makeCylinder } = cad;
  const t = 18,
    at = (x, y, z) => `[[1,0,0,${x}],[0,1,0,${y}],[0,0,1,${z}],[0,0,0,1]]`;
  let side = drawRoundedRectangle(depth, height, 12)
    .sketchOnPlane('YZ', [0, 0, height / 2])
    .extrude(t);
  for (let i = 0; i < shelves; i++) {
    for (const y of [-depth / 4, depth / 4]) side = side.cut(makeCylinder(4, t + 2, [-1, y, ((i + 0.5) * height) / shelves], [1, 0, 0]));
  }
  const board = drawRectangle(width - 2 * t, depth - 10)
    .sketchOnPlane('XY')
    .extrude(t);
  const instances = [
    { ident: 'side:left', template: 'side', transform: at(0, 0, 0) },
    { ident: 'side:right', template: 'side', transform: at(width - t, 0, 0) },
  ];
  for (let i = 0; i < shelves; i++)
    instances.push({ ident: `board:${i + 1}`, template: 'board', transform: at(width / 2, 0, ((i + 0.5) * height) / shelves - t / 2) });
  return [
    { key: 'side', kind: 'model', name: `Side ${height}x${depth}`, shape: side, color: [0.72, 0.56, 0.38] },
    { key: 'board', kind: 'model', name: `Board ${width - 2 * t}x${depth - 10}`, shape: board, color: [0.85, 0.75, 0.58] },
    { key: 'rack', kind: 'assembly', name: `Rack ${width}x${depth}x${height}`, instances },
  ];
}
