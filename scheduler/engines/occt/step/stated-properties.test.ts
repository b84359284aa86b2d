import { expect, test } from 'vitest';
import { parseStep } from './parse-step.ts';
import { productStructure } from './product-structure.ts';
import { statedProperties } from './stated-properties.ts';
import { productTree, stepFile } from './test-files.ts';

const UNITS = `
#110=(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.CENTI.,.METRE.));
#111=DERIVED_UNIT((#112));
#112=DERIVED_UNIT_ELEMENT(#110,3.);
#120=(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNIT_ASSIGNED_CONTEXT((#110)) REPRESENTATION_CONTEXT('',''));`;

const property = (id: number, owner: string, measure: string, name = 'geometric validation property') => `
#${id}=PROPERTY_DEFINITION('${name}','',${owner});
#${id + 1}=MEASURE_REPRESENTATION_ITEM('measure',${measure});
#${id + 2}=REPRESENTATION('',(#${id + 1}),#120);
#${id + 3}=PROPERTY_DEFINITION_REPRESENTATION(#${id},#${id + 2});`;

function statedIn(...properties: string[]) {
  const shape = "#230=PRODUCT_DEFINITION_SHAPE('','',#12);\n#231=SHAPE_ASPECT('','',#230,.T.);";
  const file = parseStep(stepFile(productTree(1, []) + UNITS + shape + properties.join('')));
  return statedProperties(file, productStructure(file).products);
}

test('reads volumes in their unit and areas in that of the context', () => {
  expect(
    statedIn(
      property(300, '#230', 'VOLUME_MEASURE(2.),#111'),
      property(310, '#12', 'AREA_MEASURE(3.),$', 'geometric_validation_property'),
    ),
  ).toEqual([
    { product: 12, quantity: 'volume', value: expect.closeTo(2000, 6) },
    { product: 12, quantity: 'area', value: expect.closeTo(300, 6) },
  ]);
});

test('reads centroids in the unit of the context, but not other points', () => {
  const centroid = (id: number, owner: string, name = 'centre point') =>
    property(id, owner, '').replace(
      /MEASURE_REPRESENTATION_ITEM\('measure',\)/,
      `CARTESIAN_POINT('${name}',(1.,-2.,0.5))`,
    );
  expect(statedIn(centroid(300, '#230'))).toEqual([{ product: 12, quantity: 'centroid', value: [10, -20, 5] }]);
  expect(statedIn(centroid(300, '#230', 'origin'))).toEqual([]);
});

test('takes equal values of an aspect once and leaves out different ones', () => {
  const first = property(300, '#230', 'VOLUME_MEASURE(2.),#111');
  expect(statedIn(first, property(310, '#231', 'VOLUME_MEASURE(2.),#111'))).toHaveLength(1);
  expect(statedIn(first, property(310, '#231', 'VOLUME_MEASURE(3.),#111'))).toEqual([]);
});

test('skips other properties and values of unexpected kinds', () => {
  expect(
    statedIn(
      property(300, '#230', 'VOLUME_MEASURE(2.),#111', 'material property'),
      property(310, '#230', "'two',#111"),
      property(320, '$', 'VOLUME_MEASURE(2.),#111'),
      property(330, '#230', 'VOLUME_MEASURE(2.),#110'),
    ),
  ).toEqual([]);
});
