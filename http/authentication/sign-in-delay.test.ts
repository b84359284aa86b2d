import { expect, test } from 'vitest';
import { createSignInDelay } from './sign-in-delay.ts';

function createDelay() {
  let now = 0;
  const delayOf = createSignInDelay(() => now);
  return {
    delayOf,
    fail: (address: string, times: number) => Array.from({ length: times }, () => delayOf(address)).at(-1),
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test('delays the response after ten wrong credentials of an address within a minute', () => {
  const { fail, wait } = createDelay();
  expect(fail('192.0.2.1', 10)).toBe(0);
  wait(59_000);
  expect([fail('192.0.2.1', 1), fail('192.0.2.2', 1)]).toEqual([1_000, 0]);
  wait(1_000);
  expect(fail('192.0.2.1', 10)).toBe(0);
});

test('counts an IPv6 network as one address, in any notation', () => {
  for (const [one, other] of [
    ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6'],
    ['2001:db8::1', '2001:db8::2:0:0:1'],
    ['::1', '::2'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
  ] as const) {
    const { fail, delayOf } = createDelay();
    fail(one, 10);
    expect([other, delayOf(other)]).toEqual([other, 1_000]);
  }
  const { fail, delayOf } = createDelay();
  fail('2001:db8:1:2::1', 10);
  fail('::ffff:192.0.2.1', 10);
  expect([delayOf('2001:db8:1:3::1'), delayOf('::ffff:192.0.2.2')]).toEqual([0, 0]);
});

test('limits the number of remembered addresses', () => {
  const { fail, delayOf } = createDelay();
  fail('first', 10);
  for (let i = 0; i < 10_000; i++) fail(`192.0.${i >> 8}.${i & 255}`, 1);
  expect(delayOf('first')).toBe(0);
});
