import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AsmJson, validateAsmJson } from './asm-json.ts';
import { assemblyLines, sortInFileOrder } from './asm-references.ts';

const reference = (name: string) => ({ ident: name, reference: { location: `pdm://documents/${name}` } });
const instance = (template: string, i: number) => ({ ident: `i${i}`, template });
function linesOf(asm: AsmJson) {
  expect(validateAsmJson(asm, 'stored')).toHaveProperty('asm');
  const read = assemblyLines(asm);
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return Object.fromEntries(read.lines.map(({ target, quantity }) => [target, quantity]));
}

test('counts each template once without instances', () => {
  expect(
    linesOf({
      templates: [{ reference: { location: 'pdm://documents/A' } }, { reference: { location: 'pdm://documents/a' } }],
    }),
  ).toEqual({
    A: 2,
  });
});

test('multiplies quantities through nested assemblies', () => {
  const leg: AsmJson = {
    templates: [reference('POST')],
    instances: [instance('POST', 0), ...[1, 2, 3, 4].map((i) => instance('SCREW', i))],
  };
  const table: AsmJson = {
    templates: [{ ident: 'leg', assembly: leg }, reference('SCREW'), reference('SPARE')],
    instances: [1, 2, 3, 4].map((i) => instance('leg', i)),
  };
  expect(linesOf(table)).toEqual({ POST: 4, SCREW: 16, SPARE: 0 });
});

test('looks up templates in their own list first, then outward', () => {
  const inner: AsmJson = {
    templates: [{ ident: 'x', reference: { location: 'pdm://documents/INNER' } }],
    instances: [instance('x', 0), instance('y', 1)],
  };
  const outer: AsmJson = {
    templates: [
      { ident: 'x', reference: { location: 'pdm://documents/OUTER' } },
      reference('y'),
      { ident: 'box', assembly: inner },
    ],
    instances: [instance('box', 0), instance('box', 1), instance('x', 2)],
  };
  expect(linesOf(outer)).toEqual({ OUTER: 1, Y: 2, INNER: 2 });
});

test('reports a template that contains itself', () => {
  const inner: AsmJson = { templates: [], instances: [instance('box', 0)] };
  expect(
    assemblyLines({ templates: [{ ident: 'box', assembly: inner }], instances: [instance('box', 0)] }),
  ).toMatchObject({
    errors: [{ message: 'a template contains itself' }],
  });
});

test('reports quantities that are too large to count', () => {
  let asm: AsmJson = { templates: [reference('A')], instances: [instance('A', 0)] };
  for (let level = 0; level < 40; level++)
    asm = {
      templates: [{ ident: 'box', assembly: asm }],
      instances: [instance('box', 0), instance('box', 1), instance('box', 2)],
    };
  expect(assemblyLines(asm)).toMatchObject({ errors: [{ message: 'is placed too often: the quantity is too large' }] });
});

test('computes the quantities that a walk over all instances finds', () => {
  const { asm } = fc.letrec<{ asm: AsmJson }>((tie) => ({
    asm: fc
      .record({
        parts: fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 3 }),
        boxes: fc.oneof({ depthSize: 'small' }, fc.constant<AsmJson[]>([]), fc.array(tie('asm'), { maxLength: 2 })),
        placed: fc.array(fc.nat(), { maxLength: 5 }),
      })
      .map(({ parts, boxes, placed }) => {
        const templates = [
          ...parts.map((name, i) => ({ ident: `p${i}`, reference: { location: `pdm://documents/${name}` } })),
          ...boxes.map((assembly, i) => ({ ident: `b${i}`, assembly })),
        ];
        return {
          templates,
          instances: templates.length ? placed.map((n, i) => instance(templates[n % templates.length]!.ident, i)) : [],
        };
      }),
  }));
  const walk = (assembly: AsmJson, counts: Record<string, number>): void => {
    for (const { template } of assembly.instances ?? []) {
      const found = assembly.templates.find(({ ident }) => ident === template);
      if (found?.assembly) walk(found.assembly, counts);
      const name = found?.reference?.location.slice('pdm://documents/'.length);
      if (name) counts[name] = (counts[name] ?? 0) + 1;
    }
  };
  fc.assert(
    fc.property(asm, (assembly) => {
      const counts: Record<string, number> = {};
      walk(assembly, counts);
      expect(Object.entries(linesOf(assembly)).filter(([, quantity]) => quantity)).toEqual(
        expect.arrayContaining(Object.entries(counts)),
      );
    }),
    { numRuns: 60 },
  );
});

test('sorts occurrences by their position in the file at every depth', () => {
  const paths = [
    '/templates/0/reference',
    '/templates/2/assembly/templates/0/reference',
    '/templates/2/assembly/templates/11/reference',
  ];
  const sorted = [...paths, '/templates/3/reference', '/templates/10/reference'].map((path) => ({ path }));
  fc.assert(
    fc.property(fc.shuffledSubarray(sorted), (some) => {
      expect(sortInFileOrder(some)).toEqual(sorted.filter((occurrence) => some.includes(occurrence)));
    }),
  );
});
