import { createRequire } from 'node:module';
import { validateBytes } from 'gltf-validator';
import { describe, expect, test } from 'vitest';
import { assemble, exportStep } from './assemble.ts';
import { JobFailure } from './job-failure.ts';
import { startKernel } from './kernel.ts';
import type { Properties } from './product/properties.ts';
import { checkStep } from './read-step.ts';
import { box, bracket, kernel, module, pin, stepOf } from './test-models.ts';

const silent = { log: () => {}, progress: () => {} };
const TIME = '2026-01-01T00:00:00Z';

const at = (x: number, y: number, z: number) =>
  JSON.stringify([
    [1, 0, 0, x],
    [0, 1, 0, y],
    [0, 0, 1, z],
    [0, 0, 0, 1],
  ]);
const json = (value: object) => Buffer.from(JSON.stringify(value));
const part = (ident: string, location: string) => ({ ident, type: 'part', reference: { location, type: 'stp' } });

// A box, two towers of pins from another assembly file, and two inline pairs of brackets, one of each pair rotated.
const tower = {
  templates: [part('pin', 'pin')],
  instances: [
    { ident: 'pin:1', template: 'pin' },
    { ident: 'pin:2', template: 'pin', transform: at(0, 0, 40) },
  ],
};
const rotated = '[[100,0,0],[cos(a_r(90)),sin(a_r(90)),0],[-sin(a_r(90)),cos(a_r(90)),0]]';
const pair = {
  templates: [],
  instances: [
    { ident: 'L', template: 'Bracket' },
    { ident: 'R', template: 'Bracket', transform: rotated },
  ],
};
const top = {
  version: 1,
  templates: [
    part('Box', 'box'),
    part('Bracket', 'bracket'),
    { ident: 'Tower', type: 'assembly', reference: { location: 'tower', type: 'json', name: 'Tower – Säule' } },
    { ident: 'Pair', type: 'assembly', assembly: pair },
  ],
  instances: [
    { ident: 'box:1', template: 'Box' },
    { ident: 'pair:1', template: 'Pair', transform: at(300, 0, 0) },
    { ident: 'pair:2', template: 'Pair', transform: at(300, 200, 0) },
    { ident: 'tower:1', template: 'Tower', transform: '[-200,0,0]' },
    { ident: 'tower:2', template: 'Tower', transform: '[-250,0,0]' },
  ],
};
const files: Record<string, Buffer> = {
  box: await stepOf(box()),
  bracket: await stepOf(bracket()),
  pin: await stepOf(pin()),
  tower: json(tower),
};

const input = (asm: object, more: Record<string, Buffer> = {}) => ({
  asmJson: json(asm),
  name: 'Test assembly',
  maxBytes: 1e9,
  read: (location: string) => {
    const found = { ...files, ...more }[location];
    if (!found) throw new JobFailure('missing_file', `${location} was not passed to the engine`);
    return found;
  },
});

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

