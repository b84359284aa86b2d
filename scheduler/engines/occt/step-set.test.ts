import { gzipSync } from 'node:zlib';
import * as cad from 'replicad';
import { describe, expect, test } from 'vitest';
import { independentStepReader } from '../../../test/support/independent-step-reader.ts';
import { assemble } from './assemble.ts';
import { convert } from './convert.ts';
import { archive } from './fcstd/test-documents.ts';
import { type Kernel, type Shape, startKernel } from './kernel.ts';
import { loadProduct } from './product/load-product.ts';
import type { Properties } from './product/properties.ts';
import { checkStep } from './read-step.ts';
import { splitStep } from './split-step.ts';
import { productTree, stepFile } from './step/test-files.ts';
import { box, kernel, module, stepOf } from './test-models.ts';

const silent = { log: () => {}, progress: () => {} };
const FOLDER = '/set/';

/** An assembly of a block and two rods, which the kernel writes as three files. */
function writtenSet(): Record<string, Buffer> {
  using stack = new DisposableStack();
  const use = <T extends Disposable>(each: T) => stack.use(each);
  const document = use(new kernel.TDocStd_Document(use(new kernel.TCollection_ExtendedString('MDTV-XCAF', true))));
  kernel.XCAFDoc_DocumentTool.SetLengthUnit(document, 0.001);
  const tool = use(kernel.XCAFDoc_DocumentTool.ShapeTool(use(document.Main())));
  kernel.XCAFDoc_ShapeTool.SetAutoNaming(false);
  const name = (label: Parameters<Kernel['TDataStd_Name']['Set']>[0], text: string) =>
    use(kernel.TDataStd_Name.Set(label, use(new kernel.TCollection_ExtendedString(text, true)))!);
  const add = (model: unknown, text: string) => {
    const label = use(tool.AddShape((model as { wrapped: Shape }).wrapped, false, false));
    name(label, text);
    return label;
  };
  const block = add(cad.makeBox([0, 0, 0], [10, 20, 30]), 'block');
  const rod = add(cad.makeCylinder(5, 10), 'rod');
  const assembly = use(tool.NewShape());
  name(assembly, 'both');
  for (const [label, x] of [
    [block, 0],
    [rod, 50],
    [rod, 90],
  ] as const) {
    const move = use(new kernel.gp_Trsf());
    move.SetValues(1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0);
    name(use(tool.AddComponent(assembly, label, use(new kernel.TopLoc_Location(move)))), `at ${x}`);
  }
  tool.UpdateAssemblies();
  const writer = use(new kernel.STEPCAFControl_Writer());
  writer.SetNameMode(true);
  kernel.FS.mkdir(FOLDER);
  writer.Transfer(document, 'STEPControl_AsIs', FOLDER, use(new kernel.Message_ProgressRange()));
  writer.Write(`${FOLDER}both.stp`);
  return Object.fromEntries(
    ['both', 'block', 'rod'].map((each) => [`${each}.stp`, Buffer.from(kernel.FS.readFile(`${FOLDER}${each}.stp`))]),
  );
}

async function converted(bytes: Buffer, fileName = 'set.step.zip', maxBytes = 1e8) {
  const { stp, isStep, properties } = await convert(bytes, () => startKernel(module), maxBytes, silent, fileName);
  return { stp, isStep, properties: JSON.parse(properties.toString()) as Properties };
}

const RODS = 2 * Math.PI * 25 * 10;

