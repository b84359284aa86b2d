import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  assertReservationAllows,
  withCheckinRequest,
  reservationAfterCheckout,
  reservationAfterHeartbeat,
  RESERVATION_OUTCOMES,
  type Reservation,
  type ReservationAction,
  type ReservationStatus,
  reservationStatus,
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

test('a reservation is its holder’s while it lasts, and nobody’s from the moment it ends', () => {
  expect(reservationStatus(workspace(null), 'usr_a', now)).toBe('free');
  expect(reservationStatus(workspace(held('usr_a')), 'usr_a', now)).toBe('own');
  expect(reservationStatus(workspace(held('usr_b')), 'usr_a', now)).toBe('other');
  for (const holder of ['usr_a', 'usr_b'])
    expect(reservationStatus(workspace(held(holder, 0)), 'usr_a', now)).toBe('free');
});

test('what each deed leads to, whoever holds the workspace; a refusal names the holder and the end', () => {
  const EXPECTED: Record<ReservationAction, Record<ReservationStatus, string>> = {
    checkout: { free: 'own', own: 'own', other: 'workspace_reserved' },
    heartbeat: { free: 'lease_lost', own: 'own', other: 'workspace_reserved' },
    checkin: { free: 'free', own: 'free', other: 'forbidden' },
    forcedCheckin: { free: 'free', own: 'free', other: 'free' },
    ask: { free: 'not_reserved_by_other', own: 'not_reserved_by_other', other: 'other' },
    write: { free: 'free', own: 'own', other: 'workspace_reserved' },
  };
  expect(RESERVATION_OUTCOMES).toEqual(EXPECTED);
  const holder = { id: 'usr_b', name: 'Berta' };
  for (const [deed, outcomes] of Object.entries(EXPECTED))
    for (const [standing, outcome] of Object.entries(outcomes)) {
      const ask = () =>
        assertReservationAllows(
          standing as ReservationStatus,
          deed as ReservationAction,
          workspace(held('usr_b')),
          holder,
        );
      if (['free', 'own', 'other'].includes(outcome)) expect(ask).not.toThrow();
      else if (standing === 'other')
        expect(ask).toThrow(
          expect.objectContaining({
            code: outcome,
            details: expect.objectContaining({ holder, expiresAt: seconds(60).toISOString() }),
          }),
        );
      else expect(ask).toThrow(expect.objectContaining({ code: outcome }));
    }
});

test('a checkout begins anew, the holder’s renews: since when stays, and the note unless another is given', () => {
  const asked = { userId: 'usr_a', note: undefined, ttlSeconds: 900, now };
  const fresh = { userId: 'usr_a', since: now, expiresAt: seconds(900), note: null, ttlSeconds: 900 };
  expect(reservationAfterCheckout(null, asked)).toEqual(fresh);
  expect(reservationAfterCheckout(held('usr_b', 0), asked)).toEqual(fresh);
  expect(reservationAfterCheckout(held('usr_a', 0), asked)).toEqual(fresh);
  expect(reservationAfterCheckout(held('usr_a'), asked)).toEqual({
    ...fresh,
    since: seconds(-300),
    note: 'fixing the hole',
  });
  expect(reservationAfterCheckout(held('usr_a'), { ...asked, note: null }).note).toBeNull();
  expect(reservationAfterHeartbeat(held('usr_a'), { ttlSeconds: 120, now })).toEqual({
    ...held('usr_a'),
    expiresAt: seconds(120),
    ttlSeconds: 120,
  });
});

test('a lease lasts 60 to 86400 whole seconds', () => {
  const outside = fc.oneof(
    fc.integer({ max: 59 }),
    fc.integer({ min: 86_401 }),
    fc.double().filter((n) => !Number.isInteger(n)),
  );
  const ask = (ttlSeconds: number) => reservationAfterCheckout(null, { userId: 'usr_a', note: null, ttlSeconds, now });
  fc.assert(
    fc.property(
      outside,
      (ttl) => void expect(() => ask(ttl)).toThrow(expect.objectContaining({ code: 'validation_failed' })),
    ),
  );
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 86_400 }), (ttl) => void expect(ask(ttl).expiresAt).toEqual(seconds(ttl))),
  );
});

test('asking twice within five minutes is asking once; other words, or the same ones later, ask anew', () => {
  const bare: Reservation = held('usr_a', 3600);
  const ask = (reservation: Reservation, note: string | null | undefined, at = 0) =>
    withCheckinRequest(reservation, { userId: 'usr_b', note, now: seconds(at) });
  const once = ask(bare, 'for a drawing');
  expect(once).toEqual({ ...bare, asks: [{ userId: 'usr_b', at: now, note: 'for a drawing' }] });
  for (const same of [undefined, 'for a drawing']) expect(ask(once, same, 299)).toBe(once);
  expect(ask(once, 'please', 10).asks).toEqual([{ userId: 'usr_b', at: seconds(10), note: 'please' }]);
  expect(ask(once, null, 10).asks).toEqual([{ userId: 'usr_b', at: seconds(10), note: null }]);
  expect(ask(once, undefined, 300).asks).toEqual([{ userId: 'usr_b', at: seconds(300), note: 'for a drawing' }]);
});

test('whoever asks, each is there once, the last one at the end, and never more than the last 20', () => {
  const asking = fc.record({
    who: fc.nat({ max: 29 }),
    note: fc.constantFrom(undefined, null, 'now', 'later'),
    wait: fc.nat({ max: 400 }),
  });
  fc.assert(
    fc.property(fc.array(asking, { maxLength: 80, size: 'max' }), (all) => {
      let reservation: Reservation = held('usr_a', 86_400);
      let time = 0;
      for (const { who, note, wait } of all) {
        time += wait;
        const before = reservation;
        const userId = `usr_${who}`;
        reservation = withCheckinRequest(before, { userId, note, now: seconds(time) });
        const asks = reservation.asks ?? [];
        expect(asks.length).toBeLessThanOrEqual(20);
        expect(new Set(asks.map((each) => each.userId)).size).toBe(asks.length);
        expect(asks.some((each) => each.userId === userId && (note === undefined || each.note === note))).toBe(true);
        if (reservation !== before) expect(asks.at(-1)).toMatchObject({ userId, at: seconds(time) });
        expect(asks.map(({ at }) => at)).toEqual(
          asks.map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime()),
        );
      }
      expect({ ...reservation, asks: undefined }).toEqual({ ...held('usr_a', 86_400), asks: undefined });
    }),
  );
});

test('what was asked stays while its holder keeps the workspace, and is gone with the reservation', () => {
  const asked = withCheckinRequest(held('usr_a'), { userId: 'usr_b', note: null, now });
  const out = { note: undefined, ttlSeconds: 900, now };
  expect(reservationAfterHeartbeat(asked, { ttlSeconds: 120, now }).asks).toEqual(asked.asks);
  expect(reservationAfterCheckout(asked, { userId: 'usr_a', ...out }).asks).toEqual(asked.asks);
  expect(reservationAfterCheckout(asked, { userId: 'usr_b', ...out, now: seconds(60) }).asks).toBeUndefined();
  expect(reservationAfterCheckout(asked, { userId: 'usr_a', ...out, now: seconds(60) }).asks).toBeUndefined();
});
