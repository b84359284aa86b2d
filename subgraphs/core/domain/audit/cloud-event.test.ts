import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type EventRecord,
  eventAttributes,
  formatEvent,
  isAdminOnly,
  matchesTypes,
  validateEventPosition,
  validateEventTypes,
} from './cloud-event.ts';

const record: EventRecord = {
  _id: 'aud_1',
  chain: 'doc_1',
  chainSeq: 3,
  at: new Date('2026-01-02T03:04:05.006Z'),
  action: 'version.released',
  documentId: 'doc_1',
  versionId: 'ver_1',
  revisionId: 'rev_1',
  workspaceId: null,
  folderId: null,
  jobId: null,
  summary: 'Version 1 was released.',
  changes: {},
  requestId: 'r',
  prevHash: '0',
  hash: '1',
  by: { id: 'usr_1', role: 'editor', via: 'token', tokenId: 'tok_1' },
  ip: '192.0.2.7',
};

test('sets the attributes of an event, with a sequence that sorts as text', () => {
  expect(eventAttributes(record, 12, 'f00')).toMatchObject({
    id: 'aud_1',
    source: 'urn:uuid:f00',
    type: 'version.released',
    subject: 'doc_1',
  });
  const sequence = (seq: number) => eventAttributes(record, seq, 'f00').sequence;
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(Number.MAX_SAFE_INTEGER), (a, b) => {
      expect(sequence(a) < sequence(b)).toBe(a < b);
    }),
  );
});

test('includes the IP address and token id for administrators only', () => {
  const format = (administrator: boolean) =>
    formatEvent(record, { seq: 1, log: 'f00' }, { name: 'Ada', administrator });
  expect(JSON.parse(format(true)).data).toMatchObject({
    ip: '192.0.2.7',
    by: { name: 'Ada', tokenId: 'tok_1' },
    at: '2026-01-02T03:04:05.006Z',
  });
  expect(format(false)).not.toMatch(/192\.0\.2\.7|tok_1/);
  const action = 'token.created';
  expect([
    isAdminOnly({ chain: 'access', action }),
    isAdminOnly({ chain: 'system', action }),
    isAdminOnly({ chain: 'doc_1', action: 'store.baseline' }),
    isAdminOnly(record),
  ]).toEqual([true, true, true, false]);
});

test('matches single types, wildcards and the empty list', () => {
  const matching = (...types: string[]) => matchesTypes(types, record);
  expect([matching(), matching('version.released'), matching('x.y', 'version.*')]).toEqual([true, true, true]);
  expect([matching('version.created'), matching('revision.*'), matching('version')]).toEqual([false, false, false]);
  expect(validateEventTypes([' version.released ', 'version.released', ''])).toEqual(['version.released']);
  for (const malformed of ['*', 'version', 'version.', '.x', 'Version.x', 'a.b.c', 'version.*x'])
    expect(() => validateEventTypes([malformed])).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  const many = Array.from({ length: 51 }, (_, i) => `${'x'.repeat(1 + (i % 26))}.${i < 26 ? 'a' : 'b'}`);
  expect(validateEventTypes(many.slice(1))).toHaveLength(50);
  expect(() => validateEventTypes(many)).toThrow('must have at most 50 types, not 51');
});

test('accepts positions of the log only', () => {
  expect([validateEventPosition(0, 0), validateEventPosition(7, 7)]).toEqual([0, 7]);
  for (const invalid of [-1, 0.5, Number.NaN, 2 ** 60])
    expect(() => validateEventPosition(invalid, 9)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  expect(() => validateEventPosition(8, 7)).toThrow(
    expect.objectContaining({ code: 'bad_cursor', details: { newest: 7 } }),
  );
});
