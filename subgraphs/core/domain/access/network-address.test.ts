import { expect, test } from 'vitest';
import { isPublicAddress } from './network-address.ts';

test.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
  'classifies %s as public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '64:ff9b::1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'example.com',
  '',
])('classifies %j as not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('accepts private addresses in an allowed network only', () => {
  expect(isPublicAddress('10.1.2.3', ['10.1.0.0/16'])).toBe(true);
  expect(isPublicAddress('::1', ['::1'])).toBe(true);
  expect(['10.1.2.3', '10.1.2.2'].map((address) => isPublicAddress(address, ['10.1.2.3']))).toEqual([true, false]);
  expect(isPublicAddress('10.2.2.3', ['10.1.0.0/16', 'fd00::/8'])).toBe(false);
});
