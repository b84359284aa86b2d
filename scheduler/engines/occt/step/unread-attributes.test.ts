import { describe, expect, test } from 'vitest';
import { checkStep } from '../read-step.ts';
import { productTree, stepFile } from './test-files.ts';
import { unreadAttributes } from './unread-attributes.ts';

const COLOUR =
  "#202=SURFACE_STYLE_USAGE(.BOTH.,#203);#203=SURFACE_SIDE_STYLE('',(#204));#204=SURFACE_STYLE_FILL_AREA(#205);#205=FILL_AREA_STYLE('',(#206));#206=FILL_AREA_STYLE_COLOUR('',#207);#207=COLOUR_RGB('',1.,0.,0.);";
const STYLE = `#201=PRESENTATION_STYLE_ASSIGNMENT((#202));${COLOUR}`;

function unreadIn(data: string, unreadStyles = 0): string[] {
  const { file, structure } = checkStep(stepFile(`${productTree(2, [[0, 1]])}${data}`), 1e6);
  return unreadAttributes(file, structure, unreadStyles);
}

describe('attributes that are not read', () => {
  test.each([
    [
      'layers of faces',
      "#300=ADVANCED_FACE('',(),$,.T.);#301=PRESENTATION_LAYER_ASSIGNMENT('2','',(#300,#300));",
      'the layers of 2 faces, curves and other items',
    ],
    [
      'hidden layers',
      "#300=PRESENTATION_LAYER_ASSIGNMENT('2','',());#301=INVISIBILITY((#300));",
      'the visibility of 1 hidden item, which may be shown',
    ],
  ])('are listed: %s', (_, data, expected) => expect(unreadIn(data)).toEqual([expected]));

  test('are listed: colours of faces in a single occurrence', () => {
    expect(unreadIn('', 2)).toEqual([
      '2 colors of faces and solids in single occurrences of parts, or of unknown occurrences',
    ]);
  });

  test('are none in a file without them', () => {
    expect(unreadIn(`#301=STYLED_ITEM('',(#201),#10);${STYLE}`)).toEqual([]);
  });
});
