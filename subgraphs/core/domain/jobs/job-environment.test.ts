import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  environmentKey,
  parseEnvironment,
  parseRequiredEnvironment,
  servedEnvironmentKeys,
} from './job-environment.ts';

test('parses an object or a list into sorted unique tags', () => {
  expect(parseEnvironment({ engine: 'occt', cores: 4 })).toEqual(['cores:4', 'engine:occt']);
  expect(parseEnvironment(['gpu', 'engine:occt', 'gpu'])).toEqual(['engine:occt', 'gpu']);
  expect(parseEnvironment(null)).toEqual([]);
});

test.each([
  ['occt'],
  [7],
  [['two words']],
  [['']],
  [{ a: null }],
  [{ a: { $ne: 1 } }],
  [Array.from({ length: 17 }, (_, n) => `w${n}`)],
])('rejects %j', (environment) => {
  expect(() => parseEnvironment(environment)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

test('serves exactly the jobs whose required tags the worker offers', () => {
  const tag = fc.constantFrom('a', 'b:1', 'c', 'd', 'e:2', 'f');
  fc.assert(
    fc.property(fc.uniqueArray(tag), fc.uniqueArray(tag, { maxLength: 2 }), (offered, required) => {
      const served = servedEnvironmentKeys(parseEnvironment(offered));
      expect(served.includes(environmentKey(parseRequiredEnvironment(required)))).toBe(
        required.every((tag) => offered.includes(tag)),
      );
      expect(new Set(served).size).toBe(served.length);
    }),
  );
});

test('throws an error for a job that requires more than two tags', () => {
  expect(() => parseRequiredEnvironment(['a', 'b', 'c'])).toThrow('at most 2 environment entries');
});
