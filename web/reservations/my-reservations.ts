// The user's reservations and check-in requests: kept current by events and expiry timers; changes are shown as toasts.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  CheckInDocument,
  CheckOutDocument,
  MyReservationsDocument,
  type MyReservationsQuery,
  RequestCheckInDocument,
  WorkspaceReservationDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import type { LiveEvent } from '../shell/live-events.ts';
import { navigate, urlFor } from '../shell/router.ts';
import { currentUser } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { dismissInfo, runWithToast, showError, showInfo } from '../ui/toasts.tsx';
import { isActive, transfers } from '../upload/transfers.ts';
import { loadRequests, saveRequests } from './request-storage.ts';
import { requestKey, reservationChanges } from './reservation-changes.ts';

type MyReservations = MyReservationsQuery['myReservations'];
export type MyReservation = MyReservations['held'][number];
export type RequestedReservation = MyReservations['requested'][number];
type InWorkspace = Pick<MyReservation, 'workspace'>;

/** Undefined until loaded. */
export const myReservations = signal<MyReservations | undefined>(undefined);

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Keeps `myReservations` current and shows changes as toasts. Returns a function that loads them again. Use it in one
 * mounted component only.
 */
export function useMyReservations(): () => void {
  const { data, loading, error, reload } = useQuery(MyReservationsDocument, {}, concernsUser);
  const now = data?.myReservations;
  useEffect(() => {
    if (!now || loading || error) return; // stale data contains no new changes
    const userId = currentUser.value?.id ?? '';
    // the first load reports only ended requests: requests to the user are shown next to the draft
    reportChanges(myReservations.peek() ?? { held: now.held, requested: loadRequests(userId) }, now);
    myReservations.value = now;
    saveRequests(userId, now.requested);
    const ends = [...now.held, ...now.requested].map(({ expiresAt }) => Date.parse(expiresAt));
    if (ends.length === 0) return;
    // the expiry of a reservation emits no event
    const timer = setTimeout(reload, Math.min(Math.max(Math.min(...ends) - Date.now(), 0) + 1_000, MAX_TIMEOUT_MS));
    return () => clearTimeout(timer);
  }, [now, loading, error]);
  useEffect(() => {
    const save = () =>
      myReservations.value && currentUser.value && saveRequests(currentUser.value.id, myReservations.value.requested);
    document.addEventListener('visibilitychange', save);
    return () => document.removeEventListener('visibilitychange', save);
  }, []);
  useEffect(() => reset, []);
  return reload;
}

function reset(): void {
  myReservations.value = undefined;
}

function concernsUser({ type, subject, data: { by, workspaceId, changes } }: LiveEvent): boolean {
  const userId = currentUser.value?.id;
  if (type.startsWith('workspace.') && by.id === userId) return true;
  // `askedOf` is the name of `holderId` in older records
  if (type === 'workspace.checkin_requested' && (changes.holderId ?? changes.askedOf)?.to === userId) return true;
  const known = [...(myReservations.value?.held ?? []), ...(myReservations.value?.requested ?? [])].map(
    ({ workspace }) => workspace,
  );
  if (type.startsWith('workspace.')) return known.some(({ id }) => id === workspaceId);
  return type.startsWith('document.') && known.some(({ document }) => document.id === subject);
}

function reportChanges(before: MyReservations, now: MyReservations): void {
  const { newRequests, endedRequestKeys, endedReservations, expiredReservations } = reservationChanges(before, now);
  for (const key of endedRequestKeys) dismissInfo(key);
  for (const { held, request } of newRequests) {
    const note = request.note ? `: “${request.note}”` : '.';
    const text = `${request.by.name} requests check-in of ${draftLabel(held)}${note}`;
    const show = { label: 'Show', href: draftUrl(held) };
    const checkInAction = {
      label: 'Check in',
      run: () => (hasActiveUploads(held) ? showError(UPLOADS_ACTIVE) : void checkIn(held)),
    };
    showInfo(requestKey(held, request), text, {
      icon: 'ask',
      actions: hasActiveUploads(held) ? [show] : [checkInAction, show],
    });
  }
  for (const expired of expiredReservations)
    showInfo(
      `expired ${expired.workspaceId}`,
      `Your check-out of ${draftLabel(expired)} has expired. Others may have changed the draft since.`,
      { icon: 'lock', actions: [{ label: 'Show', href: draftUrl(expired) }] },
    );
  for (const reservation of endedReservations) void reportEnd(reservation).catch(showError);
}

// reads the workspace again, because another user may have reserved it meanwhile
async function reportEnd(requested: RequestedReservation): Promise<void> {
  const { workspace } = await execute(WorkspaceReservationDocument, { workspaceId: requested.workspaceId });
  const key = `end ${requested.workspaceId}`;
  const label = draftLabel(requested);
  if (!workspace) return showInfo(key, `${label}, whose check-in you requested, was deleted.`, { icon: 'lock' });
  const { archived, reservation, permissions } = workspace;
  const show = { label: 'Show', href: draftUrl(requested) };
  const checkOutAction = { label: 'Check out', run: () => void checkOut(requested) };
  if (archived)
    showInfo(key, `${label}, whose check-in you requested, was archived.`, { icon: 'lock', actions: [show] });
  else if (!reservation)
    showInfo(key, `${label} is available now.`, {
      icon: 'done',
      actions: permissions.canCheckout.allowed ? [checkOutAction, show] : [show],
    });
  else if (reservation.since !== requested.since && reservation.by.id !== currentUser.value?.id)
    showInfo(key, `${label} is now checked out by ${reservation.by.name}.`, { icon: 'lock', actions: [show] });
}

/** Why a draft cannot be checked in yet. */
export const UPLOADS_ACTIVE = 'Uploads to this draft are still in progress.';

/** Whether this browser tab uploads files to the document; they would fail once another user reserves the draft. */
export const hasActiveUploads = ({ workspace: { document } }: InWorkspace): boolean =>
  transfers.value.some((transfer) => isActive(transfer) && transfer.document?.id === document.id);

/** "PRT-000007 (main)". */
export const draftLabel = ({ workspace: { name, document } }: InWorkspace): string => `${document.number} (${name})`;

export const draftUrl = ({ workspace: { draftId, document } }: InWorkspace): string =>
  urlFor.document(document.id, '', { version: draftId });

/** Requests check-in from the holder of a draft and updates `myReservations`, as the next reload may come too late. */
export async function requestCheckin(workspaceId: string, note: string | null): Promise<void> {
  const { requestCheckin: reservation } = await execute(RequestCheckInDocument, { id: workspaceId, note });
  const known = myReservations.value;
  if (known)
    myReservations.value = {
      ...known,
      requested: [...known.requested.filter((other) => other.workspaceId !== workspaceId), reservation],
    };
}

export function checkIn({ workspace }: InWorkspace): Promise<boolean> {
  return runWithToast(() => execute(CheckInDocument, { id: workspace.id }), `Checked in ${workspace.document.number}.`);
}

async function checkOut(requested: InWorkspace): Promise<void> {
  const { workspace } = requested;
  if (
    await runWithToast(() => execute(CheckOutDocument, { id: workspace.id }), `Checked out ${draftLabel(requested)}.`)
  )
    navigate(draftUrl(requested));
}
