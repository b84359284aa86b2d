import { expect, test } from 'vitest';
import { createSignInLimit } from './sign-in-limit.ts';

function limit() {
  let now = 0;
  const counted = createSignInLimit(() => now);
  return {
    ...counted,
    fail: (address: string, times: number) => {
      for (let i = 0; i < times; i++) counted.recordFailure(address);
    },
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test('throttles an address after ten wrong credentials until the minute is over', () => {
  const { fail, wait, secondsLeft } = limit();
  fail('192.0.2.1', 9);
  wait(20_000);
  expect(secondsLeft('192.0.2.1')).toBe(0);
  fail('192.0.2.1', 1);
  expect([secondsLeft('192.0.2.1'), secondsLeft('192.0.2.2')]).toEqual([40, 0]);
  wait(39_500);
  expect(secondsLeft('192.0.2.1')).toBe(1);
  wait(500);
  expect(secondsLeft('192.0.2.1')).toBe(0);
  fail('192.0.2.1', 9);
  expect(secondsLeft('192.0.2.1')).toBe(0);
});

test('counts an IPv6 network as one address, in any notation', () => {
  for (const [one, other] of [
    ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6'],
    ['2001:db8::1', '2001:db8::2:0:0:1'],
    ['::1', '::2'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
  ] as const) {
    const { fail, secondsLeft } = limit();
    fail(one, 10);
    expect([other, secondsLeft(other)]).toEqual([other, 60]);
  }
  const { fail, secondsLeft } = limit();
  fail('2001:db8:1:2::1', 10);
  fail('::ffff:192.0.2.1', 10);
  expect([secondsLeft('2001:db8:1:3::1'), secondsLeft('::ffff:192.0.2.2')]).toEqual([0, 0]);
});

test('limits the number of remembered addresses', () => {
  const { fail, secondsLeft } = limit();
  fail('first', 10);
  for (let i = 0; i < 10_000; i++) fail(`192.0.${i >> 8}.${i & 255}`, 1);
  expect(secondsLeft('first')).toBe(0);
});
