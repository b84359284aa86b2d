import { NodeIO } from '@gltf-transform/core';
import { validateBytes } from 'gltf-validator';
import { describe, expect, test } from 'vitest';
import { independentStepReader } from '../../../test/support/independent-step-reader.ts';
import { assemble } from './assemble.ts';
import type { OccurrenceColour } from './colours/occurrence-colours.ts';
import { convert } from './convert.ts';
import { type Shape, startKernel } from './kernel.ts';
import { readGltf } from './mesh/read-gltf.ts';
import { loadProduct } from './product/load-product.ts';
import { hexOf, linearOf } from './product/palette.ts';
import { type Assembly, type Definition, type Part, placements, type Use } from './product/product.ts';
import type { Properties } from './product/properties.ts';
import { checkStep } from './read-step.ts';
import { splitStep } from './split-step.ts';
import { box, kernel, module, pin, shapeOf } from './test-models.ts';
import { writeStep } from './write-step.ts';

const silent = { log: () => {}, progress: () => {} };
const TIME = '2026-01-01T00:00:00Z';
const GREEN = [0, 128, 0] as const;
const RED = [255, 0, 0] as const;
const GLASS = [0, 0, 255, 0.25] as const;
const YELLOW = [255, 255, 0] as const;

const at = (x: number) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const use = (definition: Definition, name: string, x: number, colours: Partial<OccurrenceColour>[] = []): Use => ({
  definition,
  name,
  transform: at(x),
  ...(colours.length && { colours: colours.map((each) => ({ colour: RED, path: [], part: null, ...each })) }),
});
const assembly = (name: string, uses: Use[]): Assembly => ({ name, shape: null, uses });

function parts() {
  const block: Part = { name: 'block', shape: shapeOf(box()) as Shape, uses: null, colour: GREEN };
  const rod: Part = { name: 'rod', shape: shapeOf(pin()) as Shape, uses: null };
  return { block, rod };
}

/** A green block, one in blue glass, a red rod and one without a colour. */
function flat(): Assembly {
  const { block, rod } = parts();
  return assembly('flat', [
    use(block, 'green', 0),
    use(block, 'glass', 50, [{ colour: GLASS }]),
    use(rod, 'red', 100, [{ colour: RED }]),
    use(rod, 'plain', 150),
  ]);
}

/** Three of an assembly that colours its second block: the second has a red rod, the third is yellow. */
function nested(): Assembly {
  const { block, rod } = parts();
  const plain = use(rod, 'rod', 100);
  const inner = assembly('inner', [use(block, 'a', 0), use(block, 'b', 50, [{ colour: GLASS }]), plain]);
  return assembly('nested', [
    use(inner, 'first', 0),
    use(inner, 'second', 500, [{ path: [plain] }]),
    use(inner, 'third', 1000, [{ colour: YELLOW }]),
  ]);
}

const write = (root: Definition) => writeStep(kernel, root, TIME);

/** The name, position and colour of each placed part. */
const instancesOf = (root: Definition) =>
  placements(root).map(({ part, matrix, colour = part.colour }) => [
    part.name,
    matrix[3],
    colour ? hexOf(colour) : null,
  ]);

async function readInstances(stp: Buffer) {
  using shapes = new DisposableStack();
  const { root, warnings } = loadProduct(await startKernel(module), checkStep(stp, 1e9), shapes);
  return { instances: instancesOf(root), warnings };
}

async function converted(stp: Buffer) {
  const { glb, properties } = await convert(stp, () => startKernel(module), 1e9, silent);
  return { glb, properties: JSON.parse(String(properties)) as Properties };
}

