import type { ComponentChildren } from 'preact';
import { formatUntil } from '../document/version-label.ts';
import { currentUser } from '../shell/session.ts';
import { useTitle } from '../shell/use-title.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { EmptyState, Loading } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { Time } from '../ui/time.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { CheckinRequests } from './checkin-requests.tsx';
import { extendReservation } from './extend-reservations.ts';
import {
  checkIn,
  draftLabel,
  draftUrl,
  hasActiveUploads,
  type MyReservation,
  myReservations,
  UPLOADS_ACTIVE,
} from './my-reservations.ts';

/** The user's reservations with their check-in requests, and the user's own check-in requests. */
export function ReservationsPage() {
  useTitle('Reservations');
  const now = myReservations.value;
  if (!now) return <Loading />;
  return (
    <div class="reservations-page">
      <section aria-label="Checked out by you">
        <h1>Checked out by you</h1>
        {now.held.length === 0 && (
          <EmptyState>
            <p>You have no drafts checked out. Check out a draft to prevent others from changing it while you work.</p>
            <HelpLink topic="guide#check-out-and-check-in">About check-out</HelpLink>
          </EmptyState>
        )}
        {now.held.length > 0 && <p class="quiet">Extended automatically while this page is open in any tab.</p>}
        <ul class="reservations">
          {now.held.map((held) => (
            <ReservationCard key={held.workspaceId} reservation={held}>
              <HeldReservation {...held} />
            </ReservationCard>
          ))}
        </ul>
      </section>
      {now.requested.length > 0 && (
        <section aria-label="Your check-in requests">
          <h1>Your check-in requests</h1>
          <ul class="reservations">
            {now.requested.map((requested) => {
              const own = requested.checkinRequests.find(({ by }) => by.id === currentUser.value?.id);
              return (
                <ReservationCard key={requested.workspaceId} reservation={requested}>
                  <small>
                    checked out by {requested.by.name} {formatUntil(requested.expiresAt)}
                    {requested.note && `: “${requested.note}”`}
                  </small>
                  {own && (
                    <small>
                      requested <Time at={own.at} />
                    </small>
                  )}
                </ReservationCard>
              );
            })}
          </ul>
        </section>
      )}
    </div>
  );
}

type CardProps = { reservation: Pick<MyReservation, 'workspace'>; children: ComponentChildren };

function ReservationCard({ reservation, children }: CardProps) {
  const { document, name } = reservation.workspace;
  return (
    <li class="card">
      <Thumbnail url={document.thumbnailUrl} kind={document.kind} />
      <a class="reserved-document" href={draftUrl(reservation)} title={document.name}>
        <span class="mono">{document.number}</span> <span class="cut-here">{document.name}</span>
      </a>
      <span class="mark">{name}</span>
      {children}
    </li>
  );
}

function HeldReservation(held: MyReservation) {
  const { workspaceId, expiresAt, note, checkinRequests } = held;
  const extend = () => runWithToast(() => extendReservation(workspaceId), 'Check-out extended.');
  const checkInPermission = { allowed: !hasActiveUploads(held), message: UPLOADS_ACTIVE };
  return (
    <>
      <small>
        {formatUntil(expiresAt)}
        {note && `: “${note}”`}
      </small>
      <span class="row nowrap">
        <ActionButton permission={checkInPermission} onClick={() => void checkIn(held)} subject={draftLabel(held)}>
          Check in
        </ActionButton>
        <ActionButton onClick={() => void extend()} subject={draftLabel(held)}>
          Extend
        </ActionButton>
      </span>
      <CheckinRequests requests={checkinRequests} isHolder />
    </>
  );
}
