import { describe, expect, test } from 'vitest';
import { holderError, holderOf, isRepeatedEnd } from './job-fence.ts';

const held = {
  status: 'running',
  attempt: 2,
  tokenId: 'tok_a',
  earlierTokenIds: ['tok_b'],
  lostTokenIds: [] as string[],
  workerId: 'w1',
  endedAttempt: null,
};
const code = (job: Parameters<typeof holderError>[0], by: Parameters<typeof holderError>[1]) =>
  holderError(job, by)?.code ?? null;

describe('holderError', () => {
  test.each([
    ['the holder with its attempt', { tokenId: 'tok_a', attempt: 2 }, null],
    ['the holder with its name', { tokenId: 'tok_a', workerId: 'w1' }, null],
    ['the holder without attempt and name', { tokenId: 'tok_a' }, null],
    ['an earlier attempt of the same token', { tokenId: 'tok_a', attempt: 1 }, 'lease_lost'],
    ['an attempt that does not exist yet', { tokenId: 'tok_a', attempt: 3 }, 'lease_lost'],
    ['another worker with the same token', { tokenId: 'tok_a', workerId: 'w2' }, 'not_your_job'],
    ['a token that held it before', { tokenId: 'tok_b', attempt: 1 }, 'lease_lost'],
    ['a token that held it before and guesses the attempt', { tokenId: 'tok_b', attempt: 2 }, 'lease_lost'],
    ['another token', { tokenId: 'tok_c', attempt: 2, workerId: 'w1' }, 'not_your_job'],
  ])('checks %s', (_title, by, expected) => {
    expect(code(held, by)).toBe(expected);
  });

  test('requires an attempt or worker id from a token that lost the job before', () => {
    const reclaimed = { ...held, lostTokenIds: ['tok_a'] };
    expect(code(reclaimed, { tokenId: 'tok_a' })).toBe('lease_lost');
    expect(code(reclaimed, { tokenId: 'tok_a', workerId: 'w1' })).toBeNull();
    expect(code(reclaimed, { tokenId: 'tok_a', attempt: 2 })).toBeNull();
  });

  test('rejects every worker for a job that is not running', () => {
    expect(code({ ...held, status: 'done' }, { tokenId: 'tok_a', attempt: 2 })).toBe('lease_lost');
    expect(code({ ...held, status: 'waiting', tokenId: null }, { tokenId: 'tok_c' })).toBe('not_your_job');
  });

  test('identifies a session by its user', () => {
    expect(holderOf({ id: 'usr_1', tokenId: null })).toMatchObject({ tokenId: 'usr_1' });
  });
});

describe('isRepeatedEnd', () => {
  const done = { ...held, status: 'done', endedAttempt: 2, endedTokenId: 'tok_a' };

  test('recognizes the token with the attempt, or the token of the last attempt', () => {
    expect(isRepeatedEnd(done, { tokenId: 'tok_a', attempt: 2 }, 'complete')).toBe(true);
    expect(isRepeatedEnd(done, { tokenId: 'tok_a' }, 'complete')).toBe(true);
  });

  test('rejects another attempt, token or action', () => {
    expect(isRepeatedEnd(done, { tokenId: 'tok_a', attempt: 1 }, 'complete')).toBe(false);
    expect(isRepeatedEnd(done, { tokenId: 'tok_c', attempt: 2 }, 'complete')).toBe(false);
    expect(isRepeatedEnd(done, { tokenId: 'tok_a', attempt: 2 }, 'fail')).toBe(false);
    expect(isRepeatedEnd(held, { tokenId: 'tok_a', attempt: 2 }, 'complete')).toBe(false);
  });

  test('recognizes a failed attempt after the job was claimed again', () => {
    const reclaimed = {
      ...held,
      attempt: 3,
      tokenId: 'tok_c',
      earlierTokenIds: ['tok_b', 'tok_a'],
      endedAttempt: 2,
      endedTokenId: 'tok_a',
    };
    expect(isRepeatedEnd(reclaimed, { tokenId: 'tok_a', attempt: 2 }, 'fail')).toBe(true);
    expect(isRepeatedEnd(reclaimed, { tokenId: 'tok_a' }, 'fail')).toBe(false);
    for (const tokenId of ['tok_b', 'tok_c'])
      expect(isRepeatedEnd(reclaimed, { tokenId, attempt: 2 }, 'fail')).toBe(false);
    expect(code(reclaimed, { tokenId: 'tok_c', attempt: 2 })).toBe('lease_lost');
  });
});
