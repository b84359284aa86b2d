import { expect, test } from 'vitest';
import type { AsmJson } from './asm-json.ts';
import { type LoadableReference, resolveAsmJson, templateName } from './resolved-asm-json.ts';

const loadable = (name: string): LoadableReference => ({
  location: `https://pdm/${name}`,
  type: 'stp',
  address: `pdm://documents/${name}`,
  name,
  versionId: 'ver_1',
  sha256: 'a',
});
const reference = (name: string, more = {}) => ({ location: `pdm://documents/${name}`, ...more });
const asm: AsmJson = JSON.parse(
  JSON.stringify({
    version: 1,
    colour: 'red',
    templates: [
      { ident: 'leg', reference: reference('A', { note: 'kept' }), mass: 3 },
      {
        ident: 'pair',
        assembly: {
          templates: [{ reference: reference('B') }, { ident: 'odd', base64: 'AQI=' }],
          userData: { own: true },
        },
      },
    ],
    instances: [{ ident: '1', template: 'leg', transform: '[0,0,5]' }],
  }),
);

test('replaces references at any depth and keeps everything else', () => {
  const before = structuredClone(asm);
  const at = new Map([
    ['/templates/0/reference', loadable('A')],
    ['/templates/1/assembly/templates/0/reference', loadable('B')],
  ]);
  expect(resolveAsmJson(asm, at)).toEqual({
    ...asm,
    templates: [
      { ident: 'leg', reference: { ...loadable('A'), note: 'kept' }, mass: 3 },
      {
        ident: 'pair',
        assembly: {
          templates: [{ reference: loadable('B') }, { ident: 'odd', base64: 'AQI=' }],
          userData: { own: true },
        },
      },
    ],
  });
  expect(asm).toEqual(before);
});

test('names templates by their ident or index', () => {
  expect(templateName(asm, '/templates/0/reference')).toBe('leg');
  expect(templateName(asm, '/templates/1/assembly/templates/0/reference')).toBe('0');
});
