import { describe, expect, test } from 'vitest';
import { independentStepReader } from '../../../test/support/independent-step-reader.ts';
import { type Shape, startKernel } from './kernel.ts';
import { loadProduct } from './product/load-product.ts';
import { hexOf } from './product/palette.ts';
import { type Part, placements } from './product/product.ts';
import { checkStep } from './read-step.ts';
import { box, kernel, module, shapeOf } from './test-models.ts';
import { writeStep } from './write-step.ts';

const at = (x: number) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** A file of two placed blocks, in which mapped items place them instead of the relationships that the kernel writes. */
function mappedFile({ keepsUses = false, target = (axes: string) => axes, more = '' } = {}): Buffer {
  const block: Part = { name: 'block', shape: shapeOf(box()) as Shape, uses: null, colour: [0, 128, 0] };
  const uses = [0, 50].map((x) => ({ definition: block, name: `at ${x}`, transform: at(x) }));
  const text = writeStep(kernel, { name: 'both', shape: null, uses }, '2026-01-01T00:00:00Z').toString('latin1');
  const [, part, assembly] = /REPRESENTATION_RELATIONSHIP\('','',(#\d+),(#\d+)\)/.exec(text)!;
  const transforms = [...text.matchAll(/ITEM_DEFINED_TRANSFORMATION\('','',(#\d+),(#\d+)\)/g)];
  const removed = [
    'CONTEXT_DEPENDENT_SHAPE_REPRESENTATION',
    'ITEM_DEFINED_TRANSFORMATION',
    "PRODUCT_DEFINITION_SHAPE\\('Placement'",
    '\\( REPRESENTATION_RELATIONSHIP\\(',
    ...(keepsUses ? [] : ['NEXT_ASSEMBLY_USAGE_OCCURRENCE']),
  ];
  const items = transforms.map(([, , axes], i) => `#${90_001 + i} = MAPPED_ITEM('',#90000,${target(axes!)});`);
  const added = `#90000 = REPRESENTATION_MAP(${transforms[0]![1]},${part});\n${items.join('\n')}\n${more}`;
  return Buffer.from(
    text
      .replace(new RegExp(`#\\d+ = (${removed.join('|')})[^;]*;`, 'g'), '')
      .replace(new RegExp(`(${assembly} = SHAPE_REPRESENTATION\\('',\\(#\\d+,)[^)]*`), '$1#90001,#90002')
      .replace(/ENDSEC;\s*END-ISO/, `${added}\n$&`),
    'latin1',
  );
}

async function read(stp: Buffer) {
  using shapes = new DisposableStack();
  const own = await startKernel(module);
  const { root, warnings } = loadProduct(own, checkStep(stp, 1e9), shapes);
  const placed = placements(root).map(({ part, matrix, colour = part.colour }) => [
    part.name,
    matrix[3],
    colour && hexOf(colour),
  ]);
  return { name: root.name, placed, warnings };
}

const STYLE = `#90010 = COLOUR_RGB('',1.,0.,0.);
#90011 = FILL_AREA_STYLE_COLOUR('',#90010);
#90012 = FILL_AREA_STYLE('',(#90011));
#90013 = SURFACE_STYLE_FILL_AREA(#90012);
#90014 = SURFACE_SIDE_STYLE('',(#90013));
#90015 = SURFACE_STYLE_USAGE(.BOTH.,#90014);
#90016 = PRESENTATION_STYLE_ASSIGNMENT((#90015));
#90017 = STYLED_ITEM('',(#90016),#90002);`;
const SCALED = `#90020 = CARTESIAN_POINT('',(0.,0.,0.));
#90021 = CARTESIAN_TRANSFORMATION_OPERATOR_3D('','',$,$,#90020,2.,$);`;

describe('mapped items', { timeout: 120_000 }, () => {
  const GREEN = '#008000';

  test.each([false, true])('place the parts of an assembly, with uses: %s', async (keepsUses) => {
    const stp = mappedFile({ keepsUses });
    const placed = [
      ['block', 0, GREEN],
      ['block', 50, GREEN],
    ];
    expect(await read(stp)).toEqual({ name: 'both', placed, warnings: [] });
    const other = await independentStepReader(stp);
    expect(other).toMatchObject({ meshes: 2, box: [0, 0, 0, 70, 30, 10].map((value) => expect.closeTo(value, 3)) });
  });

  test.each([false, true])('give their instance a colour, with uses: %s', async (keepsUses) => {
    const { placed, warnings } = await read(mappedFile({ keepsUses, more: STYLE }));
    expect(placed).toEqual([
      ['block', 0, GREEN],
      ['block', 50, '#ff0000'],
    ]);
    expect(warnings).toEqual([]);
  });

  test('of one part may have colours of their own', async () => {
    const text = mappedFile({ more: STYLE }).toString('latin1');
    // Without its product, the block is only a representation.
    const [, part] = /REPRESENTATION_MAP\(#\d+,(#\d+)\)/.exec(text)!;
    const definitionOfPart = new RegExp(`#\\d+ = SHAPE_DEFINITION_REPRESENTATION\\((#\\d+),${part}\\);`);
    const [definition, shape] = definitionOfPart.exec(text)!;
    const alone = text.replace(definition, '').replace(new RegExp(`${shape} = PRODUCT_DEFINITION_SHAPE[^;]*;`), '');
    using shapes = new DisposableStack();
    const { root } = loadProduct(await startKernel(module), checkStep(Buffer.from(alone, 'latin1'), 1e9), shapes);
    const colours = (root as Part).faceColours!.map((colour) => colour && hexOf(colour));
    expect(colours).toEqual([...Array.from({ length: 6 }, () => GREEN), ...Array.from({ length: 6 }, () => '#ff0000')]);
  });

  test('are geometry of the assembly if they are scaled', async () => {
    const { name, placed } = await read(mappedFile({ target: () => '#90021', more: SCALED }));
    expect({ name, placed }).toEqual({ name: 'both', placed: [['both', 0, GREEN]] });
  });
});
