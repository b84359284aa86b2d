import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateExpression } from './asm-expression.ts';
import { checkAsmJson } from './asm-json.ts';
import { isRigid, readTransform } from './asm-transform.ts';

const matrixOf = (transform: unknown) => {
  const read = readTransform(transform, 'i');
  return 'matrix' in read ? [...read.matrix] : read.fault;
};
const faultsOf = (asm: unknown) => {
  const checked = checkAsmJson(asm, 'stored');
  return 'faults' in checked ? checked.faults.map(({ path, message }) => `${path} ${message}`) : [];
};

describe('an expression', () => {
  test.each([
    ['2*(3+4)-6/3', 12],
    ['-2*-3', 6],
    ['sin(C:PI/6)', 0.5],
    ['fmod(7,4)+div(7,2)+round(2.345,2)', 8.35],
    ['atan(1)-atan(1,1)', 0],
    ['r_a(a_r(90))', 90],
    ['max(1,2,3)+min(4,5)', 7],
    ['1e3+.5', 1000.5],
  ])('%s is %d', (source, expected) => {
    const result = evaluateExpression(source);
    expect('value' in result && result.value).toBeCloseTo(expected, 9);
  });

  test.each([
    ['process.exit()', 'expression "process.exit()": unknown name process'],
    ['constructor', 'expression "constructor": unknown name constructor'],
    ['toString()', 'expression "toString()": unknown name toString'],
    ['[1,2', 'expression "[1,2": "]" is missing'],
    ['1;2', 'expression "1;2": unexpected ";"'],
    ['', 'expression "": ends too early'],
    ['1e999', 'expression "1e999": unexpected "1e999"'],
    ['[1]+2', 'expression "[1]+2": a list where a number is due'],
  ])('%s is refused', (source, fault) => expect(evaluateExpression(source)).toEqual({ fault }));

  test('that is too deep or too long is refused', () => {
    expect(evaluateExpression(`${'('.repeat(100)}1${')'.repeat(100)}`)).toMatchObject({
      fault: expect.stringMatching(/nested too deep$/),
    });
    expect(evaluateExpression('1+'.repeat(5000))).toMatchObject({
      fault: expect.stringMatching(/longer than 4,096 characters$/),
    });
  });

  test('never does more than be refused', () => {
    fc.assert(fc.property(fc.string(), (source) => Object.keys(evaluateExpression(source)).length === 1));
  });

  test('of sums and products is what arithmetic says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 2, maxLength: 6 }), (numbers) => {
        const result = evaluateExpression(numbers.map((n) => `(${n})`).join('*-'));
        expect(result).toEqual({ value: numbers.slice(1).reduce((product, n) => product * -n, numbers[0]!) });
      }),
    );
  });
});

describe('a transform', () => {
  const moved = [1, 0, 0, 5, 0, 1, 0, 25, 0, 0, 1, 20, 0, 0, 0, 1];

  test.each([
    ['a matrix', '[[1,0,0,5],[0,1,0,25],[0,0,1,20],[0,0,0,1]]'],
    ['16 numbers', moved],
    ['a place', '[5, 25, 20]'],
    [
      'an origin with axes',
      [
        [5, 25, 20],
        [2, 0, 0],
        [1, 1, 0],
      ],
    ],
  ])('may be %s', (_, transform) => expect(matrixOf(transform)).toEqual(moved));

  test('that is absent is the origin', () => expect(isRigid(matrixOf(undefined) as number[])).toBe(true));

  test.each([
    ['scales', '[[2,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]', 'placement'],
    ['mirrors', '[[-1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]', 'placement'],
    ['has parallel axes', '[[0,0,0],[1,0,0],[2,0,0]]', 'placement'],
    ['is not finite', '[[1,0,0,1/0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]', 'expression'],
    ['is no matrix', '[1,2]', 'expression'],
    ['is a number', 5, 'expression'],
  ])('that %s is refused', (_, transform, code) => expect(matrixOf(transform)).toMatchObject({ code }));
});

describe('an asm.json', () => {
  test('needs nothing but templates', () => {
    expect(faultsOf({ templates: [{ reference: { location: 'pdm://documents/ASM-000002@A' } }] })).toEqual([]);
  });

  test('is told all its faults at once, each with its place', () => {
    const asm = {
      version: 2,
      templates: [
        { ident: 'a', reference: { location: 'http://host/x' } },
        { ident: 'a', base64: '', geometry: [] },
        { type: 'screw', reference: { location: 'pdm://documents/PRT-000001@v2' } },
        {
          ident: 'c',
          assembly: { templates: [{ ident: 'd', reference: 5 }], instances: [{ ident: 'i', template: 'a' }] },
        },
      ],
      instances: [
        { ident: 'i', template: 'b', transform: '[[2,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]' },
        { ident: 'i', template: 'a', transform: 'rm(1)' },
      ],
      constraints: [{ type: 'Glue' }, null],
    };
    expect(faultsOf(asm)).toEqual([
      '/version must be 0 or 1',
      '/templates/0/reference/location must look like pdm://documents/<number or id>, with @<revision> or @v<n> if wanted',
      '/templates/1/ident the name a is used twice',
      '/templates/1 must have exactly one of reference, assembly, base64, geometry',
      '/templates/2/ident must be a name',
      '/templates/2/type must be part or assembly',
      '/templates/3/assembly/templates/0/reference/location must be an address',
      '/instances/0/template there is no template b',
      '/instances/0/transform instance i: the placement is not a rotation plus a translation (scale, shear and mirror cannot be placed)',
      '/instances/1/ident the name i is used twice',
      '/instances/1/transform expression "rm(1)": unknown name rm',
      '/constraints/0/type unknown constraint Glue',
      '/constraints/1/type unknown constraint undefined',
    ]);
  });

  test.each([
    ['an array', [], ' must be an object'],
    ['without templates', {}, '/templates is missing'],
    ['with templates that are no list', { templates: {} }, '/templates must be an array'],
  ])('that is %s is refused', (_, asm, fault) => expect(faultsOf(asm)).toEqual([fault]));

  test('may be nested 50 levels deep and no deeper', () => {
    const nested = (levels: number): object =>
      levels ? { templates: [{ ident: 'x', assembly: nested(levels - 1) }] } : { templates: [] };
    expect(faultsOf(nested(50))).toEqual([]);
    expect(faultsOf(nested(51))).toEqual([expect.stringMatching(/nested more than 50 levels deep$/)]);
  });

  test('never does more than be refused', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('templates', 'instances', 'ident', 'assembly', 'transform', 'reference') }),
        (asm) => Array.isArray(faultsOf(asm)),
      ),
    );
  });
});
