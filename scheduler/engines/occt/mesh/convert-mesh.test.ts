import { NodeIO } from '@gltf-transform/core';
import { zipSync } from 'fflate';
import { validateBytes } from 'gltf-validator';
import { describe, expect, test } from 'vitest';
import { cadFiles, readCadFile } from '../../../../test/support/cad-files.ts';
import { convert } from '../convert.ts';
import { archive, asciiPly, BOXES, binaryStl, gltf, iges, modelXml, obj, QUADS, threeMf } from './test-meshes.ts';

const startKernel = () => Promise.reject(new Error('the kernel is not needed'));
const report = { log: () => {}, progress: () => {} };
const MAX_BYTES = 2_000_000;

async function converted(bytes: Buffer, fileName: string, maxBytes = MAX_BYTES) {
  const { properties, ...result } = await convert(bytes, startKernel, maxBytes, report, fileName);
  return { ...result, properties: JSON.parse(properties.toString()) };
}

const failureOf = (bytes: Buffer, fileName: string) =>
  converted(bytes, fileName).then(
    () => 'converted',
    (error: { code: string }) => error.code,
  );

describe('a box', () => {
  test.each(Object.entries(BOXES))('is read from %s', async (fileName, create) => {
    const { properties, glb, isStep, stp } = await converted(create(), fileName);
    expect({ isStep, stp }).toEqual({ isStep: undefined, stp: undefined });
    expect(properties).toMatchObject({ representation: 'mesh', triangles: 12, openEdges: 0, definitions: 1 });
    expect(properties.boundingBox.size).toEqual([10, 20, 30].map((size) => expect.closeTo(size, 4)));
    expect(properties.boundingBox.min).toEqual([0, 0, 0].map((value) => expect.closeTo(value, 4)));
    expect(properties.volume).toBeCloseTo(6000, 2);
    expect(properties.area).toBeCloseTo(2200, 2);
    expect(properties.centreOfMass).toEqual([5, 10, 15].map((value) => expect.closeTo(value, 4)));
    const { issues } = await validateBytes(glb);
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  });

  test('has flat faces and sharp edges', async () => {
    const document = await new NodeIO().readBinary((await converted(binaryStl(), 'box.stl')).glb);
    const [primitive] = document.getRoot().listMeshes()[0]!.listPrimitives();
    expect(primitive!.getAttribute('NORMAL')!.getCount()).toBe(24);
  });

  test('without a face is not watertight and has no volume', async () => {
    const { properties } = await converted(binaryStl(QUADS.slice(1)), 'box.stl');
    expect(properties).toMatchObject({ volume: null, centreOfMass: null, openEdges: 4 });
    expect(properties.warnings).toContainEqual({
      code: 'not_watertight',
      message: 'not watertight: 4 open edges; volume and center of mass are omitted',
    });
  });

  test('with an inverted face is not watertight', async () => {
    const [first, ...rest] = QUADS;
    const { properties } = await converted(binaryStl([[...first].reverse(), ...rest]), 'box.stl');
    expect(properties).toMatchObject({ volume: null, openEdges: 0 });
    expect(properties.warnings.at(-1).message).toContain('4 edges between triangles of opposite orientation');
  });

  test('has the color of the file', async () => {
    for (const [bytes, name, color] of [
      [gltf(), 'box.gltf', [0, 1, 0, 1]],
      [threeMf(), 'box.3mf', [1, 0, 0, 1]],
    ] as const) {
      const document = await new NodeIO().readBinary((await converted(bytes, name)).glb);
      expect(document.getRoot().listMaterials()[0]!.getBaseColorFactor()).toEqual(color);
    }
  });
});

test('places the components of a 3MF file, scaled and mirrored, in its unit', async () => {
  const { properties } = await converted(threeMf('centimeter'), 'two.3mf');
  expect(properties).toMatchObject({ definitions: 2, occurrences: 2, openEdges: 0, source: { unit: 'centimeter' } });
  expect(properties.volume).toBeCloseTo(6000 * 1000 * 9, 0);
  expect(properties.boundingBox).toMatchObject({ min: [-700, 0, 0], max: [100, 400, 600] });
  expect(properties.warnings).toEqual([]);
});

test('reads its own GLB again with the same measurements', async () => {
  const { glb, properties } = await converted(threeMf(), 'two.3mf');
  const again = await converted(Buffer.from(glb), 'two.glb');
  expect(again.properties.volume).toBeCloseTo(properties.volume, 0);
  expect(again.properties.boundingBox.size).toEqual(
    properties.boundingBox.size.map((size: number) => expect.closeTo(size, 3)),
  );
});

test('reads the surfaces of an IGES file as triangles', async () => {
  const { properties } = await converted(iges(), 'rectangle.igs');
  expect(properties).toMatchObject({
    representation: 'mesh',
    area: 200,
    volume: null,
    openEdges: 4,
    boundingBox: { size: [10, 20, 0], uncertainty: 0.01 },
    source: { format: 'IGES' },
    engine: expect.stringContaining('occt-import-js'),
  });
  expect(properties.warnings[0]).toMatchObject({ code: 'mesh_only' });
});

const components = (count: number) =>
  Array.from(
    { length: count },
    (_, i) =>
      `<object id="${i + 2}"><components>${`<component objectid="${i + 1}"/>`.repeat(10)}</components></object>`,
  ).join('');
const model = (rest: string) => archive({ '3D/3dmodel.model': modelXml(rest) });
const withHeader = (change: (text: string) => string) => Buffer.from(change(asciiPly().toString()));

