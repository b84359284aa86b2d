import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateExpression } from './asm-expression.ts';
import { validateAsmJson } from './asm-json.ts';
import { isRigid, parseTransform } from './asm-transform.ts';

const matrixOf = (transform: unknown) => {
  const read = parseTransform(transform, 'i');
  return 'matrix' in read ? [...read.matrix] : read.error;
};
const errorsOf = (asm: unknown) => {
  const checked = validateAsmJson(asm, 'stored');
  return 'errors' in checked ? checked.errors.map(({ path, message }) => `${path} ${message}`) : [];
};

describe('evaluateExpression', () => {
  test.each([
    ['2*(3+4)-6/3', 12],
    ['-2*-3', 6],
    ['sin(C:PI/6)', 0.5],
    ['fmod(7,4)+div(7,2)+round(2.345,2)', 8.35],
    ['atan(1)-atan(1,1)', 0],
    ['r_a(a_r(90))', 90],
    ['max(1,2,3)+min(4,5)', 7],
    ['1e3+.5', 1000.5],
  ])('evaluates %s to %d', (source, expected) => {
    const result = evaluateExpression(source);
    expect('value' in result && result.value).toBeCloseTo(expected, 9);
  });

  test.each([
    ['process.exit()', 'expression "process.exit()": unknown name process'],
    ['constructor', 'expression "constructor": unknown name constructor'],
    ['toString()', 'expression "toString()": unknown name toString'],
    ['[1,2', 'expression "[1,2": missing "]"'],
    ['1;2', 'expression "1;2": unexpected ";"'],
    ['', 'expression "": unexpected end'],
    ['1e999', 'expression "1e999": unexpected "1e999"'],
    ['[1]+2', 'expression "[1]+2": expected a number, found a list'],
  ])('rejects %s', (source, error) => expect(evaluateExpression(source)).toEqual({ error }));

  test('rejects text that is too deep or too long', () => {
    expect(evaluateExpression(`${'('.repeat(100)}1${')'.repeat(100)}`)).toMatchObject({
      error: expect.stringMatching(/nested too deeply$/),
    });
    expect(evaluateExpression('1+'.repeat(5000))).toMatchObject({
      error: expect.stringMatching(/longer than 4,096 characters$/),
    });
  });

  test('returns a value or an error for any text', () => {
    fc.assert(fc.property(fc.string(), (source) => Object.keys(evaluateExpression(source)).length === 1));
  });

  test('follows the rules of arithmetic', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 2, maxLength: 6 }), (numbers) => {
        const result = evaluateExpression(numbers.map((n) => `(${n})`).join('*-'));
        expect(result).toEqual({ value: numbers.slice(1).reduce((product, n) => product * -n, numbers[0]!) });
      }),
    );
  });
});

describe('parseTransform', () => {
  const moved = [1, 0, 0, 5, 0, 1, 0, 25, 0, 0, 1, 20, 0, 0, 0, 1];

  test.each([
    ['a matrix', '[[1,0,0,5],[0,1,0,25],[0,0,1,20],[0,0,0,1]]'],
    ['16 numbers', moved],
    ['a position', '[5, 25, 20]'],
    [
      'an origin with axes',
      [
        [5, 25, 20],
        [2, 0, 0],
        [1, 1, 0],
      ],
    ],
  ])('accepts %s', (_, transform) => expect(matrixOf(transform)).toEqual(moved));

  test('defaults to the origin', () => expect(isRigid(matrixOf(undefined) as number[])).toBe(true));

  test.each([
    ['scales', '[[2,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]', 'placement'],
    ['mirrors', '[[-1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]', 'placement'],
    ['has parallel axes', '[[0,0,0],[1,0,0],[2,0,0]]', 'placement'],
    ['is not finite', '[[1,0,0,1/0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]', 'expression'],
    ['is not a matrix', '[1,2]', 'expression'],
    ['is a number', 5, 'expression'],
  ])('rejects a transform that %s', (_, transform, code) => expect(matrixOf(transform)).toMatchObject({ code }));
});

describe('validateAsmJson', () => {
  test('requires only templates', () => {
    expect(errorsOf({ templates: [{ reference: { location: 'pdm://documents/ASM-000002@A' } }] })).toEqual([]);
  });

  test('reports all errors with their paths', () => {
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
    expect(errorsOf(asm)).toEqual([
      '/version must be 0 or 1',
      '/templates/0/reference/location must be pdm://documents/<number or id>, optionally with @<revision> or @v<n>',
      '/templates/1/ident is used twice: a',
      '/templates/1 must have exactly one of reference, assembly, base64, geometry',
      '/templates/2/ident must be a non-empty string',
      '/templates/2/type must be part or assembly',
      '/templates/3/assembly/templates/0/reference/location must be an address',
      '/instances/0/template names the template b, which does not exist',
      '/instances/0/transform instance i: the placement is not a rotation and translation; scaling, shearing and mirroring are not supported',
      '/instances/1/ident is used twice: i',
      '/instances/1/transform expression "rm(1)": unknown name rm',
      '/constraints/0/type is not a known constraint type: Glue',
      '/constraints/1/type is not a known constraint type: undefined',
    ]);
  });

  test.each([
    ['that is an array', [], ' must be an object'],
    ['without templates', {}, '/templates is missing'],
    ['with templates that are not an array', { templates: {} }, '/templates must be an array'],
  ])('rejects a file %s', (_, asm, error) => expect(errorsOf(asm)).toEqual([error]));

  test('accepts 50 levels of nesting and rejects more', () => {
    const nested = (levels: number): object =>
      levels ? { templates: [{ ident: 'x', assembly: nested(levels - 1) }] } : { templates: [] };
    expect(errorsOf(nested(50))).toEqual([]);
    expect(errorsOf(nested(51))).toEqual([expect.stringMatching(/must not be nested more than 50 levels deep$/)]);
  });

  test('returns a list of errors for any object', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('templates', 'instances', 'ident', 'assembly', 'transform', 'reference') }),
        (asm) => Array.isArray(errorsOf(asm)),
      ),
    );
  });
});
