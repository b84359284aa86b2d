import { expect, test } from 'vitest';
import { readMaterials } from './materials.ts';
import { parseStep } from './parse-step.ts';
import { productStructure } from './product-structure.ts';
import { productTree, stepFile } from './test-files.ts';

const UNITS = `
#110=(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.CENTI.,.METRE.));
#111=(MASS_UNIT() NAMED_UNIT(*) SI_UNIT($,.GRAM.));
#112=DERIVED_UNIT_ELEMENT(#111,1.);
#113=DERIVED_UNIT_ELEMENT(#110,-3.);
#114=DERIVED_UNIT((#112,#113));
#115=DERIVED_UNIT_ELEMENT(#110,3.);
#116=DERIVED_UNIT((#112,#115));
#117=MASS_MEASURE_WITH_UNIT(MASS_MEASURE(453.59237),#111);
#118=(CONVERSION_BASED_UNIT('POUND',#117) MASS_UNIT() NAMED_UNIT(*));
#119=DERIVED_UNIT_ELEMENT(#118,1.);
#120=DERIVED_UNIT((#119,#113));
#130=(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNIT_ASSIGNED_CONTEXT((#110)) REPRESENTATION_CONTEXT('',''));`;

const property = (id: number, item: string) => `
#${id}=PROPERTY_DEFINITION('material property','',#12);
#${id + 1}=${item};
#${id + 2}=REPRESENTATION('',(#${id + 1}),#130);
#${id + 3}=PROPERTY_DEFINITION_REPRESENTATION(#${id},#${id + 2});`;
const densityItem = (value: string) => `MEASURE_REPRESENTATION_ITEM('density measure',${value})`;

function materialIn(...items: string[]) {
  const file = parseStep(
    stepFile(productTree(1, []) + UNITS + items.map((item, i) => property(300 + 10 * i, item)).join('')),
  );
  return readMaterials(file, productStructure(file).products).get(12);
}

test('reads a name and a density in any unit', () => {
  const name = "DESCRIPTIVE_REPRESENTATION_ITEM('AlMg3','AlMg3')";
  expect(materialIn(name, densityItem('POSITIVE_RATIO_MEASURE(2.66),#114'))).toEqual({
    name: 'AlMg3',
    density: expect.closeTo(2660, 6),
  });
  expect(materialIn(densityItem('2.66,#116'))).toMatchObject({ density: expect.closeTo(2660, 6) });
  expect(materialIn(densityItem('1.,#120'))).toMatchObject({ density: expect.closeTo(453592.37, 3) });
  const complex = "(MEASURE_REPRESENTATION_ITEM() MEASURE_WITH_UNIT(2.66,#114) REPRESENTATION_ITEM('density measure'))";
  expect(materialIn(complex)).toMatchObject({ name: null, density: expect.closeTo(2660, 6) });
});

test('leaves out densities that are zero, contradictory or without a unit', () => {
  expect(materialIn(densityItem('0.,#114'))).toBeUndefined();
  expect(materialIn(densityItem('1.,$'))).toBeUndefined();
  expect(materialIn(densityItem('1.,#110'))).toBeUndefined();
  expect(materialIn(densityItem('1.,#114'), densityItem('2.,#114'))).toBeUndefined();
});