describe('an assembly of STEP files and nested assemblies', { timeout: 120_000 }, () => {
  test('is measured, meshed and rendered with each part meshed once', async () => {
    const { properties, glb } = await assemble(kernel, input(top), silent);
    const parsed = JSON.parse(properties.toString()) as Properties;
    expect(parsed).toMatchObject({
      solids: 9,
      definitions: 3,
      occurrences: 9,
      products: 6,
      valid: true,
      warnings: [],
      source: null,
    });
    expect(parsed.structure.children.map(({ occurrences }) => occurrences)).toEqual([1, 2, 2]);
    expect(parsed.structure.children[2]?.name).toBe('Tower – Säule');
    const { issues } = await validateBytes(glb);
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  });

  test('exports one STEP file with shared definitions and named instances that two readers read equally', async () => {
    const stp = exportStep(kernel, input(top), TIME, silent);
    const text = stp.toString('latin1');
    expect([
      count(text, /MANIFOLD_SOLID_BREP\(/g),
      count(text, /= PRODUCT\(/g),
      count(text, /NEXT_ASSEMBLY_USAGE_OCCURRENCE\(/g),
    ]).toEqual([3, 6, 9]);
    expect(text).toMatch(/^[\0-\x7f]*$/);
    expect(text).toContain("FILE_NAME('Test assembly','2026-01-01T00:00:00'");
    const names = [...checkStep(stp, 1e9).structure.products.values()].map(({ name }) => name);
    expect(names).toContain('Tower – Säule');
    const reimported = JSON.parse(
      (await assemble(kernel, input({ templates: [part('all', 'all')] }, { all: stp }), silent)).properties.toString(),
    ) as Properties;
    const direct = JSON.parse((await assemble(kernel, input(top), silent)).properties.toString()) as Properties;
    expect(reimported.volume).toBeCloseTo(direct.volume ?? 0, 1);
    reimported.boundingBox.max.forEach((value, i) => {
      expect(value).toBeCloseTo(direct.boundingBox.max[i] ?? 0, 4);
    });
    expect((await secondReader(stp)).meshes).toHaveLength(9);
  });

  test('exports equal bytes with fresh kernels', async () => {
    const asm = { templates: top.templates.filter(({ ident }) => ident !== 'Bracket' && ident !== 'Pair') };
    const [first, second] = await Promise.all(
      [1, 2].map(async () => exportStep(await startKernel(module), input(asm), TIME, silent)),
    );
    expect(first).toEqual(second);
  });
});

describe('rejects an assembly', { timeout: 120_000 }, () => {
  const failureOf = async (asm: object, more?: Record<string, Buffer>) => {
    try {
      await assemble(kernel, input(asm, more), silent);
    } catch (error) {
      if (error instanceof JobFailure) return `${error.code}: ${error.message}`;
      throw error;
    }
    return 'accepted';
  };
  const withTemplate = (template: object, constraints: object[] = []) => ({
    templates: [{ ident: 'P', ...template }],
    instances: [{ ident: 'P:1', template: 'P' }],
    constraints,
  });
  const reference = { reference: { location: 'pin', type: 'stp' } };
  const loop = json(withTemplate({ reference: { location: 'loop', type: 'json' } }));
  const OFB = 'OFB requires a ClassCAD engine; the built-in engine reads and writes STEP';

  test.each([
    [
      'with an OFB part',
      withTemplate({ reference: { location: 'x', type: 'ofb' } }),
      `needs_classcad: template P has only an OFB file: ${OFB}`,
    ],
    [
      'with an embedded OFB file',
      withTemplate({ base64: 'AQI=' }),
      `needs_classcad: template P contains an OFB file: ${OFB}`,
    ],
    [
      'with ClassCAD features',
      withTemplate({ geometry: [] }),
      'unsupported_template: template P consists of ClassCAD features; the built-in engine supports only STEP parts',
    ],
    [
      'with a missing part',
      withTemplate({ reference: { location: 'other' } }),
      'missing_file: part P: other was not passed to the engine',
    ],
    [
      'with a part that is not a STEP file',
      withTemplate({ reference: { location: 'junk' } }),
      'not_step: part P: the file is not a STEP file: it does not start with "ISO-10303-21;"',
    ],
    [
      'with an instance placed only by constraints',
      withTemplate(reference, [{ type: 'FastenedOriginConstraint', mate1: { path: ['P:1'] } }]),
      'unplaced_instance: instance P:1 is placed only by constraints; the built-in engine requires a transform',
    ],
    [
      'with a pattern',
      withTemplate(reference, [{ type: 'CC_LinearPatternConstraint' }]),
      'unsupported_constraint: assembly Test assembly: patterns require a ClassCAD engine; the built-in engine places instances by their transforms',
    ],
    [
      'that contains itself inline',
      withTemplate({ assembly: { templates: [], instances: [{ ident: 'i', template: 'P' }] } }),
      'cycle: assembly contains itself: P',
    ],
    [
      'that contains itself through a file',
      withTemplate({ reference: { location: 'loop', type: 'json' } }),
      'cycle: part P: assembly contains itself: P',
    ],
    [
      'with an undefined template',
      { templates: [], instances: [{ ident: 'i', template: 'none' }] },
      'invalid_asm_json: asm.json is not valid: /instances/0/template names the template none, which does not exist',
    ],
    ['without instances', { templates: [], instances: [] }, 'empty: the assembly has no instance with geometry'],
    [
      'that expands to too many occurrences',
      doubling(20),
      'too_many_occurrences: assembly expands to more than 100000 occurrences',
    ],
    [
      'with a chain of templates that is too long',
      chained(200),
      'too_deep: assembly is nested more than 50 levels deep',
    ],
  ])('%s', async (_, asm, expected) =>
    expect(await failureOf(asm, { junk: Buffer.from('junk'), loop })).toBe(expected),
  );

  test('that is not JSON', async () => {
    await expect(assemble(kernel, { ...input(top), asmJson: Buffer.from('{') }, silent)).rejects.toMatchObject({
      code: 'invalid_asm_json',
    });
  });
});

test('ignores constraints of instances with transforms and warns', { timeout: 120_000 }, async () => {
  const asm = {
    templates: [part('P', 'pin')],
    instances: [{ ident: 'P:1', template: 'P', transform: '[0,0,5]' }],
    constraints: [{ type: 'PlanarConstraint', mate1: { path: ['P:1'] } }],
  };
  const { warnings } = JSON.parse((await assemble(kernel, input(asm), silent)).properties.toString()) as Properties;
  expect(warnings).toEqual([
    {
      code: 'constraints_ignored',
      message: 'assembly Test assembly: 1 constraints are not solved; the stored transforms are used',
    },
  ]);
});

// Returns an assembly in which each level places the one below twice.
function doubling(levels: number): object {
  const templates = Array.from({ length: levels }, (_, i) => ({
    ident: `t${i}`,
    ...(i === 0
      ? { reference: { location: 'pin', type: 'stp' } }
      : { assembly: { templates: [], instances: ['a', 'b'].map((ident) => ({ ident, template: `t${i - 1}` })) } }),
  }));
  return { templates, instances: [{ ident: 'top', template: `t${levels - 1}` }] };
}

function chained(length: number): object {
  const templates = Array.from({ length }, (_, i) => ({
    ident: `t${i}`,
    ...(i === 0
      ? { reference: { location: 'pin' } }
      : { assembly: { templates: [], instances: [{ ident: 'a', template: `t${i - 1}` }] } }),
  }));
  return { templates, instances: [{ ident: 'top', template: `t${length - 1}` }] };
}

// An independent build of OCCT that only reads meshes.
async function secondReader(stp: Buffer): Promise<{ meshes: unknown[] }> {
  const reader = await createRequire(import.meta.url)('occt-import-js')();
  return reader.ReadStepFile(new Uint8Array(stp), { linearUnit: 'millimeter' });
}
