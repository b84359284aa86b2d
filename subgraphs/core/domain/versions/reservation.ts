// The lease of a draft by one user: kept by heartbeats, over when it runs out, and a wall for everybody else while it lasts.
import { refuse } from '../errors.ts';

export type Reservation = {
  userId: string;
  since: Date;
  expiresAt: Date;
  note: string | null;
  /** For how long a heartbeat keeps it; absent in records from before heartbeats: the usual time. */
  ttlSeconds?: number;
  /** Who would like to have it, each person once, the one who asked last at the end; absent: nobody asked. It ends with the reservation. */
  asks?: CheckinRequest[];
};
/** Somebody who asked the holder to give a workspace back. */
export type CheckinRequest = { userId: string; at: Date; note: string | null };
type Workspace = { _id: string; name: string; reservation: Reservation | null };

/** How somebody stands to a workspace; a reservation that ran out is none. */
export type ReservationStatus = 'free' | 'own' | 'other';

/** What each deed leads to, by who holds the workspace: the standing after it, or the refusal. `write` is every write to the draft. */
export const RESERVATION_OUTCOMES = {
  checkout: { free: 'own', own: 'own', other: 'workspace_reserved' },
  heartbeat: { free: 'lease_lost', own: 'own', other: 'workspace_reserved' },
  checkin: { free: 'free', own: 'free', other: 'forbidden' },
  forcedCheckin: { free: 'free', own: 'free', other: 'free' },
  ask: { free: 'not_reserved_by_other', own: 'not_reserved_by_other', other: 'other' },
  write: { free: 'free', own: 'own', other: 'workspace_reserved' },
} as const satisfies Record<
  string,
  Record<
    ReservationStatus,
    ReservationStatus | 'workspace_reserved' | 'lease_lost' | 'not_reserved_by_other' | 'forbidden'
  >
>;

export type ReservationAction = keyof typeof RESERVATION_OUTCOMES;

/** The reservation that holds now, if one does. */
export function liveReservation({ reservation }: Pick<Workspace, 'reservation'>, now: Date): Reservation | null {
  return reservation && reservation.expiresAt > now ? reservation : null;
}

export function reservationStatus(
  workspace: Pick<Workspace, 'reservation'>,
  actorId: string,
  now: Date,
): ReservationStatus {
  const live = liveReservation(workspace, now);
  return !live ? 'free' : live.userId === actorId ? 'own' : 'other';
}

/** Refuses a deed that this standing does not allow: `workspace_reserved`, `lease_lost`, `not_reserved_by_other`, `forbidden`, naming who holds the workspace and how long. */
export function assertReservationAllows(
  standing: ReservationStatus,
  deed: ReservationAction,
  workspace: Workspace,
  holder: { id: string; name: string } | null,
): void {
  const outcome = RESERVATION_OUTCOMES[deed][standing];
  const { _id: workspaceId, name, reservation } = workspace;
  const expiresAt = reservation?.expiresAt.toISOString();
  const held = { workspaceId, holder, expiresAt };
  if (outcome === 'workspace_reserved')
    refuse(outcome, `Workspace "${name}" is reserved by ${holder?.name} until ${expiresAt}.`, held);
  if (outcome === 'lease_lost')
    refuse(outcome, `You do not hold workspace "${name}" any more. Check it out again.`, { workspaceId });
  if (outcome === 'not_reserved_by_other')
    refuse(
      outcome,
      standing === 'own' ? `You hold workspace "${name}" yourself.` : `Nobody holds workspace "${name}". Check it out.`,
      {
        workspaceId,
      },
    );
  if (outcome === 'forbidden')
    refuse(
      outcome,
      `Workspace "${name}" is held by ${holder?.name} until ${expiresAt}; only an administrator may give it back, with force.`,
      held,
    );
}

const LEAST = 60;
const MOST = 86_400;

/**
 * The reservation after a checkout. The holder who checks out again renews it: since when and who asked for it stay, and so does the note unless
 * another is given.
 */
export function reservationAfterCheckout(
  before: Reservation | null,
  { userId, note, ttlSeconds, now }: { userId: string; note: string | null | undefined; ttlSeconds: number; now: Date },
): Reservation {
  const kept = before?.userId === userId && before.expiresAt > now ? before : null;
  return {
    userId,
    since: kept?.since ?? now,
    expiresAt: after(now, ttlSeconds),
    note: note === undefined ? (kept?.note ?? null) : note,
    ttlSeconds: checkedSeconds(ttlSeconds),
    ...(kept?.asks ? { asks: kept.asks } : {}),
  };
}

const MOST_ASKS = 20;
const ONE_ASK_MS = 5 * 60_000;

/**
 * The reservation after somebody asked for it. Who asks anew stands at the end with what he says now, and keeps his note unless another is given; who
 * asked within five minutes and says nothing else has asked once: the reservation is the very one that was given. Of more than 20 people those who
 * asked last are kept.
 */
export function withCheckinRequest(
  reservation: Reservation,
  { userId, note, now }: { userId: string; note: string | null | undefined; now: Date },
): Reservation {
  const { asks = [] } = reservation;
  const before = asks.find((ask) => ask.userId === userId);
  const said = note === undefined ? (before?.note ?? null) : note;
  if (before && before.note === said && now.getTime() - before.at.getTime() < ONE_ASK_MS) return reservation;
  const others = asks.filter((ask) => ask !== before);
  return { ...reservation, asks: [...others, { userId, at: now, note: said }].slice(-MOST_ASKS) };
}

/** The reservation after a heartbeat: kept for as long again as it was checked out for, or as the heartbeat says. */
export function reservationAfterHeartbeat(
  reservation: Reservation,
  { ttlSeconds, now }: { ttlSeconds: number; now: Date },
): Reservation {
  return { ...reservation, expiresAt: after(now, ttlSeconds), ttlSeconds: checkedSeconds(ttlSeconds) };
}

function checkedSeconds(seconds: number): number {
  if (!Number.isInteger(seconds) || seconds < LEAST || seconds > MOST)
    refuse('validation_failed', `ttlSeconds must be a whole number from ${LEAST} to ${MOST}.`, {
      errors: [{ path: '/ttlSeconds', message: `must be from ${LEAST} to ${MOST}` }],
    });
  return seconds;
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
