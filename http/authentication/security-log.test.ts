import { expect, test } from 'vitest';
import { readableLog } from '../../gateway/testing/sample-gateway.ts';
import { securityLog } from './security-log.ts';

test('sixty lines a minute are written, the others are counted', () => {
  const { log, lines } = readableLog();
  let now = 0;
  const note = securityLog(log, () => now);
  for (let i = 0; i < 100; i++) note({ ip: '192.0.2.1' }, 'a sign-in was refused');
  expect(lines).toHaveLength(60);
  now = 60_000;
  note({ ip: '192.0.2.1' }, 'a sign-in was refused');
  expect(lines.slice(60).map((line) => JSON.parse(line))).toMatchObject([
    { security: true, suppressed: 40 },
    { security: true, ip: '192.0.2.1', msg: 'a sign-in was refused' },
  ]);
});
