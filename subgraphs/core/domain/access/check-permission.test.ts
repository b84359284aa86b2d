import { expect, test } from 'vitest';
import { refuse } from '../errors.ts';
import { checkPermission } from './check-permission.ts';

test('a rule that refuses is answered with its code and words, one that does not with yes', async () => {
  const refused = { allowed: false, code: 'document_archived', message: 'It is archived.' };
  expect(await checkPermission(() => refuse('document_archived', 'It is archived.'))).toEqual(refused);
  expect(await checkPermission(async () => refuse('document_archived', 'It is archived.'))).toEqual(refused);
  expect(await checkPermission(() => 'whatever the rule answers')).toEqual({
    allowed: true,
    code: null,
    message: null,
  });
});

test('a fault in a rule is not an answer', async () => {
  await expect(
    checkPermission(() => {
      throw new TypeError('a fault');
    }),
  ).rejects.toThrow(TypeError);
});
