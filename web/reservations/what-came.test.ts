import { expect, test } from 'vitest';
import { type Mine, namesOf, wantedOf, whatCame } from './what-came.ts';

const ask = (id: string, at = '1', note: string | null = null) => ({ by: { id, name: id }, at, note });
const held = (workspaceId: string, ...askedBy: ReturnType<typeof ask>[]) => ({ workspaceId, since: '0', askedBy });
const askedFor = (workspaceId: string, since = '0') => ({ workspaceId, since });
const mine = (more: Partial<Mine> = {}): Mine => ({ held: [], askedFor: [], ...more });

test('new is an ask that was not there, or is said anew; one that is gone is told no longer', () => {
  const before = mine({ held: [held('a', ask('ada')), held('b', ask('bob')), held('c', ask('cy'))] });
  const now = mine({ held: [held('a', ask('ada'), ask('dan')), held('b', ask('bob', '2', 'please'))] });
  const { asks, answered, ended } = whatCame(before, now);
  expect(asks.map(({ held: { workspaceId }, ask: { by, note } }) => [workspaceId, by.id, note])).toEqual([
    ['a', 'dan', null],
    ['b', 'bob', 'please'],
  ]);
  expect([answered, ended]).toEqual([['ask c cy'], []]);
  expect(whatCame(now, now)).toEqual({ asks: [], answered: [], ended: [] });
});

test('what was asked for has ended when it is held no longer or by the next; what one holds oneself now is no news', () => {
  const before = mine({ askedFor: [askedFor('free'), askedFor('next'), askedFor('taken'), askedFor('still')] });
  const now = mine({ held: [held('taken')], askedFor: [askedFor('still'), askedFor('next', '1')] });
  expect(whatCame(before, now).ended.map(({ workspaceId }) => workspaceId)).toEqual(['free', 'next']);
});

test('counted are the drafts that are wanted, however many want one', () => {
  expect(
    wantedOf(
      mine({ held: [held('a', ask('ada'), ask('bob')), held('b'), held('c', ask('ada'))], askedFor: [askedFor('d')] }),
    ),
  ).toBe(2);
});

test('three are named, of more the first two', () => {
  const of = (...names: string[]) => namesOf(names.map((name) => ({ name })));
  expect([of('Ada'), of('Ada', 'Bob'), of('Ada', 'Bob', 'Cy'), of('Ada', 'Bob', 'Cy', 'Dan')]).toEqual([
    'Ada',
    'Ada and Bob',
    'Ada, Bob and Cy',
    'Ada, Bob and 2 others',
  ]);
});
