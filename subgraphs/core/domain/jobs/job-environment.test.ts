import fc from 'fast-check';
import { expect, test } from 'vitest';
import { environmentKey, environmentsServed, environmentWords, requiredEnvironment } from './job-environment.ts';

test('an environment is an object of words or a list of words', () => {
  expect(environmentWords({ engine: 'occt', cores: 4 })).toEqual(['cores:4', 'engine:occt']);
  expect(environmentWords(['gpu', 'engine:occt', 'gpu'])).toEqual(['engine:occt', 'gpu']);
  expect(environmentWords(null)).toEqual([]);
});

test.each([
  ['occt'],
  [7],
  [['two words']],
  [['']],
  [{ a: null }],
  [{ a: { $ne: 1 } }],
  [Array.from({ length: 17 }, (_, n) => `w${n}`)],
])('anything else is refused: %j', (environment) => {
  expect(() => environmentWords(environment)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

test('a worker is found for a job exactly when it offers every word that the job requires', () => {
  const word = fc.constantFrom('a', 'b:1', 'c', 'd', 'e:2', 'f');
  fc.assert(
    fc.property(fc.uniqueArray(word), fc.uniqueArray(word, { maxLength: 2 }), (offered, required) => {
      const served = environmentsServed(environmentWords(offered));
      expect(served.includes(environmentKey(requiredEnvironment(required)))).toBe(
        required.every((need) => offered.includes(need)),
      );
      expect(new Set(served).size).toBe(served.length);
    }),
  );
});

test('a job that requires more words than can be looked up is a bug', () => {
  expect(() => requiredEnvironment(['a', 'b', 'c'])).toThrow('at most 2 words');
});
