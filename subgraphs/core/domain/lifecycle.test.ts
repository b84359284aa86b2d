import { expect, test } from 'vitest';
import { freeFor, isDraft, writableDocument, writableWorkspace } from './lifecycle.ts';
import { may, permit, ROLES } from './permissions.ts';

const now = new Date('2026-01-01T12:00:00Z');
const workspace = (userId: string | null, minutes = 5) => ({
  _id: 'wsp_1',
  name: 'main',
  archived: false,
  reservation: userId ? { userId, expiresAt: new Date(now.getTime() + minutes * 60_000) } : null,
});

test('a workspace is free for its holder, for everybody without a reservation, and after it expired', () => {
  expect(() => freeFor(workspace(null), 'usr_a', now)).not.toThrow();
  expect(() => freeFor(workspace('usr_a'), 'usr_a', now)).not.toThrow();
  expect(() => freeFor(workspace('usr_b', 0), 'usr_a', now)).not.toThrow();
  expect(() => freeFor(workspace('usr_b', 1), 'usr_a', now)).toThrow(expect.objectContaining({ code: 'workspace_reserved' }));
});

test('archived documents and workspaces refuse writes', () => {
  expect(() => writableDocument({ _id: 'd', number: 'PRT-1', archived: true })).toThrow(expect.objectContaining({ code: 'document_archived' }));
  expect(() => writableWorkspace({ ...workspace(null), archived: true })).toThrow(expect.objectContaining({ code: 'workspace_archived' }));
});

test('content goes into drafts only', () => {
  expect(() => isDraft({ _id: 'v', type: 'version', name: 'V1' })).toThrow(expect.objectContaining({ code: 'not_a_draft' }));
  expect(() => isDraft({ _id: 'v', type: 'draft', name: 'Draft' })).not.toThrow();
});

test('the role table', () => {
  const table = Object.fromEntries(
    ROLES.map((role) => [role, (['read', 'edit', 'administer', 'work'] as const).filter((ability) => may(role, ability))]),
  );
  expect(table).toEqual({ viewer: ['read'], editor: ['read', 'edit'], admin: ['read', 'edit', 'administer', 'work'], worker: ['work'] });
  expect(() => permit({ role: 'viewer' }, 'edit')).toThrow(expect.objectContaining({ code: 'forbidden' }));
  expect(() => permit({ role: 'editor' }, 'administer')).toThrow(expect.objectContaining({ code: 'admin_only' }));
});
