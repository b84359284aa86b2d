import { describe, expect, test } from 'vitest';
import { exportBrep } from '../assemble.ts';
import { convert } from '../convert.ts';
import { exportFile } from '../export-file.ts';
import { box as block, bracket, kernel, stepOf } from '../test-models.ts';
import { threeMf } from './test-meshes.ts';

const report = { log: () => {}, progress: () => {} };
const startKernel = async () => kernel;
const converted = async (bytes: Buffer, fileName: string) => {
  const { properties, ...files } = await convert(bytes, startKernel, 1e7, report, fileName);
  return { ...files, properties: JSON.parse(properties.toString()) };
};
const exported = async (bytes: Uint8Array, format: 'STL' | 'OBJ' | 'THREE_MF' | 'BREP', log: string[] = []) => {
  const options = { format, name: 'Two & <more>', maxBytes: 1e7 };
  const reporter = { ...report, log: (line: string) => void log.push(line) };
  const [[kind, content] = []] = Object.entries(await exportFile(Buffer.from(bytes), options, startKernel, reporter));
  return { fileName: `export.${kind}`, content: Buffer.from(content!) };
};

const box = (size: number[]) => size.map((value) => expect.closeTo(value, 3));

describe('a model with two placed parts', () => {
  const model = converted(threeMf(), 'two.3mf');

  test.each(['STL', 'OBJ', 'THREE_MF'] as const)('is the same after it was exported as %s', async (format) => {
    const { glb, properties } = await model;
    const { fileName, content } = await exported(glb, format);
    const again = await converted(content, fileName);
    expect(again.properties.openEdges).toBe(0);
    expect(again.properties.volume).toBeCloseTo(properties.volume, 1);
    expect(again.properties.boundingBox.min).toEqual(box(properties.boundingBox.min));
    expect(again.properties.boundingBox.size).toEqual(box(properties.boundingBox.size));
  });

  test('keeps its parts in 3MF, and equal bytes', async () => {
    const { glb } = await model;
    const first = await exported(glb, 'THREE_MF');
    expect((await exported(glb, 'THREE_MF')).content).toEqual(first.content);
    const { properties } = await converted(first.content, 'a.3mf');
    expect(properties).toMatchObject({ occurrences: 2, source: { unit: 'millimeter' } });
  });
});

describe('a STEP part', { timeout: 120_000 }, () => {
  test('is watertight as 3MF, with the volume of its triangles', async () => {
    const { glb, properties } = await converted(await stepOf(bracket()), 'bracket.stp');
    const log: string[] = [];
    const { content } = await exported(glb, 'THREE_MF', log);
    const again = await converted(content, 'bracket.3mf');
    expect([again.properties.openEdges, log]).toEqual([0, []]);
    expect(Math.abs(again.properties.volume / properties.volume - 1)).toBeLessThan(2e-3);
  });

  test('is a placed part of an assembly that is exported as BREP', async () => {
    const reference = { location: 'part', type: 'stp' };
    const move = (x: number) => `[[1,0,0,${x}],[0,1,0,0],[0,0,1,0],[0,0,0,1]]`;
    const asm = {
      version: 1,
      templates: [{ ident: 'box', type: 'part', reference }],
      instances: [0, 50].map((x) => ({ ident: `box ${x}`, template: 'box', transform: move(x) })),
      constraints: [],
    };
    const step = await stepOf(block());
    const input = { asmJson: Buffer.from(JSON.stringify(asm)), name: 'two', maxBytes: 1e8, read: () => step };
    const brep = exportBrep(kernel, input, { log: () => {}, progress: () => {} });
    const { properties } = await converted(brep, 'two.brep');
    expect(properties).toMatchObject({ volume: 12_000, solids: 2, boundingBox: { min: [0, 0, 0], max: [70, 30, 10] } });
  });

  test('is the same after it was exported as BREP', async () => {
    const step = await stepOf(bracket());
    const { properties } = await converted(step, 'bracket.stp');
    const { fileName, content } = await exported(step, 'BREP');
    const again = await converted(content, fileName);
    expect(again.properties.volume).toBeCloseTo(properties.volume, 4);
    expect(again.properties.faces).toBe(properties.faces);
  });
});
