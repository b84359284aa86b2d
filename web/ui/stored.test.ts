import { beforeEach, expect, test, vi } from 'vitest';
import { stubStorage } from '../../test/support/stub-storage.ts';
import { readStored, writeStored } from './stored.ts';

let texts: Map<string, string>;
beforeEach(() => {
  texts = stubStorage('localStorage');
});

test('stores values as JSON until they are removed', () => {
  writeStored('a', { n: 1 });
  expect([readStored('a'), texts.get('a'), readStored('b')]).toEqual([{ n: 1 }, '{"n":1}', undefined]);
  writeStored('a', undefined);
  expect([readStored('a'), texts.size]).toEqual([undefined, 0]);
});

test('ignores texts that are not JSON', () => {
  texts.set('a', 'material mass');
  expect(readStored('a')).toBeUndefined();
});

test('neither reads nor throws if storage is disabled', () => {
  const disabled = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: disabled, setItem: disabled, removeItem: disabled });
  writeStored('a', 1);
  writeStored('a', undefined);
  expect(readStored('a')).toBeUndefined();
});
