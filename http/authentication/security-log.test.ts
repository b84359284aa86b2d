import { expect, test } from 'vitest';
import { createRecordingLog } from '../../gateway/testing/sample-gateway.ts';
import { createSecurityLog } from './security-log.ts';

test('writes sixty lines a minute and counts the suppressed ones', () => {
  const { log, lines } = createRecordingLog();
  let now = 0;
  const note = createSecurityLog(log, () => now);
  for (let i = 0; i < 100; i++) note({ ip: '192.0.2.1' }, 'sign-in refused');
  expect(lines).toHaveLength(60);
  now = 60_000;
  note({ ip: '192.0.2.1' }, 'sign-in refused');
  expect(lines.slice(60).map((line) => JSON.parse(line))).toMatchObject([
    { security: true, suppressed: 40 },
    { security: true, ip: '192.0.2.1', msg: 'sign-in refused' },
  ]);
});
