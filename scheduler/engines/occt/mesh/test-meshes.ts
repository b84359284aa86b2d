import { strToU8, zipSync } from 'fflate';
import { addPolygon } from './triangles.ts';

/** Corners and outward faces of a box of 10 × 20 × 30 mm. */
export const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 && 10, i & 2 && 20, i & 4 && 30] as const);
export const QUADS = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
] as const;

/** Returns the triangles of some faces of the box, as corner numbers. */
export function boxTriangles(quads: readonly (readonly number[])[] = QUADS): number[] {
  const indices: number[] = [];
  for (const quad of quads) addPolygon(indices, quad);
  return indices;
}

/** Returns a binary STL file of some faces of the box. */
export function binaryStl(quads?: readonly (readonly number[])[]): Buffer {
  const indices = boxTriangles(quads);
  const bytes = Buffer.alloc(84 + (50 * indices.length) / 3);
  bytes.write('solid but binary');
  bytes.writeUInt32LE(indices.length / 3, 80);
  for (const [i, corner] of indices.entries())
    for (const [axis, value] of CORNERS[corner]!.entries())
      bytes.writeFloatLE(value, 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3) + 4 * axis);
  return bytes;
}

export function asciiStl(): Buffer {
  const facets = Array.from({ length: 12 }, (_, i) => {
    const corners = boxTriangles().slice(3 * i, 3 * i + 3);
    const lines = corners.map((corner) => `vertex ${CORNERS[corner]!.join(' ')}`);
    return `facet normal 0 0 0\nouter loop\n${lines.join('\n')}\nendloop\nendfacet`;
  });
  return Buffer.from(`solid box\n${facets.join('\n')}\nendsolid box\n`);
}

export function obj(): Buffer {
  const faces = QUADS.map(
    (quad, i) => `f ${quad.map((corner) => (i % 2 ? corner - 8 : `${corner + 1}/1/1`)).join(' ')}`,
  );
  return Buffer.from(['# box', ...CORNERS.map((corner) => `v ${corner.join(' ')}`), 'vn 0 0 1', ...faces].join('\r\n'));
}

const PLY_PROPERTIES = 'property float x\nproperty float y\nproperty float z\nproperty uchar red';

const plyHeader = (format: string) =>
  `ply\nformat ${format} 1.0\ncomment box\nelement vertex 8\n${PLY_PROPERTIES}\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n`;

export function asciiPly(): Buffer {
  const rows = [...CORNERS.map((corner) => `${corner.join(' ')} 255`), ...QUADS.map((quad) => `4 ${quad.join(' ')}`)];
  return Buffer.from(`${plyHeader('ascii')}${rows.join('\n')}\n`);
}

export function binaryPly(): Buffer {
  const body = Buffer.alloc(8 * 13 + 6 * 17);
  for (const [i, corner] of CORNERS.entries())
    for (const [axis, value] of corner.entries()) body.writeFloatBE(value, 13 * i + 4 * axis);
  for (const [i, quad] of QUADS.entries()) {
    body[104 + 17 * i] = 4;
    for (const [k, corner] of quad.entries()) body.writeInt32BE(corner, 104 + 17 * i + 1 + 4 * k);
  }
  return Buffer.concat([Buffer.from(plyHeader('binary_big_endian')), body]);
}

/** Returns a 3MF model file: the box as object 1, and `rest` inside the model. */
export function modelXml(rest: string, unit = 'millimeter'): string {
  const vertices = CORNERS.map(([x, y, z]) => `<vertex x="${x}" y="${y}" z="${z}"/>`).join('');
  const corners = boxTriangles();
  const triangles = Array.from(
    { length: 12 },
    (_, i) => `<triangle v1="${corners[3 * i]}" v2="${corners[3 * i + 1]}" v3="${corners[3 * i + 2]}"/>`,
  ).join('');
  const box = `<object id="1" name="Box" pid="9" pindex="0"><mesh><vertices>${vertices}</vertices><triangles>${triangles}</triangles></mesh></object>`;
  const materials = '<basematerials id="9"><base name="red" displaycolor="#FF0000"/></basematerials>';
  return `<?xml version="1.0"?><model unit="${unit}">${rest.replace('<resources>', `<resources>${materials}${box}`)}</model>`;
}

export function archive(files: Record<string, string>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
}

/** Returns a 3MF file with two boxes: one in place, one scaled by two and mirrored. */
export function threeMf(unit?: string): Buffer {
  const rest =
    '<resources><object id="2"><components><component objectid="1"/><component objectid="1" transform="-2 0 0 0 2 0 0 0 2 -50 0 0"/></components></object></resources><build><item objectid="2"/></build>';
  return archive({ '[Content_Types].xml': '<Types/>', '3D/3dmodel.model': modelXml(rest, unit) });
}

/** Returns a glTF file of the box in meters with Y up, with an embedded buffer. */
export function gltf(changes: object = {}): Buffer {
  const points = new Float32Array(CORNERS.flatMap(([x, y, z]) => [x / 1000, z / 1000, -y / 1000]));
  const indices = new Uint16Array(boxTriangles());
  const data = Buffer.concat([Buffer.from(points.buffer), Buffer.from(indices.buffer)]);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: 'Box' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [0, 1, 0, 1], baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ uri: 'missing.png' }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, -0.02], max: [0.01, 0.03, 0] },
      { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 96 },
      { buffer: 0, byteOffset: 96, byteLength: 72 },
    ],
    buffers: [{ byteLength: 168, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
    ...changes,
  };
  return Buffer.from(JSON.stringify(json));
}

/** Returns an IGES file with one surface, a rectangle of 10 × 20 mm. */
export function iges(): Buffer {
  const split = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
  const section = (letter: string, lines: string[]) =>
    lines.map((line, i) => `${line.padEnd(72)}${letter}${String(i + 1).padStart(7)}`);
  const fields = (...values: (number | string)[]) => values.map((value) => String(value).padStart(8)).join('');
  const global =
    '1H,,1H;,4Hrect,9Hrect.iges,3HPDM,3H1.0,32,38,6,308,15,4Hrect,1.,2,2HMM,1,0.01,15H20260101.000000,0.0001,100.,3HPDM,3HPDM,11,0,15H20260101.000000;';
  const surface =
    '128,1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,0.,0.,0.,10.,0.,0.,0.,20.,0.,10.,20.,0.,0.,1.,0.,1.;';
  const parameters = split(surface, 64).map((line) => `${line.padEnd(64)}${String(1).padStart(8)}`);
  const directory = [
    fields(128, 1, 0, 0, 0, 0, 0, 0, '00000000'),
    fields(128, 0, 0, parameters.length, 0, '', '', '', 0),
  ];
  const globals = split(global, 72);
  const end = `S      1G${String(globals.length).padStart(7)}D      2P${String(parameters.length).padStart(7)}`;
  const lines = [
    ['S', ['']],
    ['G', globals],
    ['D', directory],
    ['P', parameters],
    ['T', [end]],
  ] as const;
  return Buffer.from(`${lines.flatMap(([letter, content]) => section(letter, [...content])).join('\n')}\n`);
}

/** The box in every format. */
export const BOXES: Record<string, () => Buffer> = {
  'binary.stl': binaryStl,
  'ascii.stl': asciiStl,
  'box.obj': obj,
  'ascii.ply': asciiPly,
  'binary.ply': binaryPly,
  'box.3mf': () =>
    archive({ '3D/3dmodel.model': modelXml('<resources></resources><build><item objectid="1"/></build>') }),
  'box.gltf': gltf,
};
