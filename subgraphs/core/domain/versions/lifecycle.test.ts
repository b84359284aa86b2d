import { expect, test } from 'vitest';
import { may, permit, ROLES } from '../access/permissions.ts';
import { isDraft, writableDocument, writableWorkspace } from './lifecycle.ts';

test('archived documents and workspaces refuse writes', () => {
  expect(() => writableDocument({ _id: 'd', number: 'PRT-1', archived: true })).toThrow(
    expect.objectContaining({ code: 'document_archived' }),
  );
  expect(() => writableWorkspace({ _id: 'w', name: 'main', archived: true })).toThrow(
    expect.objectContaining({ code: 'workspace_archived' }),
  );
});

test('content goes into drafts only', () => {
  expect(() => isDraft({ _id: 'v', type: 'version', name: 'V1' })).toThrow(
    expect.objectContaining({ code: 'not_a_draft' }),
  );
  expect(() => isDraft({ _id: 'v', type: 'draft', name: 'Draft' })).not.toThrow();
});

test('the role table', () => {
  const table = Object.fromEntries(
    ROLES.map((role) => [
      role,
      (['read', 'edit', 'administer', 'work'] as const).filter((ability) => may(role, ability)),
    ]),
  );
  expect(table).toEqual({
    viewer: ['read'],
    editor: ['read', 'edit'],
    admin: ['read', 'edit', 'administer', 'work'],
    worker: ['work'],
  });
  expect(() => permit({ role: 'viewer' }, 'edit')).toThrow(expect.objectContaining({ code: 'forbidden' }));
  expect(() => permit({ role: 'editor' }, 'administer')).toThrow(expect.objectContaining({ code: 'admin_only' }));
});
