import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  assertReservationAllows,
  RESERVATION_OUTCOMES,
  type Reservation,
  type ReservationAction,
  type ReservationStatus,
  reservationAfterCheckout,
  reservationAfterHeartbeat,
  reservationStatus,
  withCheckinRequest,
} from './reservation.ts';

const now = new Date('2026-01-01T12:00:00Z');
const seconds = (n: number) => new Date(now.getTime() + n * 1000);
const held = (userId: string, until = 60) => ({
  userId,
  since: seconds(-300),
  expiresAt: seconds(until),
  note: 'fixing the hole',
  ttlSeconds: 900,
});
const workspace = (reservation: ReturnType<typeof held> | null) => ({ _id: 'wsp_1', name: 'main', reservation });

test('assigns a reservation to its holder until it expires', () => {
  expect(reservationStatus(workspace(null), 'usr_a', now)).toBe('free');
  expect(reservationStatus(workspace(held('usr_a')), 'usr_a', now)).toBe('own');
  expect(reservationStatus(workspace(held('usr_b')), 'usr_a', now)).toBe('other');
  for (const holder of ['usr_a', 'usr_b'])
    expect(reservationStatus(workspace(held(holder, 0)), 'usr_a', now)).toBe('free');
});

test('follows the outcome table and names the holder and expiry in errors', () => {
  const EXPECTED: Record<ReservationAction, Record<ReservationStatus, string>> = {
    checkout: { free: 'own', own: 'own', other: 'workspace_reserved' },
    heartbeat: { free: 'lease_lost', own: 'own', other: 'workspace_reserved' },
    checkin: { free: 'free', own: 'free', other: 'forbidden' },
    forcedCheckin: { free: 'free', own: 'free', other: 'free' },
    requestCheckin: { free: 'not_reserved_by_other', own: 'not_reserved_by_other', other: 'other' },
    write: { free: 'free', own: 'own', other: 'workspace_reserved' },
  };
  expect(RESERVATION_OUTCOMES).toEqual(EXPECTED);
  const holder = { id: 'usr_b', name: 'Berta' };
  for (const [action, outcomes] of Object.entries(EXPECTED))
    for (const [status, outcome] of Object.entries(outcomes)) {
      const act = () =>
        assertReservationAllows(
          status as ReservationStatus,
          action as ReservationAction,
          workspace(held('usr_b')),
          holder,
        );
      if (['free', 'own', 'other'].includes(outcome)) expect(act).not.toThrow();
      else if (status === 'other')
        expect(act).toThrow(
          expect.objectContaining({
            code: outcome,
            details: expect.objectContaining({ holder, expiresAt: seconds(60).toISOString() }),
          }),
        );
      else expect(act).toThrow(expect.objectContaining({ code: outcome }));
    }
});

test('renews the holder’s reservation on checkout and replaces an expired one', () => {
  const checkout = { userId: 'usr_a', note: undefined, ttlSeconds: 900, now };
  const fresh = { userId: 'usr_a', since: now, expiresAt: seconds(900), note: null, ttlSeconds: 900 };
  expect(reservationAfterCheckout(null, checkout)).toEqual(fresh);
  expect(reservationAfterCheckout(held('usr_b', 0), checkout)).toEqual(fresh);
  expect(reservationAfterCheckout(held('usr_a', 0), checkout)).toEqual(fresh);
  expect(reservationAfterCheckout(held('usr_a'), checkout)).toEqual({
    ...fresh,
    since: seconds(-300),
    note: 'fixing the hole',
  });
  expect(reservationAfterCheckout(held('usr_a'), { ...checkout, note: null }).note).toBeNull();
  expect(reservationAfterHeartbeat(held('usr_a'), { ttlSeconds: 120, now })).toEqual({
    ...held('usr_a'),
    expiresAt: seconds(120),
    ttlSeconds: 120,
  });
});

test('accepts lease durations of 60 to 86400 whole seconds only', () => {
  const outside = fc.oneof(
    fc.integer({ max: 59 }),
    fc.integer({ min: 86_401 }),
    fc.double().filter((n) => !Number.isInteger(n)),
  );
  const checkOut = (ttlSeconds: number) =>
    reservationAfterCheckout(null, { userId: 'usr_a', note: null, ttlSeconds, now });
  fc.assert(
    fc.property(
      outside,
      (ttl) => void expect(() => checkOut(ttl)).toThrow(expect.objectContaining({ code: 'validation_failed' })),
    ),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 60, max: 86_400 }),
      (ttl) => void expect(checkOut(ttl).expiresAt).toEqual(seconds(ttl)),
    ),
  );
});

test('ignores a repeated check-in request within five minutes unless its note differs', () => {
  const bare: Reservation = held('usr_a', 3600);
  const request = (reservation: Reservation, note: string | null | undefined, at = 0) =>
    withCheckinRequest(reservation, { userId: 'usr_b', note, now: seconds(at) });
  const first = request(bare, 'for a drawing');
  expect(first).toEqual({ ...bare, asks: [{ userId: 'usr_b', at: now, note: 'for a drawing' }] });
  for (const same of [undefined, 'for a drawing']) expect(request(first, same, 299)).toBe(first);
  expect(request(first, 'please', 10).asks).toEqual([{ userId: 'usr_b', at: seconds(10), note: 'please' }]);
  expect(request(first, null, 10).asks).toEqual([{ userId: 'usr_b', at: seconds(10), note: null }]);
  expect(request(first, undefined, 300).asks).toEqual([{ userId: 'usr_b', at: seconds(300), note: 'for a drawing' }]);
});

test('keeps one check-in request per user, oldest first, and at most 20', () => {
  const requests = fc.record({
    user: fc.nat({ max: 29 }),
    note: fc.constantFrom(undefined, null, 'now', 'later'),
    wait: fc.nat({ max: 400 }),
  });
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 80, size: 'max' }), (all) => {
      let reservation: Reservation = held('usr_a', 86_400);
      let time = 0;
      for (const { user, note, wait } of all) {
        time += wait;
        const before = reservation;
        const userId = `usr_${user}`;
        reservation = withCheckinRequest(before, { userId, note, now: seconds(time) });
        const pending = reservation.asks ?? [];
        expect(pending.length).toBeLessThanOrEqual(20);
        expect(new Set(pending.map((each) => each.userId)).size).toBe(pending.length);
        expect(pending.some((each) => each.userId === userId && (note === undefined || each.note === note))).toBe(true);
        if (reservation !== before) expect(pending.at(-1)).toMatchObject({ userId, at: seconds(time) });
        expect(pending.map(({ at }) => at)).toEqual(
          pending.map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime()),
        );
      }
      expect({ ...reservation, asks: undefined }).toEqual({ ...held('usr_a', 86_400), asks: undefined });
    }),
  );
});

test('keeps check-in requests while the reservation is renewed and drops them with it', () => {
  const requested = withCheckinRequest(held('usr_a'), { userId: 'usr_b', note: null, now });
  const input = { note: undefined, ttlSeconds: 900, now };
  expect(reservationAfterHeartbeat(requested, { ttlSeconds: 120, now }).asks).toEqual(requested.asks);
  expect(reservationAfterCheckout(requested, { userId: 'usr_a', ...input }).asks).toEqual(requested.asks);
  expect(reservationAfterCheckout(requested, { userId: 'usr_b', ...input, now: seconds(60) }).asks).toBeUndefined();
  expect(reservationAfterCheckout(requested, { userId: 'usr_a', ...input, now: seconds(60) }).asks).toBeUndefined();
});
