import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertNothingLost, assertVersionOf, contentChanges, lostFiles, parentsAfterTakeOver } from './take-over.ts';

const kind = fc.constantFrom('source', 'glb', 'thumbnail', 'attachment.a', 'attachment.b');
const file = fc.record({
  kind,
  fileName: fc.constantFrom('a.stp', 'b.stp'),
  sha256: fc.constantFrom('1', '2', '3'),
  size: fc.nat(9),
  generator: fc.constantFrom(null, 'engine/1'),
  createdAt: fc.date({ noInvalidDate: true }),
  createdBy: fc.constantFrom('usr_a', 'usr_b'),
});
// a draft or version has one file of each kind
const files = fc.uniqueArray(file, { selector: ({ kind }) => kind });

test('lists the user files of the draft that no version contains, with who changed them and when', () => {
  fc.assert(
    fc.property(files, fc.array(files, { maxLength: 4 }), (draft, versions) => {
      const isSaved = (wanted: (typeof draft)[number]) =>
        versions.some((version) =>
          version.some((f) => f.kind === wanted.kind && f.fileName === wanted.fileName && f.sha256 === wanted.sha256),
        );
      const lost = lostFiles(draft, versions.flat());
      for (const current of draft) {
        const found = lost.filter(({ kind }) => kind === current.kind);
        const { fileName, sha256, size, createdAt: changedAt, createdBy: changedBy } = current;
        const expected =
          current.generator === null && !isSaved(current)
            ? [{ what: 'file', kind: current.kind, fileName, sha256, size, changedAt, changedBy }]
            : [];
        expect(found).toEqual(expected);
      }
      expect(lost.length).toBeLessThanOrEqual(draft.length);
      expect(lostFiles(draft, [...versions.flat(), ...draft])).toEqual([]);
    }),
  );
});

test('rejects losing files unless forced, and lists them', () => {
  const lost = [{ what: 'file' as const, kind: 'source' }];
  expect(() => assertNothingLost(lost, false)).toThrow(
    expect.objectContaining({ code: 'draft_would_lose', details: { lost } }),
  );
  expect(() => assertNothingLost(lost, true)).not.toThrow();
  expect(() => assertNothingLost([], false)).not.toThrow();
});

test('accepts only versions of the same document', () => {
  const document = { _id: 'doc_1', number: 'PRT-1' };
  const version = { _id: 'ver_1', documentId: 'doc_1', type: 'version' as const };
  expect(() => assertVersionOf(document, version)).not.toThrow();
  expect(() => assertVersionOf(document, { ...version, type: 'draft' })).toThrow(
    expect.objectContaining({ code: 'not_a_version' }),
  );
  for (const type of ['draft', 'version'] as const)
    expect(() => assertVersionOf(document, { ...version, documentId: 'doc_2', type })).toThrow(
      expect.objectContaining({ code: 'wrong_document' }),
    );
});

test('lists the base version first and each parent once', () => {
  expect(parentsAfterTakeOver('v1', ['v2'])).toEqual(['v1', 'v2']);
  expect(parentsAfterTakeOver('v1', ['v1'])).toEqual(['v1']);
  expect(parentsAfterTakeOver('v1', [])).toEqual(['v1']);
  expect(parentsAfterTakeOver(null, ['v2'])).toEqual(['v2']);
});

test('lists the changes of every kind that exists before or after', () => {
  fc.assert(
    fc.property(files, files, (before, after) => {
      const changes = contentChanges(before, after);
      expect(Object.keys(changes).sort()).toEqual([...new Set([...before, ...after].map(({ kind }) => kind))].sort());
      for (const [kind, { from, to }] of Object.entries(changes)) {
        const hashIn = (list: typeof before) => list.find((f) => f.kind === kind)?.sha256;
        expect([(from as { sha256: string } | null)?.sha256, (to as { sha256: string } | null)?.sha256]).toEqual([
          hashIn(before),
          hashIn(after),
        ]);
      }
    }),
  );
});
