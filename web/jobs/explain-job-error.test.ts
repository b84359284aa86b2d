import { expect, test } from 'vitest';
import { FAILURES } from '../../scheduler/engines/occt/job-failure.ts';
import { explainJobError } from './explain-job-error.ts';

test('explains every error code of the built-in engine', () => {
  const unknown = explainJobError('some_other_engine');
  for (const code of [...Object.keys(FAILURES), 'worker_disappeared'])
    expect(explainJobError(code), code).not.toBe(unknown);
  expect(explainJobError('constructor')).toBe(unknown);
  // lists, tooltips and the 3D view show explanations without the message
  for (const code of [...Object.keys(FAILURES), 'generator_output', 'write', 'other'])
    expect(explainJobError(code)).not.toContain('below');
});