describe('STEP files that reference each other', { timeout: 120_000 }, () => {
  const set = writtenSet();

  test('become one model and one STEP file', async () => {
    const { stp, isStep, properties } = await converted(archive(set));
    expect(isStep).toBeUndefined();
    expect(properties).toMatchObject({
      volume: expect.closeTo(6000 + RODS, 5),
      occurrences: 3,
      definitions: 2,
      boundingBox: { min: [0, -5, 0], max: [95, 20, 30] },
      warnings: [],
      source: { format: 'STEP', name: 'both' },
    });
    expect(properties.structure).toMatchObject({
      name: 'both',
      children: [
        { name: 'block', occurrences: 1 },
        { name: 'rod', occurrences: 2 },
      ],
    });
    const other = await independentStepReader(stp!);
    expect(other).toMatchObject({ meshes: 3, errors: [] });
    expect(other.box).toEqual([0, -5, 0, 95, 20, 30].map((value) => expect.closeTo(value, 1)));
  });

  test('state values of their products, which are compared with those of the kernel', async () => {
    const text = set['block.stp']!.toString('latin1');
    const [, product] = /(#\d+) = PRODUCT_DEFINITION\(/.exec(text)!;
    const [, context] = /SHAPE_REPRESENTATION\('',\([^)]*\),(#\d+)\);/.exec(text)!;
    const property = `#900001 = PROPERTY_DEFINITION('geometric validation property','volume',${product});
#900002 = MEASURE_REPRESENTATION_ITEM('volume measure',VOLUME_MEASURE(7500.),$);
#900003 = REPRESENTATION('volume',(#900002),${context});
#900004 = PROPERTY_DEFINITION_REPRESENTATION(#900001,#900003);
`;
    const end = text.lastIndexOf('ENDSEC;');
    const stating = Buffer.from(`${text.slice(0, end)}${property}${text.slice(end)}`, 'latin1');
    const { properties } = await converted(archive({ ...set, 'block.stp': stating }));
    expect(properties.check).toEqual([{ of: 'block', quantity: 'volume', file: 7500, kernel: 6000, deviation: 0.2 }]);
    expect(properties.warnings.map(({ code }) => code)).toEqual(['differs_from_file']);
  });

  test('are found by file name, whatever the paths and the case', async () => {
    const moved = {
      'all/Both.stp': set['both.stp']!,
      'all/parts/BLOCK.STP': set['block.stp']!,
      'all/rod.stp': set['rod.stp']!,
    };
    expect(
      (await converted(archive({ ...moved, 'readme.txt': 'x', '__MACOSX/._rod.stp': 'x' }))).properties.warnings,
    ).toEqual([]);
  });

  test('are split into documents', async () => {
    const documents = await splitStep(archive(set), () => startKernel(module), 1e8, silent);
    expect(documents.map(({ kind, name }) => [kind, name])).toEqual([
      ['assembly', 'both'],
      ['model', 'block'],
      ['model', 'rod'],
    ]);
    const files = new Map(documents.map(({ key, files: [file] }) => [`generated:${key}`, Buffer.from(file!.bytes)]));
    const input = { name: 'both', maxBytes: 1e8, read: (location: string) => files.get(location)! };
    const again = await assemble(
      await startKernel(module),
      { ...input, asmJson: files.get('generated:root')! },
      silent,
    );
    expect(JSON.parse(again.properties.toString())).toMatchObject({ volume: expect.closeTo(6000 + RODS, 5) });
  });

  test('may lack some, which a warning names', async () => {
    const { 'rod.stp': _, ...some } = set;
    const { properties } = await converted(archive(some));
    expect(properties).toMatchObject({ volume: 6000, occurrences: 1 });
    expect(properties.warnings).toEqual([
      {
        code: 'missing_part',
        message: expect.stringMatching(/files with parts are missing: \/set\/rod\.stp; upload a ZIP/),
      },
    ]);
  });

  test('are reported as missing, too, if the tree does not contain every face', async () => {
    const text = (await stepOf(box())).toString('latin1');
    const uses: [number, number][] = [
      [0, 1],
      [0, 2],
    ];
    const references = `${reference('lost.stp')}${reference('rod.stp', 18, 502)}`;
    const tree = `${productTree(3, uses)}${references}`.replace(/#(\d+)/g, '#900$1');
    const end = text.lastIndexOf('ENDSEC;');
    const { structure, ...step } = checkStep(Buffer.from(`${text.slice(0, end)}${tree}\n${text.slice(end)}`), 1e8);
    const roots = structure.roots.filter(({ name }) => name === 'p0');
    using shapes = new DisposableStack();
    const rod = { name: 'rod', shape: null, uses: [] };
    const { root, warnings } = loadProduct(
      kernel,
      { ...step, structure: { ...structure, roots } },
      shapes,
      (product) => (product.externalFile.includes('rod.stp') ? rod : null),
    );
    expect(root.uses).toMatchObject([{ name: 'p0' }, { definition: { name: 'p0', uses: [{ definition: rod }] } }]);
    expect(warnings).toMatchObject([
      { code: 'flattened' },
      {
        code: 'missing_part',
        message: expect.stringMatching(/^files with parts are missing: lost\.stp; upload a ZIP/),
      },
    ]);
  });

  test('are refused without any of them, with their names', async () => {
    await expect(converted(set['both.stp']!, 'both.stp')).rejects.toMatchObject({
      code: 'external_files',
      message: expect.stringMatching(/block\.stp, .*rod\.stp; upload a ZIP archive/),
    });
  });

  test('are refused if they are not one assembly', async () => {
    await expect(converted(archive({ ...set, 'other.stp': set['rod.stp']! }))).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringContaining('both.stp, other.stp'),
    });
    const document = (id: number, name: string, product: number) =>
      `#${id}=DOCUMENT_FILE('${name}','',$,$,'',$);#${id + 1}=APPLIED_DOCUMENT_REFERENCE(#${id},'',(#${product}));`;
    const circle = (name: string) => stepFile(`${productTree(2, [[0, 1]])}${document(500, name, 15)}`);
    await expect(converted(archive({ 'a.stp': circle('b.stp'), 'b.stp': circle('a.stp') }))).rejects.toMatchObject({
      code: 'cycle',
    });
    const three = { 'm.stp': circle('a.stp'), 'a.stp': circle('b.stp'), 'b.stp': circle('a.stp') };
    await expect(converted(archive(three))).rejects.toMatchObject({ code: 'cycle' });
  });

  const reference = (name: string, product = 15, id = 500) =>
    `#${id}=DOCUMENT_FILE('${name}','',$,$,'',$);#${id + 1}=APPLIED_DOCUMENT_REFERENCE(#${id},'',(#${product}));`;
  const assemblyOf = (name: string) => stepFile(`${productTree(2, [[0, 1]])}${reference(name)}`);

  test('may have an assembly whose parts are missing, which a warning names', async () => {
    const part = await stepOf(box());
    const tree = productTree(3, [
      [0, 1],
      [0, 2],
    ]);
    const both = stepFile(`${tree}${reference('sub.stp')}${reference('box.stp', 18, 502)}`);
    const { stp, properties } = await converted(
      archive({ 'main.stp': both, 'sub.stp': assemblyOf('lost.stp'), 'box.stp': part }),
    );
    expect(properties).toMatchObject({ volume: 6000, occurrences: 1 });
    expect(properties.warnings.filter(({ code }) => code === 'missing_part')).toEqual([
      { code: 'missing_part', message: expect.stringMatching(/^sub\.stp: .*other files: lost\.stp; upload a ZIP/) },
    ]);
    expect(checkStep(stp!, 1e8).structure.products.size).toBeGreaterThan(1);
    await expect(
      converted(archive({ 'main.stp': assemblyOf('sub.stp'), 'sub.stp': assemblyOf('lost.stp') })),
    ).rejects.toMatchObject({ code: 'external_files', message: expect.stringContaining('lost.stp') });
  });

  test('are refused with the name of a damaged one', async () => {
    const damaged = set['rod.stp']!.subarray(0, 2000);
    await expect(converted(archive({ ...set, 'rod.stp': damaged }))).rejects.toMatchObject({
      code: 'truncated',
      part: 'rod.stp',
    });
  });

  test('are refused before the kernel starts if they are nested too deep', async () => {
    const files = Array.from({ length: 2000 }, (_, i) => [`${i}.stp`, assemblyOf(`${i + 1}.stp`)] as const);
    await expect(
      convert(archive(Object.fromEntries(files)), () => expect.unreachable(), 1e8, silent, 'set.zip'),
    ).rejects.toMatchObject({ code: 'too_deep' });
  });

  test('are refused if they place each other too often, also if the last one is missing', async () => {
    const pair = productTree(2, [
      [0, 1],
      [0, 1],
    ]);
    const files = Array.from({ length: 40 }, (_, i) => [`${i}.stp`, stepFile(`${pair}${reference(`${i + 1}.stp`)}`)]);
    await expect(converted(archive(Object.fromEntries(files)))).rejects.toMatchObject({ code: 'too_many_occurrences' });
  });

  test('are limited in their total size', async () => {
    const total = Object.values(set).reduce((sum, { length }) => sum + length, 0);
    await expect(converted(archive(set), 'set.zip', total - 1)).rejects.toMatchObject({ code: 'too_large' });
    const blanks = gzipSync(Buffer.concat([set['rod.stp']!, Buffer.alloc(600_000, '\n')]));
    const nested = { ...set, 'a.stp': blanks, 'b.stp': blanks };
    await expect(converted(archive(nested), 'set.zip', 1e6)).rejects.toMatchObject({ code: 'too_large' });
  });
});

// The ways in which systems relate a file to the product 15, p1.
test.each([
  ['a reference to the product definition', "#601=APPLIED_DOCUMENT_REFERENCE(#600,'',(#15));"],
  ['a reference to the product', "#601=CC_DESIGN_SPECIFICATION_REFERENCE(#600,'',(#13));"],
  [
    'a reference to its shape',
    "#602=PRODUCT_DEFINITION_SHAPE('','',#15);#601=APPLIED_DOCUMENT_REFERENCE(#600,'',(#602));",
  ],
  ['a product definition with documents', ''],
])('finds a file by %s', async (_, statement) => {
  const document =
    "#600=DOCUMENT_FILE('part one','',$,$,'',$);#610=APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT('C:\\\\parts\\\\one.stp',#3,#3,(#600));";
  const tree = statement
    ? productTree(2, [[0, 1]])
    : productTree(2, [[0, 1]]).replace(
        "#15=PRODUCT_DEFINITION('','',#14,#3)",
        "#15=PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS('','',#14,#3,(#600))",
      );
  const main = stepFile(`${tree}${document}${statement}`);
  const { properties } = await converted(archive({ 'main.stp': main, 'one.stp': await stepOf(box()) }));
  expect(properties).toMatchObject({ volume: 6000, structure: { name: 'p0' } });
});