describe('colours of single instances', { timeout: 120_000 }, () => {
  const flatFile = write(flat());
  const text = flatFile.toString('latin1');
  // The glass block: its style, solid, overridden style, placement, use and product.
  // The glass block: its style, solid, overridden style, placement, shape, use, and what its part has.
  const [line, id, style, solid, base, relation] =
    /(#\d+) = CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM\('[^']*',\((#\d+)\),(#\d+),(#\d+),\((#\d+)\)\);/.exec(text)!;
  const firstIn = (pattern: string) => new RegExp(pattern).exec(text)![1]!;
  const surface = firstIn(`${style} = PRESENTATION_STYLE_BY_CONTEXT\\(\\((#\\d+)\\)`);
  const shape = firstIn(`CONTEXT_DEPENDENT_SHAPE_REPRESENTATION\\(${relation},(#\\d+)`);
  const instance = firstIn(`${shape} = PRODUCT_DEFINITION_SHAPE\\([^;]*,(#\\d+)\\s*\\);`);
  const representation = firstIn(`(#\\d+) = \\w+SHAPE_REPRESENTATION\\('[^']*',\\([^)]*${solid}\\)`);
  const face = firstIn('(#\\d+) = ADVANCED_FACE');

  /** The file with another statement instead of the style of the glass block. */
  const withStyle = (statement: string) => {
    const plain = `#900000 = PRESENTATION_STYLE_ASSIGNMENT((${surface}));`;
    return Buffer.from(
      text.replace(line, () => `${plain}\n${id} = ${statement};`),
      'latin1',
    );
  };

  test.each([flat, nested])('survive export and reading: %o', async (product) => {
    const stp = write(product());
    expect(await readInstances(stp)).toEqual({ instances: instancesOf(product()), warnings: [] });
  });

  test('are found by another reader', async () => {
    const { faces, errors } = await independentStepReader(flatFile);
    const colours = Map.groupBy(faces, ({ centre }) => Math.round(centre[0] / 50));
    const linear = [...colours.values()].map((group) => [
      ...new Set(group.map(({ colour }) => String(colour?.map(Math.round)))),
    ]);
    expect(linear).toEqual([['0,55,0'], ['0,0,255'], ['255,0,0'], ['undefined']]);
    expect(errors).toEqual([]);
  });

  test.each([
    [
      'of its representation',
      () => `CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(#900000),${representation},${base},(${relation}))`,
    ],
    ['of its solid', () => `CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(#900000),${solid},${base},(${relation}))`],
    ['of its shape', () => `STYLED_ITEM('',(#900000),${shape})`],
    [
      'in the context of its use',
      () => `CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(#900000),${solid},${base},(${instance}))`,
    ],
  ])('are read from a style %s', async (_, statement) => {
    const stp = withStyle(statement());
    expect(await readInstances(stp)).toEqual({ instances: instancesOf(flat()), warnings: [] });
  });

  test.each([
    ['a face', () => `CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(#900000),${face},${base},(${relation}))`],
    [
      'an unknown instance',
      () => `CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(#900000),${solid},${base},(${representation}))`,
    ],
  ])('are reported for %s, which they do not colour', async (_, statement) => {
    const { instances, warnings } = await readInstances(withStyle(statement()));
    expect(instances[1]).toEqual(['block', 50, hexOf(GREEN)]);
    expect(warnings).toEqual([
      {
        code: 'not_read',
        message: 'not read: 1 color of faces and solids in single occurrences of parts, or of unknown occurrences',
      },
    ]);
  });

  test('are materials of the GLB, whose meshes share the triangles of the part', async () => {
    const { glb, properties } = await converted(flatFile);
    expect((await validateBytes(glb)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    const root = (await new NodeIO().readBinary(glb)).getRoot();
    const placed = root.listNodes().filter((node) => node.getMesh());
    const materials = placed.map((node) => node.getMesh()!.listPrimitives()[0]!.getMaterial()!);
    const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 4));
    expect(materials.slice(0, 3).map((material) => [material.getAlphaMode(), material.getBaseColorFactor()])).toEqual([
      ['OPAQUE', near([...linearOf(GREEN), 1])],
      ['BLEND', near([...linearOf(GLASS), 0.25])],
      ['OPAQUE', near([...linearOf(RED), 1])],
    ]);
    const positions = placed.map((node) => node.getMesh()!.listPrimitives()[0]!.getAttribute('POSITION'));
    expect([positions[0] === positions[1], positions[2] === positions[3]]).toEqual([true, true]);
    // The meshes of the measuring data come first; the others name the one that has the same faces.
    expect(root.listMeshes().map((mesh) => [mesh.getName(), mesh.getExtras().mesh])).toEqual([
      ['block', undefined],
      ['rod', undefined],
      ['block', 0],
      ['rod', 1],
    ]);
    expect(properties.structure.children).toMatchObject([
      { name: 'block', colors: ['#0000ff40'] },
      { name: 'rod', colors: ['#ff0000'] },
    ]);
    expect(properties.warnings).toEqual([]);
    const again = await readGltf(Buffer.from(glb));
    expect(again[1]!.mesh.groups.map(({ colour }) => colour)).toEqual([GLASS]);
  });

  test('stay in a split assembly, which a warning reports, and parts keep their own', async () => {
    const documents = await splitStep(flatFile, () => startKernel(module), 1e9, silent);
    const propertiesOf = (key: string) =>
      JSON.parse(
        String(documents.find((each) => each.key === key)!.files.find(({ kind }) => kind === 'properties')!.bytes),
      ) as Properties;
    expect(propertiesOf('root').warnings).toEqual([
      {
        code: 'occurrence_colors',
        message:
          '2 occurrences have colors of their own, which are shown here, but not kept in the asm.json: they are lost when the assembly is built again',
      },
    ]);
    const files = new Map(documents.map(({ key, files: [main] }) => [`generated:${key}`, Buffer.from(main!.bytes)]));
    const read = (location: string) => files.get(location)!;
    expect((await readInstances(read('generated:part-1'))).instances).toEqual([['block', 0, hexOf(GREEN)]]);
    const input = { asmJson: read('generated:root'), name: 'again', maxBytes: 1e9, read };
    const again = JSON.parse(
      String((await assemble(await startKernel(module), input, silent)).properties),
    ) as Properties;
    expect(again).toMatchObject({ occurrences: 4, warnings: [] });
  });
});
