import * as cad from 'replicad';
import { describe, expect, test } from 'vitest';
import { assemble } from '../assemble.ts';
import { convert } from '../convert.ts';
import { startKernel } from '../kernel.ts';
import { loadProduct } from '../product/load-product.ts';
import { placements } from '../product/product.ts';
import type { Properties } from '../product/properties.ts';
import { checkStep } from '../read-step.ts';
import { splitStep } from '../split-step.ts';
import { kernel, module, shapeOf } from '../test-models.ts';
import { archive, fcstd, HIDDEN, links, placement, type TestObject } from './test-documents.ts';

const silent = { log: () => {}, progress: () => {} };

/** A box of 10 × 20 × 30 mm, from x on. */
function boxAt(x: number): string {
  const wrapped = shapeOf(cad.makeBox([x, 0, 0], [x + 10, 20, 30]));
  return kernel.BRepToolsWrapper.Write(wrapped);
}

/** The same box with a location, as FreeCAD saves placed shapes. */
function placedBox(x: number): string {
  const wrapped = shapeOf(cad.makeBox([0, 0, 0], [10, 20, 30]));
  using move = new kernel.gp_Trsf();
  move.SetValues(1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0);
  using location = new kernel.TopLoc_Location(move);
  using placed = wrapped.Moved(location, false);
  return kernel.BRepToolsWrapper.Write(placed as never);
}

const shape = (file: string) => `<Part file="${file}"/>`;
const box = (name: string, more: Partial<TestObject> = {}): TestObject => ({
  name,
  type: 'Part::Box',
  ...more,
  properties: { Label: `<String value="${name} box"/>`, Shape: shape('box.brp'), ...more.properties },
});
const link = (name: string, target: string, more: TestObject['properties'] = {}): TestObject => ({
  name,
  type: 'App::Link',
  properties: { LinkedObject: target, LinkTransform: '<Bool value="true"/>', ...more },
});

async function converted(document: Buffer, maxBytes = 1e8) {
  const { stp, properties } = await convert(document, () => startKernel(module), maxBytes, silent, 'test.FCStd');
  return { stp: stp!, properties: JSON.parse(properties.toString()) as Properties };
}

const withBox = (...objects: TestObject[]) => converted(fcstd(objects, { 'box.brp': boxAt(0) }));

describe('a FreeCAD document', { timeout: 120_000 }, () => {
  test('may have shapes in the binary format', async () => {
    const wrapped = shapeOf(cad.makeBox([0, 0, 0], [10, 20, 30]));
    using progress = new kernel.Message_ProgressRange();
    kernel.BinTools.Write(wrapped, '/box.bin', progress);
    const { properties } = await converted(
      fcstd([box('A', { properties: { Shape: shape('box.bin') } })], { 'box.bin': kernel.FS.readFile('/box.bin') }),
    );
    expect(properties).toMatchObject({ volume: 6000, faces: 6 });
  });

  test('is converted as it is shown, with its tree', async () => {
    const { properties } = await withBox(
      { name: 'Part', type: 'App::Part', properties: { Group: links('A', 'B'), Placement: placement(100) } },
      box('A', { properties: { Label: '<String value="a &amp; b"/>' } }),
      box('B', { view: HIDDEN }),
      link('Link', '<XLink file="" name="A"/>', { LinkPlacement: placement(0, 50) }),
    );
    expect(properties).toMatchObject({
      volume: 12_000,
      definitions: 1,
      occurrences: 2,
      boundingBox: { min: [0, 0, 0], max: [110, 70, 30] },
      source: { format: 'FreeCAD', schema: '0.20R1', name: 'Test' },
    });
    expect(properties.structure.children.map(({ name }) => name)).toEqual(['Part', 'a & b']);
    expect(properties.warnings.map(({ code }) => code)).toEqual(['history_not_shown']);
  });

  test('places the elements of link arrays, and replaces the placement of linked objects', async () => {
    const list = Buffer.alloc(4 + 2 * 28);
    list.writeUInt32LE(2);
    for (const i of [0, 1]) {
      list.writeFloatLE(100 * (i + 1), 4 + 28 * i);
      list.writeFloatLE(1, 4 + 28 * i + 24);
    }
    const moved = box('A', { properties: { Placement: placement(5), Shape: shape('moved.brp') }, view: HIDDEN });
    const count = { ElementCount: '<Integer value="2"/>', PlacementList: '<PlacementList file="PlacementList"/>' };
    const replaced = { ...count, LinkTransform: '<Bool value="false"/>' };
    const { properties } = await converted(
      fcstd([moved, link('Array', '<Link value="A"/>', replaced)], { 'moved.brp': boxAt(5), PlacementList: list }),
    );
    expect(properties).toMatchObject({ occurrences: 2, boundingBox: { min: [100, 0, 0], max: [210, 20, 30] } });
  });

  test('is written as STEP with its places, names and colours', async () => {
    const colours = Buffer.alloc(4 + 6 * 4);
    colours.writeUInt32LE(6);
    for (let i = 0; i < 6; i++) colours.writeUInt32LE(i ? 0x00ff0000 : 0xff000000, 4 + 4 * i);
    const { stp } = await converted(
      fcstd(
        [
          box('A', {
            properties: { Shape: shape('moved.brp') },
            view: { ShapeColor: '<PropertyColor value="65280"/>' },
          }),
          box('B', {
            properties: { Shape: shape('placed.brp') },
            view: { DiffuseColor: '<ColorList file="DiffuseColor"/>' },
          }),
        ],
        { 'moved.brp': boxAt(50), 'placed.brp': placedBox(-30), DiffuseColor: colours },
      ),
    );
    expect(stp.toString('latin1')).toContain("'2026-01-02T03:04:05'");
    using shapes = new DisposableStack();
    const { root } = loadProduct(await startKernel(module), checkStep(stp, 1e9), shapes);
    expect(root.name).toBe('Test');
    const [a, b] = placements(root).map(({ part }) => part);
    expect(a).toMatchObject({ name: 'A box', colour: [0, 0, 255] });
    expect(b?.faceColours?.map((colour) => colour?.join())).toEqual(['255,0,0', ...Array(5).fill('0,255,0')]);
    expect((await converted(stp)).properties.boundingBox).toMatchObject({ min: [-30, 0, 0], max: [60, 20, 30] });
  });

  test('names the linked files that are missing, and finds them in an archive', async () => {
    const main = fcstd(
      [box('A'), link('Link', '<XLink file="parts/B.FCStd" name="B"/>', { Placement: placement(50) })],
      {
        'box.brp': boxAt(0),
      },
    );
    const alone = await converted(main);
    expect(alone.properties).toMatchObject({ occurrences: 1 });
    expect(alone.properties.warnings.at(-1)).toMatchObject({
      code: 'missing_part',
      message: expect.stringContaining('parts/B.FCStd'),
    });
    const part = fcstd([box('B', { view: HIDDEN })], { 'box.brp': boxAt(0) });
    const together = await converted(archive({ 'all/Main.fcstd': main, 'all/parts/B.FCStd': part }));
    expect(together.properties).toMatchObject({ occurrences: 2, boundingBox: { max: [60, 20, 30] } });
  });
});

