import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { artifactKind } from '../../subgraphs/core/domain/artifact-kind.ts';
import { fileNameHeader, mediaTypeOf, nameFromFile, uploadKindOf } from './upload-kind.ts';

describe('uploadKindOf', () => {
  it.each([
    ['part.STP', 'model', { kind: 'source', job: true }],
    ['part.step', 'model', { kind: 'source', job: true }],
    ['part.ofb', 'model', { kind: 'source', job: true }],
    ['frame.step', 'assembly', { askToSplit: true }],
    ['frame.FCStd', 'assembly', { askToSplit: true }],
    ['frame.stpz', 'assembly', { askToSplit: true }],
    ['frame.step.zip', 'assembly', { askToSplit: true }],
    ['frame.stp.zip', 'model', { kind: 'source', job: true }],
    ['pictures.zip', 'model', { kind: 'attachment.pictures-zip', job: false }],
    ['frame.asm.json', 'assembly', { kind: 'asm-json', job: true }],
    ['Report (final).PDF', 'model', { kind: 'attachment.report-final-pdf', job: false }],
    ['図面.pdf', 'assembly', { kind: 'attachment.pdf', job: false }],
    ['図面', 'code', { kind: 'attachment.file', job: false }],
  ] as const)('stores %s in a %s document as %o', (fileName, kind, uploadKind) => {
    expect(uploadKindOf(fileName, kind, [])).toEqual(uploadKind);
  });
});

test('replaces an attachment only by a file of the same name', () => {
  const existing = [{ kind: 'attachment.pdf', fileName: '図面.pdf' }];
  expect(uploadKindOf('図面.pdf', 'model', existing)).toMatchObject({ kind: 'attachment.pdf' });
  expect(uploadKindOf('報告.pdf', 'model', existing)).toMatchObject({ kind: 'attachment.pdf-2' });
});

test('returns valid and unique kinds for any attachments', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), { maxLength: 12 }), (names) => {
      const existing: { kind: string; fileName: string }[] = [];
      for (const fileName of new Set(names)) {
        const uploadKind = uploadKindOf(fileName, 'code', existing);
        if (!('kind' in uploadKind)) throw new Error('code documents cannot be split');
        artifactKind(uploadKind.kind);
        expect(existing.map(({ kind }) => kind)).not.toContain(uploadKind.kind);
        existing.push({ kind: uploadKind.kind, fileName });
      }
    }),
  );
});

test('encodes file names and guesses media types', () => {
  for (const name of ['減速機 Ω.step', 'plain.stp', 'Größe.stp'])
    expect(Buffer.from(fileNameHeader(name), 'latin1').toString('utf8')).toBe(name);
  expect(nameFromFile('bracket v2.stp')).toBe('bracket v2');
  expect(nameFromFile('.stp')).toBe('.stp');
  expect(mediaTypeOf({ name: 'a.stp', type: '' })).toBe('model/step');
});
