import { describe, expect, test } from 'vitest';
import { parseStep } from './parse-step.ts';
import { productStructure } from './product-structure.ts';
import { productTree, stepFile } from './test-files.ts';

/** An assembly in inches with a part in mm, related by placements at 100 (part) and 10 (assembly) along x. */
function mixedUnits(isReversed: boolean): Buffer {
  const [first, second] = isReversed ? ['#201', '#200'] : ['#200', '#201'];
  const [item1, item2] = isReversed ? ['#221', '#220'] : ['#220', '#221'];
  return stepFile(`${productTree(2, [[0, 1]])}
#110=(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.));
#111=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#110);
#112=(CONVERSION_BASED_UNIT('INCH',#111) LENGTH_UNIT() NAMED_UNIT(*));
#120=(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNIT_ASSIGNED_CONTEXT((#110)) REPRESENTATION_CONTEXT('',''));
#121=(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNIT_ASSIGNED_CONTEXT((#112)) REPRESENTATION_CONTEXT('',''));
#200=SHAPE_REPRESENTATION('part',(#220),#120);
#201=SHAPE_REPRESENTATION('assembly',(#221),#121);
#220=AXIS2_PLACEMENT_3D('',#222,$,$);
#221=AXIS2_PLACEMENT_3D('',#223,$,$);
#222=CARTESIAN_POINT('',(100.,0.,0.));
#223=CARTESIAN_POINT('',(10.,0.,0.));
#230=PRODUCT_DEFINITION_SHAPE('','',#12);
#231=PRODUCT_DEFINITION_SHAPE('','',#15);
#232=PRODUCT_DEFINITION_SHAPE('','',#100000);
#240=SHAPE_DEFINITION_REPRESENTATION(#230,#201);
#241=SHAPE_DEFINITION_REPRESENTATION(#231,#200);
#250=ITEM_DEFINED_TRANSFORMATION('','',${item1},${item2});
#251=(REPRESENTATION_RELATIONSHIP('','',${first},${second}) REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#250) SHAPE_REPRESENTATION_RELATIONSHIP());
#252=CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#251,#232);`);
}

describe('the placement of a part in mm in an assembly in inches', () => {
  test.each([
    ['part to assembly', false],
    ['assembly to part', true],
  ])('is in mm if the relationship is from %s', (_, isReversed) => {
    const { roots } = productStructure(parseStep(mixedUnits(isReversed)));
    expect(roots[0]!.uses[0]!.transform.slice(0, 4)).toEqual([1, 0, 0, 154].map((value) => expect.closeTo(value, 9)));
  });
});

test('finds the geometry of an assembly itself in a related representation', () => {
  const data = `${productTree(2, [[0, 1]])}
#200=SHAPE_REPRESENTATION('placements',(#220),#120);
#201=ADVANCED_BREP_SHAPE_REPRESENTATION('solids',(#220),#120);
#120=(GEOMETRIC_REPRESENTATION_CONTEXT(3) REPRESENTATION_CONTEXT('',''));
#220=AXIS2_PLACEMENT_3D('',#222,$,$);
#222=CARTESIAN_POINT('',(0.,0.,0.));
#230=PRODUCT_DEFINITION_SHAPE('','',#12);
#240=SHAPE_DEFINITION_REPRESENTATION(#230,#200);
#241=SHAPE_REPRESENTATION_RELATIONSHIP('','',#200,#201);`;
  const { products } = productStructure(parseStep(stepFile(data)));
  expect([...products.values()].map(({ geometry }) => geometry)).toEqual([[201], []]);
});