test('splits a FreeCAD document and those it links to into documents', { timeout: 120_000 }, async () => {
  const elements = { ElementCount: '<Integer value="2"/>', ElementList: links('One', 'Two') };
  const [one, two] = ['One', 'Two'].map((name, i) => ({
    name,
    type: 'App::LinkElement',
    properties: { Placement: placement(100 * i) },
  }));
  const main = fcstd([link('Link', '<XLink file="B.FCStd" name="B"/>', elements), one!, two!]);
  const part = fcstd([box('B')], { 'box.brp': boxAt(0) });
  const source = archive({ 'Main.fcstd': main, 'B.FCStd': part });
  const documents = await splitStep(source, () => startKernel(module), 1e8, silent);
  expect(documents.map(({ kind, name }) => [kind, name])).toEqual([
    ['assembly', 'Test'],
    ['model', 'B box'],
  ]);
  const files = new Map(documents.map(({ key, files: [file] }) => [`generated:${key}`, Buffer.from(file!.bytes)]));
  const input = { name: 'Test', maxBytes: 1e8, read: (location: string) => files.get(location)! };
  const assembled = await assemble(
    await startKernel(module),
    { ...input, asmJson: files.get('generated:root')! },
    silent,
  );
  expect(JSON.parse(assembled.properties.toString())).toMatchObject({
    definitions: 1,
    boundingBox: { min: [0, 0, 0], max: [110, 20, 30] },
  });
});

describe('a FreeCAD document is refused if it', { timeout: 120_000 }, () => {
  const fails = (document: Buffer, maxBytes?: number) => expect(converted(document, maxBytes)).rejects;
  const only = (...objects: TestObject[]) => fcstd(objects, { 'box.brp': boxAt(0) });

  test('shows nothing', async () => {
    await fails(only(box('A', { view: HIDDEN }))).toMatchObject({ code: 'empty' });
    const missing = link('Link', '<XLink file="../../B.FCStd" name="B"/>');
    await fails(only(missing)).toMatchObject({ code: 'external_files', message: expect.stringContaining('B.FCStd') });
  });

  test('contains itself or too many parts', async () => {
    const group = { name: 'Part', type: 'App::Part', properties: { Group: links('Link') } };
    await fails(only(group, link('Link', '<Link value="Part"/>'))).toMatchObject({ code: 'cycle' });
    const array = (name: string, target: string) =>
      link(name, `<Link value="${target}"/>`, { ElementCount: '<Integer value="1000"/>' });
    const nested = only(box('A', { view: HIDDEN }), array('B', 'A'), array('C', 'B'));
    await fails(nested).toMatchObject({ code: 'too_many_occurrences' });
    const huge = link('B', '<Link value="A"/>', { ElementCount: '<Integer value="1000000000"/>' });
    await fails(only(box('A', { view: HIDDEN }), huge)).toMatchObject({ code: 'too_many_occurrences' });
  });

  test('is larger than the limit when decompressed, whatever its directory says', async () => {
    const zeros = new Uint8Array(20_000_000);
    await fails(fcstd([box('A')], { 'box.brp': zeros }), 1e6).toMatchObject({ code: 'too_large' });
    const inner = archive({ 'a.fcstd': fcstd([box('A')], { 'box.brp': zeros }) });
    await fails(inner, 1e6).toMatchObject({ code: 'too_large' });
    const forged = fcstd([box('A')], { 'box.brp': zeros });
    forged.writeUInt32LE(100, forged.lastIndexOf('box.brp') - 46 + 24);
    await fails(forged, 1e6).toMatchObject({ code: 'too_large' });
  });

  test('has damaged or hostile XML', async () => {
    const xml = (text: string) => archive({ 'Document.xml': text });
    await fails(xml('<Document><Objects></Document>')).toMatchObject({ code: 'syntax' });
    await fails(xml('<a>'.repeat(10_000))).toMatchObject({ code: 'syntax' });
    const entities = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><Document><a x="&c;"/></Document>';
    await fails(xml(entities)).toMatchObject({ code: 'syntax' });
    await fails(only(box('A')).subarray(0, 300)).toMatchObject({ code: expect.stringMatching(/truncated|not_step/) });
  });
});
