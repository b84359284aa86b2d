import { describe, expect, it } from 'vitest';
import { linesOfParts } from './part-places.ts';
import { type ProductNode, productRows } from './product.ts';

const node = (name: string, ...children: ProductNode[]): ProductNode => ({ name, triangles: 1, bodies: 1, children });
const at = (document: string) => ({ location: `pdm://documents/${document}` });
const line = (path: string, address: string, versionId: string | null) => ({
  path,
  address: `pdm://documents/${address}`,
  resolution: versionId === null ? null : { versionId },
});
const pathsOf = (root: ProductNode, lines: ReturnType<typeof line>[], files: Record<string, unknown>) =>
  linesOfParts(productRows(root), 'top', lines, new Map(Object.entries(files))).map((found) => found?.path ?? null);

const HINGE = {
  templates: [
    { ident: 'leaf', reference: at('PRT-2') },
    { ident: 'pin', reference: at('PRT-1@A') },
  ],
  instances: [
    { ident: 'upper', template: 'leaf' },
    { ident: 'pin', template: 'pin' },
    { ident: 'lower', template: 'leaf' },
  ],
};

describe('linesOfParts', () => {
  it('finds lines by the idents of instances at each level, also where names are equal', () => {
    const gate = {
      templates: [
        { ident: 'hinge', reference: at('ASM-1@v1') },
        { ident: 'pin', reference: at('PRT-1') },
      ],
      instances: [
        { ident: 'upper', template: 'hinge' },
        { ident: 'lower', template: 'pin' },
      ],
    };
    const lines = [
      line('1', 'ASM-1@v1', 'hinge'),
      line('1.1', 'PRT-2', 'leaf'),
      line('1.2', 'PRT-1@A', 'pin'),
      line('2', 'PRT-1', 'pin'),
    ];
    const model = node(
      'Gate',
      node('upper', node('upper'), node('pin', node('upper')), node('lower')),
      node('lower'),
      node('unknown'),
    );
    expect(pathsOf(model, lines, { top: gate, hinge: HINGE })).toEqual([
      null,
      '1',
      '1.1',
      '1.2',
      '1.2', // a node inside a part
      '1.1',
      '2',
      null,
    ]);
  });

  it('follows assemblies within the file, which may use templates of the file around them', () => {
    const file = {
      templates: [
        { ident: 'bolt', reference: at('prt-1') },
        { ident: 'pair', assembly: { templates: [], instances: [{ ident: 'left', template: 'bolt' }] } },
      ],
      instances: [{ ident: 'first', template: 'pair' }],
    };
    const model = node('top', node('first', node('left')));
    expect(pathsOf(model, [line('1', 'PRT-1', 'bolt')], { top: file })).toEqual([null, null, '1']);
  });

  it('places each template once without instances, and knows nothing of missing files', () => {
    const file = { templates: [{ reference: at('PRT-1') }, { ident: 'b', reference: at('PRT-2') }] };
    const lines = [line('1', 'PRT-1', 'a'), line('2', 'PRT-2', null)];
    expect(pathsOf(node('top', node('0'), node('b')), lines, { top: file })).toEqual([null, '1', '2']);
    expect(pathsOf(node('top', node('0')), lines, {})).toEqual([null, null]);
    expect(pathsOf(node('top', node('0')), lines, { top: 'not an assembly' })).toEqual([null, null]);
  });
});
