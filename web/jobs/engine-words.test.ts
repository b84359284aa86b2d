import { expect, test } from 'vitest';
import { REFUSALS } from '../../scheduler/engines/occt/refusal.ts';
import { engineWords } from './engine-words.ts';

test('every code of the built-in engine is put into words', () => {
  const unknown = engineWords('some_other_engine');
  for (const code of [...Object.keys(REFUSALS), 'worker_disappeared'])
    expect(engineWords(code), code).not.toBe(unknown);
  expect(engineWords('constructor')).toBe(unknown);
});
