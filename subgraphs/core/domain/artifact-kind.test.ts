import { expect, test } from 'vitest';
import {
  ARTIFACT_KINDS,
  artifactKind,
  isContentKind,
  assertCanStore,
  assertRemovable,
  type Writer,
} from './artifact-kind.ts';
import { DomainError } from './errors.ts';

const document = (kind: 'model' | 'assembly' | 'code') => ({ number: 'PRT-000001', kind });
const draft = { _id: 'ver_d', type: 'draft', name: 'Draft' } as const;
const version = { _id: 'ver_v', type: 'version', name: 'V1' } as const;
const answer = (
  kind: string,
  writer: Writer,
  of: 'model' | 'assembly' | 'code',
  into: typeof draft | typeof version,
) => {
  try {
    assertCanStore(kind, writer, document(of), into);
    return 'stored';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

test.each([
  // kind, document, user into draft, user into version, worker into draft, worker into version
  ['source', 'model', 'stored', 'not_a_draft', 'forbidden', 'forbidden'],
  ['source', 'assembly', 'wrong_kind', 'wrong_kind', 'wrong_kind', 'wrong_kind'],
  ['source', 'code', 'wrong_kind', 'wrong_kind', 'wrong_kind', 'wrong_kind'],
  ['glb', 'model', 'forbidden', 'forbidden', 'stored', 'stored'],
  ['glb', 'assembly', 'forbidden', 'forbidden', 'stored', 'stored'],
  ['glb', 'code', 'wrong_kind', 'wrong_kind', 'wrong_kind', 'wrong_kind'],
  ['stp', 'model', 'forbidden', 'forbidden', 'stored', 'stored'],
  ['ofb', 'assembly', 'forbidden', 'forbidden', 'stored', 'stored'],
  ['properties', 'model', 'forbidden', 'forbidden', 'stored', 'stored'],
  ['thumbnail', 'model', 'stored', 'stored', 'stored', 'stored'],
  ['code', 'code', 'forbidden', 'forbidden', 'forbidden', 'forbidden'],
  ['manifest', 'model', 'wrong_kind', 'wrong_kind', 'wrong_kind', 'wrong_kind'],
  ['thumbnail', 'code', 'stored', 'stored', 'stored', 'stored'],
  ['attachment.drawing-a3', 'code', 'stored', 'not_a_draft', 'forbidden', 'forbidden'],
  ['attachment.x', 'model', 'stored', 'not_a_draft', 'forbidden', 'forbidden'],
] as const)('%s in a %s document', (kind, of, userDraft, userVersion, workerDraft, workerVersion) => {
  expect(answer(kind, 'user', of, draft)).toBe(userDraft);
  expect(answer(kind, 'user', of, version)).toBe(userVersion);
  expect(answer(kind, 'worker', of, draft)).toBe(workerDraft);
  expect(answer(kind, 'worker', of, version)).toBe(workerVersion);
});

test.each([
  '',
  'Source',
  'attachment',
  'attachment.',
  'attachment.A',
  `attachment.${'a'.repeat(41)}`,
  'attachment.a\n',
  'my.attachment.a',
  '__proto__',
  'toString',
])('there is no kind %j, and the refusal lists those that exist', (kind) => {
  expect(() => artifactKind(kind)).toThrow(
    expect.objectContaining({ code: 'unknown_artifact_kind', details: { allowed: ARTIFACT_KINDS } }),
  );
  expect(isContentKind(kind)).toBe(false);
});

test('what people make is content, what engines derive is not', () => {
  expect(['source', 'attachment.x', 'thumbnail', 'glb', 'stp', 'ofb', 'properties'].filter(isContentKind)).toEqual([
    'source',
    'attachment.x',
  ]);
});

test('what people and engines make may be removed, what a synchronisation fetched may not', () => {
  for (const kind of ['source', 'asm-json', 'attachment.x', 'thumbnail', 'glb', 'stp', 'ofb', 'properties'])
    expect(assertRemovable(kind)).toBe(artifactKind(kind));
  for (const kind of ['code', 'manifest'])
    expect(() => assertRemovable(kind)).toThrow(expect.objectContaining({ code: 'forbidden' }));
});

test('files are bounded where all of them is read at once', () => {
  expect([artifactKind('asm-json').maxBytes, artifactKind('source').maxBytes]).toEqual([32 * 1024 * 1024, null]);
});
