import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { artifactKind } from '../../subgraphs/core/domain/artifact-kind.ts';
import { headerOf, nameFromFile, typeOf, whatItBecomes } from './what-it-becomes.ts';

describe('a dropped file becomes', () => {
  it.each([
    ['part.STP', 'model', { kind: 'source', job: true }],
    ['part.step', 'model', { kind: 'source', job: true }],
    ['part.ofb', 'model', { kind: 'source', job: true }],
    ['frame.step', 'assembly', { askToSplit: true }],
    ['frame.asm.json', 'assembly', { kind: 'asm-json', job: true }],
    ['Report (final).PDF', 'model', { kind: 'attachment.report-final-pdf', job: false }],
    ['図面.pdf', 'assembly', { kind: 'attachment.pdf', job: false }],
    ['図面', 'code', { kind: 'attachment.file', job: false }],
  ] as const)('%s of a document of kind %s: %o', (fileName, kind, becomes) => {
    expect(whatItBecomes(fileName, kind, [])).toEqual(becomes);
  });
});

test('an attachment is replaced by a file of its name alone', () => {
  const existing = [{ kind: 'attachment.pdf', fileName: '図面.pdf' }];
  expect(whatItBecomes('図面.pdf', 'model', existing)).toMatchObject({ kind: 'attachment.pdf' });
  expect(whatItBecomes('報告.pdf', 'model', existing)).toMatchObject({ kind: 'attachment.pdf-2' });
});

test('every attachment is of a kind that the service takes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), { maxLength: 12 }), (names) => {
      const existing: { kind: string; fileName: string }[] = [];
      for (const fileName of new Set(names)) {
        const becomes = whatItBecomes(fileName, 'code', existing);
        if (!('kind' in becomes)) throw new Error('a code document has no assembly to take apart');
        artifactKind(becomes.kind);
        expect(existing.map(({ kind }) => kind)).not.toContain(becomes.kind);
        existing.push({ kind: becomes.kind, fileName });
      }
    }),
  );
});

test('names of files go into the header as the service reads them', () => {
  for (const name of ['減速機 Ω.step', 'plain.stp', 'Größe.stp'])
    expect(Buffer.from(headerOf(name), 'latin1').toString('utf8')).toBe(name);
  expect(nameFromFile('bracket v2.stp')).toBe('bracket v2');
  expect(nameFromFile('.stp')).toBe('.stp');
  expect(typeOf({ name: 'a.stp', type: '' })).toBe('model/step');
});
