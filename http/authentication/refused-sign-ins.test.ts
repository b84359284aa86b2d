import { expect, test } from 'vitest';
import { createRefusedSignIns } from './refused-sign-ins.ts';

test('counts repeated refusals of an address and token, lists the latest first, and keeps 200', () => {
  let now = 0;
  const refused = createRefusedSignIns(() => new Date(now++));
  refused.add({ ip: '10.0.0.1', token: null, reason: 'invalid' });
  refused.add({ ip: '10.0.0.2', token: 'abcdefgh', reason: 'inactive' });
  refused.add({ ip: '10.0.0.1', token: null, reason: 'invalid' });
  expect(refused.list()).toEqual([
    { ip: '10.0.0.1', token: null, reason: 'invalid', count: 2, firstAt: new Date(0), lastAt: new Date(2) },
    { ip: '10.0.0.2', token: 'abcdefgh', reason: 'inactive', count: 1, firstAt: new Date(1), lastAt: new Date(1) },
  ]);
  for (let n = 0; n < 300; n++) refused.add({ ip: `10.1.0.${n}`, token: null, reason: 'invalid' });
  expect(refused.list()).toHaveLength(200);
});
