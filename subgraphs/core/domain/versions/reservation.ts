// The reservation of a draft: a lease that one user holds and renews with heartbeats. Other users cannot write meanwhile.

import { refuse } from '../errors.ts';

export type Reservation = {
  userId: string;
  since: Date;
  expiresAt: Date;
  note: string | null;
  /**
   * The lease duration, which each heartbeat renews. Absent in records from before heartbeats, which use the default.
   */
  ttlSeconds?: number;
  /**
   * Pending check-in requests, at most one per user, oldest first. Absent if there are none. They end with the
   * reservation.
   */
  asks?: CheckinRequest[];
};
/** A user's request that the holder checks the workspace in. */
export type CheckinRequest = { userId: string; at: Date; note: string | null };
type Workspace = { _id: string; name: string; reservation: Reservation | null };

/**
 * The holder of a workspace as seen by one user: nobody, that user or another user. An expired reservation counts as
 * none.
 */
export type ReservationStatus = 'free' | 'own' | 'other';

/** For each action and status: the status afterwards, or the error code. `write` is any write to the draft. */
export const RESERVATION_OUTCOMES = {
  checkout: { free: 'own', own: 'own', other: 'workspace_reserved' },
  heartbeat: { free: 'lease_lost', own: 'own', other: 'workspace_reserved' },
  checkin: { free: 'free', own: 'free', other: 'forbidden' },
  forcedCheckin: { free: 'free', own: 'free', other: 'free' },
  requestCheckin: { free: 'not_reserved_by_other', own: 'not_reserved_by_other', other: 'other' },
  write: { free: 'free', own: 'own', other: 'workspace_reserved' },
} as const satisfies Record<
  string,
  Record<
    ReservationStatus,
    ReservationStatus | 'workspace_reserved' | 'lease_lost' | 'not_reserved_by_other' | 'forbidden'
  >
>;

export type ReservationAction = keyof typeof RESERVATION_OUTCOMES;

/** Returns the reservation unless it has expired. */
export function liveReservation({ reservation }: Pick<Workspace, 'reservation'>, now: Date): Reservation | null {
  return reservation && reservation.expiresAt > now ? reservation : null;
}

/** Returns who holds the workspace, as seen by the actor. */
export function reservationStatus(
  workspace: Pick<Workspace, 'reservation'>,
  actorId: string,
  now: Date,
): ReservationStatus {
  const live = liveReservation(workspace, now);
  if (!live) return 'free';
  return live.userId === actorId ? 'own' : 'other';
}

/** Throws the error that RESERVATION_OUTCOMES has for the action in this status, naming the holder and the expiry. */
export function assertReservationAllows(
  status: ReservationStatus,
  action: ReservationAction,
  workspace: Workspace,
  holder: { id: string; name: string } | null,
): void {
  const outcome = RESERVATION_OUTCOMES[action][status];
  const { _id: workspaceId, name, reservation } = workspace;
  const expiresAt = reservation?.expiresAt.toISOString();
  const details = { workspaceId, holder, expiresAt };
  if (outcome === 'workspace_reserved')
    refuse(outcome, `Workspace "${name}" is reserved by ${holder?.name} until ${expiresAt}.`, details);
  if (outcome === 'lease_lost')
    refuse(outcome, `You no longer hold the reservation of workspace "${name}". Check it out again.`, { workspaceId });
  if (outcome === 'not_reserved_by_other')
    refuse(
      outcome,
      status === 'own'
        ? `You have reserved workspace "${name}" yourself.`
        : `Workspace "${name}" is not reserved. Check it out yourself.`,
      { workspaceId },
    );
  if (outcome === 'forbidden')
    refuse(
      outcome,
      `Workspace "${name}" is reserved by ${holder?.name} until ${expiresAt}. Only an administrator can check it in, with force.`,
      details,
    );
}

const MIN_TTL_SECONDS = 60;
const MAX_TTL_SECONDS = 86_400;

/**
 * Returns the reservation after a checkout. If the user already holds it, it is renewed: its start and check-in
 * requests are kept, and so is its note if `note` is undefined. Throws `validation_failed` if `ttlSeconds` is not from
 * 60 to 86400.
 */
export function reservationAfterCheckout(
  before: Reservation | null,
  { userId, note, ttlSeconds, now }: { userId: string; note: string | null | undefined; ttlSeconds: number; now: Date },
): Reservation {
  const renewed = before?.userId === userId && before.expiresAt > now ? before : null;
  return {
    userId,
    since: renewed?.since ?? now,
    expiresAt: secondsAfter(now, ttlSeconds),
    note: note === undefined ? (renewed?.note ?? null) : note,
    ttlSeconds: validateTtl(ttlSeconds),
    ...(renewed?.asks ? { asks: renewed.asks } : {}),
  };
}

const MAX_CHECKIN_REQUESTS = 20;
const REPEAT_INTERVAL_MS = 5 * 60_000;

/**
 * Returns the reservation with a user's check-in request, which replaces the user's earlier one; an undefined note
 * keeps the earlier note. Returns the same object if the user requested it with the same note less than five minutes
 * ago. Keeps the 20 latest requests.
 */
export function withCheckinRequest(
  reservation: Reservation,
  { userId, note, now }: { userId: string; note: string | null | undefined; now: Date },
): Reservation {
  const { asks: requests = [] } = reservation;
  const before = requests.find((request) => request.userId === userId);
  const newNote = note === undefined ? (before?.note ?? null) : note;
  if (before && before.note === newNote && now.getTime() - before.at.getTime() < REPEAT_INTERVAL_MS) return reservation;
  const others = requests.filter((request) => request !== before);
  return { ...reservation, asks: [...others, { userId, at: now, note: newNote }].slice(-MAX_CHECKIN_REQUESTS) };
}

/**
 * Returns the reservation renewed for `ttlSeconds` from now. Throws `validation_failed` if they are not from 60 to
 * 86400.
 */
export function reservationAfterHeartbeat(
  reservation: Reservation,
  { ttlSeconds, now }: { ttlSeconds: number; now: Date },
): Reservation {
  return { ...reservation, expiresAt: secondsAfter(now, ttlSeconds), ttlSeconds: validateTtl(ttlSeconds) };
}

function validateTtl(seconds: number): number {
  if (!Number.isInteger(seconds) || seconds < MIN_TTL_SECONDS || seconds > MAX_TTL_SECONDS) {
    const message = `must be an integer from ${MIN_TTL_SECONDS} to ${MAX_TTL_SECONDS}`;
    refuse('validation_failed', `ttlSeconds ${message}.`, { errors: [{ path: '/ttlSeconds', message }] });
  }
  return seconds;
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
