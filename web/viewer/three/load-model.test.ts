import { Document, NodeIO } from '@gltf-transform/core';
import { type Material, MeshBasicMaterial, type MeshStandardMaterial } from 'three';
import { expect, test } from 'vitest';
import { createPainter } from './bodies.ts';
import { loadModel } from './load-model.ts';

/** Two parts of one triangle each: one has two colors and a tint, the other has no tint. */
async function twoParts(): Promise<ArrayBuffer> {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene('scene');
  const addPart = (name: string, colors: [number, number, number][], tint?: number[]) => {
    const mesh = document.createMesh(name).setExtras(tint ? { tint } : {});
    for (const color of colors) {
      const positions = document.createAccessor().setType('VEC3').setBuffer(buffer);
      positions.setArray(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
      const material = document.createMaterial().setBaseColorFactor([...color, 1]);
      mesh.addPrimitive(document.createPrimitive().setAttribute('POSITION', positions).setMaterial(material));
    }
    scene.addChild(document.createNode(name).setMesh(mesh));
  };
  addPart(
    'colored',
    [
      [1, 0, 0],
      [0, 0, 1],
    ],
    [0.5, 0.25, 0.125],
  );
  addPart('plain', [[0, 1, 0]]);
  const bytes = await new NodeIO().writeBinary(document);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

test('bodies have the colors of the file, the tint of their part, or that of the selection', async () => {
  const model = await loadModel(await twoParts());
  const selection = new MeshBasicMaterial();
  const { paint } = createPainter(model, selection);
  const colors = () =>
    model.bodies.map(({ mesh }) =>
      mesh.material === (selection as Material) ? 'selected' : (mesh.material as MeshStandardMaterial).color.toArray(),
    );
  const fileColors = [
    [1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
  ];
  expect(model.hasColors).toBe(true);
  expect(colors()).toEqual(fileColors);
  paint({ selected: null, tints: true });
  expect(colors()).toEqual([
    [0.5, 0.25, 0.125],
    [0.5, 0.25, 0.125],
    [0, 1, 0],
  ]);
  const plain = model.rows.findIndex(({ name }) => name === 'plain');
  paint({ selected: plain, tints: true });
  expect(colors()).toEqual([[0.5, 0.25, 0.125], [0.5, 0.25, 0.125], 'selected']);
  paint({ selected: null, tints: false });
  expect(colors()).toEqual(fileColors);
  paint({ selected: null, marked: new Set([plain]), tints: false });
  expect(colors()).toEqual([...fileColors.slice(0, 2), 'selected']);
  paint({ selected: null, transparent: new Set([plain]), tints: false });
  expect(model.bodies.map(({ mesh }) => (mesh.material as Material).transparent)).toEqual([false, false, true]);
  paint({ selected: null, tints: false, differences: new Map([[plain, 'added']]) });
  expect(new Set(model.bodies.map(({ mesh }) => mesh.material)).size).toBe(2);
  model.dispose();
});

test('an instance in a transparent color has the place of the mesh of its part, and an opaque tint', async () => {
  const document = new Document();
  const positions = document.createAccessor().setType('VEC3').setBuffer(document.createBuffer());
  positions.setArray(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
  const scene = document.createScene('scene');
  for (const [opacity, extras] of [
    [1, {}],
    [0.25, { mesh: 0 }],
  ] as const) {
    const material = document
      .createMaterial()
      .setBaseColorFactor([1, 0, 0, opacity])
      .setAlphaMode(opacity < 1 ? 'BLEND' : 'OPAQUE');
    const primitive = document.createPrimitive().setAttribute('POSITION', positions).setMaterial(material);
    const mesh = document.createMesh('part').setExtras({ tint: [0, 1, 0], ...extras });
    scene.addChild(document.createNode('instance').setMesh(mesh.addPrimitive(primitive)));
  }
  const bytes = await new NodeIO().writeBinary(document);
  const model = await loadModel(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  );
  expect(model.bodies.map(({ source }) => source)).toEqual([
    { mesh: 0, primitive: 0 },
    { mesh: 0, primitive: 0 },
  ]);
  const opacities = () => model.bodies.map(({ mesh }) => (mesh.material as Material).opacity);
  expect(opacities()).toEqual([1, 0.25]);
  createPainter(model, new MeshBasicMaterial()).paint({ selected: null, tints: true });
  expect(opacities()).toEqual([1, 1]);
  model.dispose();
});
