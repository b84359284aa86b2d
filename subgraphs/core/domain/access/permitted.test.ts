import { expect, test } from 'vitest';
import { refuse } from '../errors.ts';
import { permitted } from './permitted.ts';

test('a rule that refuses is answered with its code and words, one that does not with yes', async () => {
  const refused = { allowed: false, code: 'document_archived', message: 'It is archived.' };
  expect(await permitted(() => refuse('document_archived', 'It is archived.'))).toEqual(refused);
  expect(await permitted(async () => refuse('document_archived', 'It is archived.'))).toEqual(refused);
  expect(await permitted(() => 'whatever the rule answers')).toEqual({ allowed: true, code: null, message: null });
});

test('a fault in a rule is not an answer', async () => {
  await expect(
    permitted(() => {
      throw new TypeError('a fault');
    }),
  ).rejects.toThrow(TypeError);
});
