import { expect, test } from 'vitest';
import {
  ARTIFACT_KINDS,
  artifactKind,
  assertCanStore,
  assertContentType,
  assertRemovable,
  isContentKind,
  type Writer,
} from './artifact-kind.ts';
import { DomainError } from './errors.ts';

const document = (kind: 'model' | 'assembly' | 'code') => ({ number: 'PRT-000001', kind });
const draft = { _id: 'ver_d', type: 'draft', name: 'Draft' } as const;
const version = { _id: 'ver_v', type: 'version', name: 'V1' } as const;
const outcome = (
  kind: string,
  writer: Writer,
  documentKind: 'model' | 'assembly' | 'code',
  target: typeof draft | typeof version,
) => {
  try {
    assertCanStore(kind, writer, document(documentKind), target);
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
] as const)(
  'checks who can store %s in a %s document',
  (kind, documentKind, userDraft, userVersion, workerDraft, workerVersion) => {
    expect(outcome(kind, 'user', documentKind, draft)).toBe(userDraft);
    expect(outcome(kind, 'user', documentKind, version)).toBe(userVersion);
    expect(outcome(kind, 'worker', documentKind, draft)).toBe(workerDraft);
    expect(outcome(kind, 'worker', documentKind, version)).toBe(workerVersion);
  },
);

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
])('rejects the kind %j and lists the existing ones', (kind) => {
  expect(() => artifactKind(kind)).toThrow(
    expect.objectContaining({ code: 'unknown_artifact_kind', details: { allowed: ARTIFACT_KINDS } }),
  );
  expect(isContentKind(kind)).toBe(false);
});

test('classifies original files as content and derived files as not', () => {
  expect(['source', 'attachment.x', 'thumbnail', 'glb', 'stp', 'ofb', 'properties'].filter(isContentKind)).toEqual([
    'source',
    'attachment.x',
  ]);
});

test('allows removing files of users and engines but not those of a code synchronization', () => {
  for (const kind of ['source', 'asm-json', 'attachment.x', 'thumbnail', 'glb', 'stp', 'ofb', 'properties'])
    expect(assertRemovable(kind)).toBe(artifactKind(kind));
  for (const kind of ['code', 'manifest'])
    expect(() => assertRemovable(kind)).toThrow(expect.objectContaining({ code: 'forbidden' }));
});

test('limits the size of files that are read into memory', () => {
  expect([artifactKind('asm-json').maxBytes, artifactKind('source').maxBytes]).toEqual([32 * 1024 * 1024, null]);
});

test('rejects JSON as the content of a kind that is never JSON, as sent by clients that encode every body', () => {
  const rejected = expect.objectContaining({ code: 'unsupported_media_type' });
  for (const kind of ['source', 'stp', 'ofb', 'glb', 'thumbnail'])
    for (const type of ['application/json', 'Application/JSON; charset=utf-8'])
      expect(() => assertContentType(kind, type)).toThrow(rejected);
  for (const kind of ['asm-json', 'properties', 'attachment.notes']) assertContentType(kind, 'application/json');
  for (const type of ['model/step', 'application/octet-stream', 'application/x-www-form-urlencoded'])
    assertContentType('source', type);
});
