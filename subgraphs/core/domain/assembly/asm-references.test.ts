import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AsmJson, checkAsmJson } from './asm-json.ts';
import { assemblyLines, inFileOrder } from './asm-references.ts';

const reference = (name: string) => ({ ident: name, reference: { location: `pdm://documents/${name}` } });
const place = (template: string, i: number) => ({ ident: `i${i}`, template });
function linesOf(asm: AsmJson) {
  expect(checkAsmJson(asm, 'stored')).toHaveProperty('asm');
  const read = assemblyLines(asm);
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return Object.fromEntries(read.lines.map(({ target, quantity }) => [target, quantity]));
}

test('without instances each template is placed once', () => {
  expect(
    linesOf({
      templates: [{ reference: { location: 'pdm://documents/A' } }, { reference: { location: 'pdm://documents/a' } }],
    }),
  ).toEqual({
    A: 2,
  });
});

test('a table of four legs with four screws each has sixteen screws, and a template nobody places none', () => {
  const leg: AsmJson = {
    templates: [reference('POST')],
    instances: [place('POST', 0), ...[1, 2, 3, 4].map((i) => place('SCREW', i))],
  };
  const table: AsmJson = {
    templates: [{ ident: 'leg', assembly: leg }, reference('SCREW'), reference('SPARE')],
    instances: [1, 2, 3, 4].map((i) => place('leg', i)),
  };
  expect(linesOf(table)).toEqual({ POST: 4, SCREW: 16, SPARE: 0 });
});

test('a name is searched in the own list first, then outward', () => {
  const inner: AsmJson = {
    templates: [{ ident: 'x', reference: { location: 'pdm://documents/INNER' } }],
    instances: [place('x', 0), place('y', 1)],
  };
  const outer: AsmJson = {
    templates: [
      { ident: 'x', reference: { location: 'pdm://documents/OUTER' } },
      reference('y'),
      { ident: 'box', assembly: inner },
    ],
    instances: [place('box', 0), place('box', 1), place('x', 2)],
  };
  expect(linesOf(outer)).toEqual({ OUTER: 1, Y: 2, INNER: 2 });
});

test('a template that contains itself is a fault', () => {
  const inner: AsmJson = { templates: [], instances: [place('box', 0)] };
  expect(assemblyLines({ templates: [{ ident: 'box', assembly: inner }], instances: [place('box', 0)] })).toMatchObject(
    {
      faults: [{ message: 'a template contains itself' }],
    },
  );
});

test('too many placements to be counted are a fault, not a wrong number', () => {
  let asm: AsmJson = { templates: [reference('A')], instances: [place('A', 0)] };
  for (let level = 0; level < 40; level++)
    asm = {
      templates: [{ ident: 'box', assembly: asm }],
      instances: [place('box', 0), place('box', 1), place('box', 2)],
    };
  expect(assemblyLines(asm)).toMatchObject({ faults: [{ message: 'is placed too often to be counted' }] });
});

test('the quantity of a line is what walking every instance finds', () => {
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
          instances: templates.length ? placed.map((n, i) => place(templates[n % templates.length]!.ident, i)) : [],
        };
      }),
  }));
  const walk = (given: AsmJson, counts: Record<string, number>): void => {
    for (const { template } of given.instances ?? []) {
      const found = given.templates.find(({ ident }) => ident === template);
      if (found?.assembly) walk(found.assembly, counts);
      const name = found?.reference?.location.slice('pdm://documents/'.length);
      if (name) counts[name] = (counts[name] ?? 0) + 1;
    }
  };
  fc.assert(
    fc.property(asm, (given) => {
      const counts: Record<string, number> = {};
      walk(given, counts);
      expect(Object.entries(linesOf(given)).filter(([, quantity]) => quantity)).toEqual(
        expect.arrayContaining(Object.entries(counts)),
      );
    }),
    { numRuns: 60 },
  );
});

test('the places of several lines come in the order of the file, at every depth', () => {
  const paths = [
    '/templates/0/reference',
    '/templates/2/assembly/templates/0/reference',
    '/templates/2/assembly/templates/11/reference',
  ];
  const inOrder = [...paths, '/templates/3/reference', '/templates/10/reference'].map((path) => ({ path }));
  fc.assert(
    fc.property(fc.shuffledSubarray(inOrder), (some) => {
      expect(inFileOrder(some)).toEqual(inOrder.filter((place) => some.includes(place)));
    }),
  );
});
