import { expect, test } from 'vitest';
import { countRequested, formatNames, type Reservations, reservationChanges } from './reservation-changes.ts';

const request = (id: string, at = '1', note: string | null = null) => ({ by: { id, name: id }, at, note });
const held = (workspaceId: string, ...checkinRequests: ReturnType<typeof request>[]) => ({
  workspaceId,
  since: '0',
  expiresAt: '2026-01-01T12:00:00Z',
  checkinRequests,
});
const requested = (workspaceId: string, since = '0') => ({ workspaceId, since });
const mine = (more: Partial<Reservations> = {}): Reservations => ({ held: [], requested: [], ...more });

test('returns new and repeated requests, and the keys of requests that are gone', () => {
  const before = mine({ held: [held('a', request('ada')), held('b', request('bob')), held('c', request('cy'))] });
  const now = mine({ held: [held('a', request('ada'), request('dan')), held('b', request('bob', '2', 'please'))] });
  const { newRequests, endedRequestKeys, endedReservations } = reservationChanges(before, now);
  expect(newRequests.map(({ held: { workspaceId }, request: { by, note } }) => [workspaceId, by.id, note])).toEqual([
    ['a', 'dan', null],
    ['b', 'bob', 'please'],
  ]);
  expect([endedRequestKeys, endedReservations]).toEqual([['ask c cy'], []]);
  expect(reservationChanges(now, now)).toEqual({
    newRequests: [],
    endedRequestKeys: [],
    endedReservations: [],
    expiredReservations: [],
  });
});

test('reports a requested reservation as ended when it is gone or renewed, except when the user holds it now', () => {
  const before = mine({ requested: [requested('free'), requested('next'), requested('taken'), requested('still')] });
  const now = mine({ held: [held('taken')], requested: [requested('still'), requested('next', '1')] });
  expect(reservationChanges(before, now).endedReservations.map(({ workspaceId }) => workspaceId)).toEqual([
    'free',
    'next',
  ]);
});

test('reports a reservation as expired when it is gone after its time, but not after a check-in', () => {
  const [before, now] = [mine({ held: [held('a'), held('b')] }), mine({ held: [held('b')] })];
  const expiredAt = (time: string) =>
    reservationChanges(before, now, Date.parse(time)).expiredReservations.map(({ workspaceId }) => workspaceId);
  expect([expiredAt('2026-01-01T11:59:59Z'), expiredAt('2026-01-01T12:00:01Z')]).toEqual([[], ['a']]);
});

test('counts each requested draft once', () => {
  expect(
    countRequested(
      mine({
        held: [held('a', request('ada'), request('bob')), held('b'), held('c', request('ada'))],
        requested: [requested('d')],
      }),
    ),
  ).toBe(2);
});

test('lists up to three names, and two names with a count beyond that', () => {
  const of = (...names: string[]) => formatNames(names.map((name) => ({ name })));
  expect([of('Ada'), of('Ada', 'Bob'), of('Ada', 'Bob', 'Cy'), of('Ada', 'Bob', 'Cy', 'Dan')]).toEqual([
    'Ada',
    'Ada and Bob',
    'Ada, Bob and Cy',
    'Ada, Bob and 2 others',
  ]);
});
