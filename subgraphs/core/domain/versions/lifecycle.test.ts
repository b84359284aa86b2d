import { expect, test } from 'vitest';
import { assertDraft, assertWritableDocument, assertWritableWorkspace } from './lifecycle.ts';

test('rejects writes to archived documents and workspaces', () => {
  expect(() => assertWritableDocument({ _id: 'd', number: 'PRT-1', archived: true })).toThrow(
    expect.objectContaining({ code: 'document_archived' }),
  );
  expect(() => assertWritableWorkspace({ _id: 'w', name: 'main', archived: true })).toThrow(
    expect.objectContaining({ code: 'workspace_archived' }),
  );
});

test('accepts drafts only', () => {
  expect(() => assertDraft({ _id: 'v', type: 'version', name: 'V1' })).toThrow(
    expect.objectContaining({ code: 'not_a_draft' }),
  );
  expect(() => assertDraft({ _id: 'v', type: 'draft', name: 'Draft' })).not.toThrow();
});