test.each<[string, Buffer, string, string]>([
  ['a ZIP bomb', archive({ '3D/3dmodel.model': ' '.repeat(3_000_000) }), 'a.3mf', 'too_large'],
  [
    'many entries',
    Buffer.from(
      zipSync(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`3D/${i}.model`, new Uint8Array()]))),
    ),
    'a.3mf',
    'too_large',
  ],
  [
    'nested components',
    model(`<resources>${components(8)}</resources><build><item objectid="9"/></build>`),
    'a.3mf',
    'too_many_occurrences',
  ],
  [
    'a component in itself',
    model(
      '<resources><object id="2"><components><component objectid="2"/></components></object></resources><build><item objectid="2"/></build>',
    ),
    'a.3mf',
    'too_deep',
  ],
  ['nested elements', model(`<resources>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</resources>`), 'a.3mf', 'syntax'],
  [
    'declared entities',
    archive({ '3D/3dmodel.model': '<!DOCTYPE m [<!ENTITY a "b">]><model>&a;</model>' }),
    'a.3mf',
    'syntax',
  ],
  ['a missing object', model('<resources></resources><build><item objectid="5"/></build>'), 'a.3mf', 'dangling'],
  ['an empty build', model('<resources></resources>'), 'a.3mf', 'empty'],
  ['a damaged archive', threeMf().subarray(0, 400), 'a.3mf', 'truncated'],
  ['a short binary STL file', binaryStl().subarray(0, 500), 'a.stl', 'truncated'],
  ['an STL header without triangles', Buffer.alloc(84), 'a.stl', 'empty'],
  [
    'a PLY file that states too many elements',
    withHeader((text) => text.replace('vertex 8', 'vertex 4000000000')),
    'a.ply',
    'truncated',
  ],
  [
    'a PLY file with many empty elements',
    withHeader((text) => text.replace('element face 6', 'element face 4000000000\nelement face 6')),
    'a.ply',
    'converted',
  ],
  ['a missing vertex', withHeader((text) => text.replace('4 0 2 3 1', '4 0 2 3 9')), 'a.ply', 'dangling'],
  ['no number', Buffer.from(obj().toString().replace('v 0 0 0', 'v 0 x 0')), 'a.obj', 'bad_number'],
  ['a huge coordinate', Buffer.from(obj().toString().replace('v 0 0 0', 'v 0 1e30 0')), 'a.obj', 'unbounded'],
  ['an IGES file without entities', iges().subarray(0, 324), 'a.igs', 'unreadable'],
  ['text without faces', Buffer.from('hello\nworld\n'), 'a.obj', 'empty'],
  [
    'a glTF file with a large accessor',
    gltf({ accessors: [{ componentType: 5126, count: 2e9, type: 'VEC3' }] }),
    'a.gltf',
    'too_large',
  ],
  [
    'a glTF file with an external buffer',
    gltf({ buffers: [{ byteLength: 168, uri: 'box.bin' }] }),
    'a.gltf',
    'external_files',
  ],
  [
    'a glTF file that needs an extension',
    gltf({ extensionsRequired: ['KHR_draco_mesh_compression'] }),
    'a.gltf',
    'unsupported_format',
  ],
  [
    'a glTF file with a cycle of nodes',
    gltf({ nodes: [{ mesh: 0, children: [1] }, { children: [0] }] }),
    'a.gltf',
    'converted',
  ],
  ['a damaged GLB file', Buffer.from('glTF\x02\0\0\0\x10\0\0\0'), 'a.glb', 'syntax'],
  ['a file above the limit', Buffer.alloc(MAX_BYTES + 1, 'v 0 0 0\n'), 'a.obj', 'too_large'],
])('%s ends with a code', async (_, bytes, fileName, code) => {
  expect(await failureOf(bytes, fileName)).toBe(code);
});

describe.skipIf(cadFiles.isMissing)(cadFiles.title('files of other programs'), { timeout: 60_000 }, () => {
  const read = (name: string) => converted(readCadFile(`other/${name}`), name, 64e6);

  test('a 3MF file with parts in other model files', async () => {
    const { properties } = await read('mini.3mf');
    expect(properties).toMatchObject({ triangles: 43_342, source: { unit: 'millimeter' } });
  });

  test('a binary STL file', async () => {
    const { properties } = await read('prusa.stl');
    // 84 bytes of header, then 50 for each triangle: its normal, three corners and two bytes.
    const bytes = readCadFile('other/prusa.stl');
    const triangles = bytes.readUInt32LE(80);
    let volume = 0;
    for (let t = 0; t < triangles; t++) {
      const [ax, ay, az, bx, by, bz, cx, cy, cz] = Array.from({ length: 9 }, (_, i) =>
        bytes.readFloatLE(84 + 50 * t + 12 + 4 * i),
      ) as [number, number, number, number, number, number, number, number, number];
      volume += (ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)) / 6;
    }
    expect(properties).toMatchObject({ triangles, representation: 'mesh', openEdges: 0 });
    expect(properties.volume).toBeCloseTo(volume, 3);
    expect(properties.volume).toBeCloseTo(202.756, 2);
  });

  test.each([
    ['bearing.iges', 0.013387],
    ['hammer.iges', 397_427_283],
  ])('an IGES file: %s', async (name, area) => {
    const { properties } = await read(name);
    expect(properties).toMatchObject({ representation: 'mesh', source: { format: 'IGES' }, volume: null });
    expect(properties.area / area).toBeCloseTo(1, 3);
  });
});
