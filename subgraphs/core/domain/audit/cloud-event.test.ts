import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkedPlace,
  checkedTypes,
  eventAttributes,
  eventText,
  isForAdministrators,
  isOfTypes,
  type Recorded,
} from './cloud-event.ts';

const record: Recorded = {
  ...{
    _id: 'aud_1',
    chain: 'doc_1',
    chainSeq: 3,
    at: new Date('2026-01-02T03:04:05.006Z'),
    action: 'version.released',
  },
  ...{ documentId: 'doc_1', versionId: 'ver_1', revisionId: 'rev_1', workspaceId: null, folderId: null, jobId: null },
  ...{ summary: 'Version 1 was released.', changes: {}, requestId: 'r', prevHash: '0', hash: '1' },
  by: { id: 'usr_1', role: 'editor', via: 'token', tokenId: 'tok_1' },
  ip: '192.0.2.7',
};

test('an event names its log, its record and what it is about; as texts the places have the order of the log', () => {
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

test('address and token are told to administrators alone', () => {
  const told = (administrator: boolean) => eventText(record, { seq: 1, log: 'f00' }, { name: 'Ada', administrator });
  expect(JSON.parse(told(true)).data).toMatchObject({
    ip: '192.0.2.7',
    by: { name: 'Ada', tokenId: 'tok_1' },
    at: '2026-01-02T03:04:05.006Z',
  });
  expect(told(false)).not.toMatch(/192\.0\.2\.7|tok_1/);
  expect([
    isForAdministrators({ chain: 'access' }),
    isForAdministrators({ chain: 'system' }),
    isForAdministrators(record),
  ]).toEqual([true, true, false]);
});

test('types are single ones or all of a thing; none are all', () => {
  const matching = (...types: string[]) => isOfTypes(types, record);
  expect([matching(), matching('version.released'), matching('x.y', 'version.*')]).toEqual([true, true, true]);
  expect([matching('version.created'), matching('revision.*'), matching('version')]).toEqual([false, false, false]);
  expect(checkedTypes([' version.released ', 'version.released', ''])).toEqual(['version.released']);
  for (const wrong of ['*', 'version', 'version.', '.x', 'Version.x', 'a.b.c', 'version.*x'])
    expect(() => checkedTypes([wrong])).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  const many = Array.from({ length: 51 }, (_, i) => `${'x'.repeat(1 + (i % 26))}.${i < 26 ? 'a' : 'b'}`);
  expect(checkedTypes(many.slice(1))).toHaveLength(50);
  expect(() => checkedTypes(many)).toThrow('has 51 types');
});

test('a place is one of the log', () => {
  expect([checkedPlace(0, 0), checkedPlace(7, 7)]).toEqual([0, 7]);
  for (const wrong of [-1, 0.5, Number.NaN, 2 ** 60])
    expect(() => checkedPlace(wrong, 9)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  expect(() => checkedPlace(8, 7)).toThrow(expect.objectContaining({ code: 'bad_cursor', details: { newest: 7 } }));
});
