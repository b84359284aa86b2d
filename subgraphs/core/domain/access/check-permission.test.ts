import { expect, test } from 'vitest';
import { refuse } from '../errors.ts';
import { checkPermission } from './check-permission.ts';

test('returns the code and message of a rule that throws, and allowed otherwise', async () => {
  const denied = { allowed: false, code: 'document_archived', message: 'It is archived.' };
  expect(await checkPermission(() => refuse('document_archived', 'It is archived.'))).toEqual(denied);
  expect(await checkPermission(async () => refuse('document_archived', 'It is archived.'))).toEqual(denied);
  expect(await checkPermission(() => 'any result')).toEqual({
    allowed: true,
    code: null,
    message: null,
  });
});

test('rethrows other errors', async () => {
  await expect(
    checkPermission(() => {
      throw new TypeError('a bug');
    }),
  ).rejects.toThrow(TypeError);
});
