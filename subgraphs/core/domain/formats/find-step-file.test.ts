import { expect, test } from 'vitest';
import { createStepFileFinder } from './find-step-file.ts';

test.each([
  ['in the folder of the file', ['set/main.stp', 'set/a.stp', 'a.stp'], 'a.stp', 'set/a.stp'],
  ['by a relative path', ['set/main.stp', 'set/a.stp', 'parts/a.stp'], '../parts/a.stp', 'parts/a.stp'],
  ['of another machine', ['set/main.stp', 'x/a.stp'], 'C:\\work\\a.stp', 'x/a.stp'],
  ['without its extension', ['set/main.stp', 'x/a.stp'], 'A', 'x/a.stp'],
  ['with a percent encoding', ['set/main.stp', 'set/größe 1.stp'], 'gr%C3%B6%C3%9Fe%201.stp', 'set/größe 1.stp'],
  ['with a percent sign', ['set/main.stp', 'set/50%25.stp', 'set/50%.stp'], '50%25.stp', 'set/50%25.stp'],
  [
    'with a decomposed letter',
    ['set/main.stp', 'set/gro\u0308\u00dfe.stp'],
    'gr\u00f6\u00dfe.stp',
    'set/gro\u0308\u00dfe.stp',
  ],
  [
    'by the longest common end of the paths',
    ['set/main.stp', 'left/gear/a.stp', 'right/gear/a.stp'],
    'D:/project/right/gear/a.stp',
    'right/gear/a.stp',
  ],
  ['beside it if others agree equally', ['set/main.stp', 'other/a.stp', 'set/a.stp'], 'D:/a.stp', 'set/a.stp'],
  ['not if two agree equally', ['set/main.stp', 'left/a.stp', 'right/a.stp'], 'D:/a.stp', null],
  ['not as itself', ['set/main.stp', 'set/a.stp'], 'main.stp', null],
])('finds a file %s', (_, paths, name, expected) => {
  expect(createStepFileFinder(paths)('set/main.stp', [name])).toBe(expected);
});

test('tries the names in their order', () => {
  const find = createStepFileFinder(['main.stp', 'b.stp', 'a.stp']);
  expect(find('main.stp', ['missing.stp', 'a.stp', 'b.stp'])).toBe('a.stp');
});
