import { describe, expect, test } from 'vitest';
import { endedAlready, holderOf, holderRefusal } from './job-fence.ts';

const held = {
  status: 'running',
  attempt: 2,
  tokenId: 'tok_a',
  earlierTokenIds: ['tok_b'],
  lostTokenIds: [] as string[],
  workerId: 'w1',
  endedAttempt: null,
};
const code = (job: Parameters<typeof holderRefusal>[0], by: Parameters<typeof holderRefusal>[1]) =>
  holderRefusal(job, by)?.code ?? null;

describe('who holds a running job', () => {
  test.each([
    ['the holder with its attempt', { tokenId: 'tok_a', attempt: 2 }, null],
    ['the holder with its name', { tokenId: 'tok_a', workerId: 'w1' }, null],
    ['the holder, saying nothing', { tokenId: 'tok_a' }, null],
    ['an earlier attempt of the same token', { tokenId: 'tok_a', attempt: 1 }, 'lease_lost'],
    ['an attempt that was never handed out', { tokenId: 'tok_a', attempt: 3 }, 'lease_lost'],
    ['another worker with the same token', { tokenId: 'tok_a', workerId: 'w2' }, 'not_your_job'],
    ['a token that held it before', { tokenId: 'tok_b', attempt: 1 }, 'lease_lost'],
    ['a token that held it before and guesses the attempt', { tokenId: 'tok_b', attempt: 2 }, 'lease_lost'],
    ['a stranger', { tokenId: 'tok_c', attempt: 2, workerId: 'w1' }, 'not_your_job'],
  ])('%s', (_who, by, expected) => {
    expect(code(held, by)).toBe(expected);
  });

  test('a token that disappeared with the job must say which attempt or worker it is', () => {
    const again = { ...held, lostTokenIds: ['tok_a'] };
    expect(code(again, { tokenId: 'tok_a' })).toBe('lease_lost');
    expect(code(again, { tokenId: 'tok_a', workerId: 'w1' })).toBeNull();
    expect(code(again, { tokenId: 'tok_a', attempt: 2 })).toBeNull();
  });

  test('nobody holds a job that does not run', () => {
    expect(code({ ...held, status: 'done' }, { tokenId: 'tok_a', attempt: 2 })).toBe('lease_lost');
    expect(code({ ...held, status: 'waiting', tokenId: null }, { tokenId: 'tok_c' })).toBe('not_your_job');
  });

  test('a session holds jobs under its user', () => {
    expect(holderOf({ id: 'usr_1', tokenId: null })).toMatchObject({ tokenId: 'usr_1' });
  });
});

describe('a repeated end', () => {
  const done = { ...held, status: 'done', endedAttempt: 2, endedTokenId: 'tok_a' };

  test('is known by token and attempt, or by the token of the last attempt', () => {
    expect(endedAlready(done, { tokenId: 'tok_a', attempt: 2 }, 'complete')).toBe(true);
    expect(endedAlready(done, { tokenId: 'tok_a' }, 'complete')).toBe(true);
  });

  test('is none of another attempt, another token or another end', () => {
    expect(endedAlready(done, { tokenId: 'tok_a', attempt: 1 }, 'complete')).toBe(false);
    expect(endedAlready(done, { tokenId: 'tok_c', attempt: 2 }, 'complete')).toBe(false);
    expect(endedAlready(done, { tokenId: 'tok_a', attempt: 2 }, 'fail')).toBe(false);
    expect(endedAlready(held, { tokenId: 'tok_a', attempt: 2 }, 'complete')).toBe(false);
  });

  test('of an attempt that failed stays known when the job runs again', () => {
    const again = {
      ...held,
      attempt: 3,
      tokenId: 'tok_c',
      earlierTokenIds: ['tok_b', 'tok_a'],
      endedAttempt: 2,
      endedTokenId: 'tok_a',
    };
    expect(endedAlready(again, { tokenId: 'tok_a', attempt: 2 }, 'fail')).toBe(true);
    expect(endedAlready(again, { tokenId: 'tok_a' }, 'fail')).toBe(false);
    for (const tokenId of ['tok_b', 'tok_c']) expect(endedAlready(again, { tokenId, attempt: 2 }, 'fail')).toBe(false);
    expect(code(again, { tokenId: 'tok_c', attempt: 2 })).toBe('lease_lost');
  });
});
