// Shows who has checked out a draft, with check-out, check-in and request actions.
import { useEffect, useState } from 'preact/hooks';
import { CheckInDocument, CheckOutDocument } from '../generated/operations.ts';
import { CheckinRequestDialog } from '../reservations/checkin-request-dialog.tsx';
import { CheckinRequests } from '../reservations/checkin-requests.tsx';
import { currentExpiry, extendReservation } from '../reservations/extend-reservations.ts';
import { execute } from '../shell/api-client.ts';
import { usePaletteCommands } from '../shell/command-palette.tsx';
import { currentUser, isAdmin } from '../shell/session.ts';
import { ActionButton, UNAVAILABLE } from '../ui/action-button.tsx';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { formatDateTime, formatRelativeTime } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { runWithToast, showError } from '../ui/toasts.tsx';
import type { ShownDocument } from './document-page.tsx';
import { formatUntil } from './version-label.ts';

type Workspace = ShownDocument['workspaces'][number];
type ReservationProps = { workspace: Workspace; onChanged: () => void };

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export function ReservationControls({ workspace, onChanged }: ReservationProps) {
  const [dialog, setDialog] = useState<'checkOut' | 'forceCheckIn' | 'request' | null>(null);
  const { id, name, reservation, permissions } = workspace;
  const isMine = reservation?.by.id === currentUser.value?.id;
  const expiresAt = reservation && (isMine ? currentExpiry(id, reservation.expiresAt) : reservation.expiresAt);
  const ownRequest = reservation?.checkinRequests.find(({ by }) => by.id === currentUser.value?.id);
  useEffect(() => {
    if (!expiresAt) return;
    const delay = Date.parse(expiresAt) - Date.now() + 1_000;
    const expiry = setTimeout(onChanged, Math.min(Math.max(delay, 1_000), MAX_TIMEOUT_MS));
    return () => clearTimeout(expiry);
  }, [expiresAt]);
  const checkIn = (force: boolean) =>
    runWithToast(() => execute(CheckInDocument, { id, force }), `Checked in ${name}.`).then(onChanged);

  const checkOutCommand = {
    id: `check-out-${id}`,
    label: `Check out ${name}`,
    icon: 'lock' as const,
    run: () =>
      permissions.canCheckout.allowed
        ? setDialog('checkOut')
        : showError(permissions.canCheckout.message ?? UNAVAILABLE),
  };
  const checkInCommand = {
    id: `check-in-${id}`,
    label: `Check in ${name}`,
    icon: 'lock' as const,
    run: () => void checkIn(false),
  };
  usePaletteCommands('reservation', [...(reservation ? [] : [checkOutCommand]), ...(isMine ? [checkInCommand] : [])]);
  return (
    <>
      <KeepFocus label={`Reservation of ${name}`} class="reservation">
        {!reservation && (
          <>
            <span class="quiet">Not checked out</span>
            <ActionButton icon="lock" permission={permissions.canCheckout} onClick={() => setDialog('checkOut')}>
              Check out
            </ActionButton>
          </>
        )}
        {expiresAt && isMine && (
          <>
            <span class="mark accent" title="Extended automatically while this page is open in any tab">
              <Icon name="lock" /> Checked out by you {formatUntil(expiresAt)}
            </span>
            <ActionButton permission={permissions.canCheckin} onClick={() => void checkIn(false)}>
              Check in
            </ActionButton>
            <ActionButton
              onClick={() => void runWithToast(() => extendReservation(id), 'Check-out extended.').then(onChanged)}
            >
              Extend
            </ActionButton>
          </>
        )}
        {reservation && !isMine && (
          <>
            <span class="mark warn" title={`Since ${formatDateTime(reservation.since)}`}>
              <Icon name="lock" /> Checked out by {reservation.by.name} {formatUntil(reservation.expiresAt)}
            </span>
            <small class="cut">
              {formatRelativeTime(reservation.since)}
              {reservation.note && `: “${reservation.note}”`}
            </small>
            <ActionButton icon="ask" permission={permissions.canRequestCheckin} onClick={() => setDialog('request')}>
              {ownRequest ? 'Request again…' : 'Request check-in…'}
            </ActionButton>
            {isAdmin() && (
              <ActionButton permission={permissions.canForceCheckin} onClick={() => setDialog('forceCheckIn')}>
                Force check-in…
              </ActionButton>
            )}
          </>
        )}
        {dialog === 'checkOut' && (
          <CheckOutDialog workspace={workspace} onClose={() => setDialog(null)} onChanged={onChanged} />
        )}
        {dialog === 'request' && reservation && (
          <CheckinRequestDialog
            workspaceId={id}
            reservation={reservation}
            previousNote={ownRequest?.note}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === 'forceCheckIn' && reservation && (
          <FormDialog
            title={`Force check-in of ${name}?`}
            submitLabel="Force check-in"
            danger
            onClose={() => setDialog(null)}
            onSubmit={() => checkIn(true)}
          >
            <p>
              {reservation.by.name} has checked out the draft of {name} {formatUntil(reservation.expiresAt)}
              {reservation.note && ` (“${reservation.note}”)`}. Unfinished uploads to the draft will be rejected. The
              audit log records the forced check-in. Contact {reservation.by.name} first.
            </p>
          </FormDialog>
        )}
      </KeepFocus>
      {reservation && <CheckinRequests requests={reservation.checkinRequests} isHolder={isMine} />}
    </>
  );
}

function CheckOutDialog({ workspace: { id, name }, onClose, onChanged }: ReservationProps & { onClose: () => void }) {
  const submit = async (form: FormData) => {
    const seconds = Number(formValue(form, 'seconds') ?? 0);
    await execute(CheckOutDocument, { id, note: formValue(form, 'note'), ttlSeconds: seconds || undefined });
    onChanged();
  };
  return (
    <FormDialog
      help="guide#check-out-and-check-in"
      title={`Check out ${name}`}
      submitLabel="Check out"
      onClose={onClose}
      onSubmit={submit}
    >
      <p>
        Only you can edit this draft until you check it in; others can still view it. The check-out is extended while
        this page is open in any tab, and expires some time after you close it.
      </p>
      <label>
        When the page is closed, expires
        <select name="seconds">
          <option value="">after the default time</option>
          <option value="3600">after 1 hour</option>
          <option value="14400">after 4 hours</option>
          <option value="28800">after 8 hours</option>
          <option value="86400">after 1 day</option>
        </select>
      </label>
      <label>
        Note for others
        <input name="note" maxLength={200} autofocus />
      </label>
    </FormDialog>
  );
}
