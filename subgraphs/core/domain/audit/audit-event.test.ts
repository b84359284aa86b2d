import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditHash, CHAIN_START, chainOf, compactChanges } from './audit-event.ts';

const records = fc.record({
  action: fc.string(),
  at: fc.date({ noInvalidDate: true }),
  changes: fc.dictionary(fc.string(), fc.jsonValue()),
});

test('hashes independently of the field order and of seq, prevHash and hash', () => {
  fc.assert(
    fc.property(records, fc.integer(), (record, seq) => {
      const reversed = Object.fromEntries(Object.entries(record).reverse());
      expect(auditHash(CHAIN_START, { ...reversed, seq, prevHash: 'x', hash: 'y' })).toBe(
        auditHash(CHAIN_START, record),
      );
    }),
  );
});

test('depends on every field and on the previous hash', () => {
  const record = {
    action: 'document.created',
    at: new Date(0),
    summary: 'x',
    changes: { name: { from: null, to: 'a' } },
  };
  const hash = auditHash(CHAIN_START, record);
  expect(auditHash(hash, record)).not.toBe(hash);
  expect(auditHash(CHAIN_START, { ...record, summary: 'y' })).not.toBe(hash);
  expect(auditHash(CHAIN_START, { ...record, changes: { name: { from: null, to: 'b' } } })).not.toBe(hash);
});

test('keeps the hash of records from before newer fields', () => {
  const by = { id: 'usr_1', role: 'editor', via: 'token', tokenId: 'tok_1' };
  const record = {
    _id: 'aud_1',
    chain: 'doc_1',
    chainSeq: 1,
    at: new Date(0),
    by,
    action: 'document.created',
    summary: 'Part',
    changes: {},
    ip: null,
  };
  expect(auditHash(CHAIN_START, record)).toBe('a3e75816bf945e593a01c2b9e7b9494a5de3588d798afc1ce0def386db7f80b3');
  expect(auditHash(CHAIN_START, { ...record, route: 'POST /graphql' })).not.toBe(auditHash(CHAIN_START, record));
});

test('chooses the chain of the document, folders, access or system', () => {
  const event = { action: 'webhook.updated', summary: '' } as const;
  expect(chainOf({ ...event, documentId: 'doc_1', folderId: 'fld_1' })).toBe('doc_1');
  expect(chainOf({ ...event, folderId: 'fld_1' })).toBe('folders');
  for (const action of ['token.created', 'session.started', 'user.updated'] as const)
    expect(chainOf({ ...event, action })).toBe('access');
  expect(chainOf(event)).toBe('system');
});

test('omits equal values and replaces large ones by length and hash', () => {
  const changes = compactChanges({ same: { from: [1], to: [1] }, large: { from: null, to: 'x'.repeat(5000) } });
  expect(changes).toEqual({
    large: { from: null, to: { length: 5002, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  });
});
