// What I hold and what I asked for: read once for the page, kept up to date by events and by the ends of reservations, and told where it changes.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  AskForItDocument,
  CheckInDocument,
  CheckOutDocument,
  MyReservationsDocument,
  type MyReservationsQuery,
  ReservationNowDocument,
} from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import type { LiveEvent } from '../shell/live.ts';
import { me } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { attempt, noteProblem, noteTold, unsay } from '../ui/notes.tsx';
import { isMoving, transfers } from '../upload/transfers.ts';
import { keepSeen, lastSeen } from './last-seen.ts';
import { askKey, whatCame } from './what-came.ts';

type MyReservations = MyReservationsQuery['myReservations'];
export type HeldByMe = MyReservations['held'][number];
export type AskedForByMe = MyReservations['askedFor'][number];
type Place = Pick<HeldByMe, 'workspace'>;

/** Undefined until it was read. */
export const mine = signal<MyReservations | undefined>(undefined);

const LATEST_MS = 2 ** 31 - 1;

/** Keeps `mine` up to date for as long as it is used, and tells what comes; once in the page. */
export function useMine(): void {
  const { data, loading, error, reload } = useAsk(MyReservationsDocument, {}, concernsMe);
  const now = data?.myReservations;
  useEffect(() => {
    if (!now || loading || error) return; // an answer of an earlier look is no news
    const userId = me.value?.id ?? '';
    // at the first look only what was asked for may have ended meanwhile: who asks stands beside the draft anyway
    tell(mine.peek() ?? { held: now.held, askedFor: lastSeen(userId) }, now);
    mine.value = now;
    keepSeen(userId, now.askedFor);
    const ends = [...now.held, ...now.askedFor].map(({ expiresAt }) => Date.parse(expiresAt));
    if (ends.length === 0) return;
    // that a reservation has run out is no event
    const clock = setTimeout(reload, Math.min(Math.max(Math.min(...ends) - Date.now(), 0) + 1_000, LATEST_MS));
    return () => clearTimeout(clock);
  }, [now, loading, error]);
  useEffect(() => {
    const look = () => mine.value && me.value && keepSeen(me.value.id, mine.value.askedFor);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => forget, []);
}

function forget(): void {
  mine.value = undefined;
}

function concernsMe({ type, subject, data: { by, workspaceId, changes } }: LiveEvent): boolean {
  if (type.startsWith('workspace.') && by.id === me.value?.id) return true;
  if (type === 'workspace.asked_for' && changes.askedOf?.to === me.value?.id) return true;
  const known = [...(mine.value?.held ?? []), ...(mine.value?.askedFor ?? [])].map(({ workspace }) => workspace);
  if (type.startsWith('workspace.')) return known.some(({ id }) => id === workspaceId);
  return type.startsWith('document.') && known.some(({ document }) => document.id === subject);
}

function tell(before: MyReservations, now: MyReservations): void {
  const { asks, answered, ended } = whatCame(before, now);
  for (const key of answered) unsay(key);
  for (const { held, ask: asked } of asks) {
    const words = `${asked.by.name} asks for ${draftWords(held)}${asked.note ? `: “${asked.note}”` : '.'}`;
    const look = { label: 'Show it', href: draftAddress(held) };
    const give = { label: 'Check in', run: () => (isOnItsWay(held) ? noteProblem(ON_ITS_WAY) : void checkIn(held)) };
    noteTold(askKey(held, asked), words, { icon: 'ask', actions: isOnItsWay(held) ? [look] : [give, look] });
  }
  for (const reservation of ended) void tellEnd(reservation).catch(noteProblem);
}

// it was given back, taken back or has run out; since then others may have been faster
async function tellEnd(asked: AskedForByMe): Promise<void> {
  const { workspace } = await ask(ReservationNowDocument, { workspaceId: asked.workspaceId });
  const key = `end ${asked.workspaceId}`;
  if (!workspace) return noteTold(key, `${draftWords(asked)}, which you asked for, is deleted.`, { icon: 'lock' });
  const { archived, reservation, permissions } = workspace;
  const look = { label: 'Show it', href: draftAddress(asked) };
  const take = { label: 'Check it out', run: () => void checkOut(asked) };
  if (archived)
    noteTold(key, `${draftWords(asked)}, which you asked for, is archived.`, { icon: 'lock', actions: [look] });
  else if (!reservation)
    noteTold(key, `${draftWords(asked)} is free now.`, {
      icon: 'done',
      actions: permissions.canCheckout.allowed ? [take, look] : [look],
    });
  else if (reservation.since !== asked.since && reservation.by.id !== me.value?.id)
    noteTold(key, `${draftWords(asked)} was given back; ${reservation.by.name} holds it now.`, {
      icon: 'lock',
      actions: [look],
    });
}

/** Why a draft is not given back now. */
export const ON_ITS_WAY = 'Files are still on their way into it.';

/** Whether files are on their way into the document from this page: they would be refused once somebody else holds the draft. */
export const isOnItsWay = ({ workspace: { document } }: Place): boolean =>
  transfers.value.some((transfer) => isMoving(transfer) && transfer.document?.id === document.id);

/** "PRT-000007 (main)". */
export const draftWords = ({ workspace: { name, document } }: Place): string => `${document.number} (${name})`;

export const draftAddress = ({ workspace: { draftId, document } }: Place): string =>
  addressOf.document(document.id, '', { version: draftId });

/** Asks whoever holds a draft to give it back. It is known here at once: the end may come sooner than the next look. */
export async function askFor(workspaceId: string, note: string | null): Promise<void> {
  const { askForWorkspace: asked } = await ask(AskForItDocument, { id: workspaceId, note });
  const known = mine.value;
  if (known)
    mine.value = {
      ...known,
      askedFor: [...known.askedFor.filter((other) => other.workspaceId !== workspaceId), asked],
    };
}

/** Gives a draft back. */
export function checkIn({ workspace }: Place): Promise<boolean> {
  return attempt(() => ask(CheckInDocument, { id: workspace.id }), `${workspace.document.number} is checked in.`);
}

async function checkOut(place: Place): Promise<void> {
  const { workspace } = place;
  if (await attempt(() => ask(CheckOutDocument, { id: workspace.id }), `${draftWords(place)} is yours.`))
    go(draftAddress(place));
}
