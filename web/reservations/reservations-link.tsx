import { route, urlFor } from '../shell/router.ts';
import { Icon } from '../ui/icon.tsx';
import { useExtensions } from './extend-reservations.ts';
import { myReservations, useMyReservations } from './my-reservations.ts';
import { countRequested } from './reservation-changes.ts';

/** A link in the page header with the number of the user's reservations; hidden without reservations and requests. */
export function ReservationsLink() {
  useExtensions(useMyReservations());
  const now = myReservations.value;
  if (!now || now.held.length + now.requested.length === 0) return null;
  const requested = countRequested(now);
  const isCurrent = route.value.segments[0] === 'reservations';
  return (
    <a
      class="reservations-link"
      href={urlFor.reservations()}
      aria-current={isCurrent ? 'page' : undefined}
      title="My reservations"
    >
      <Icon name="lock" />
      <span>
        {now.held.length}
        <span class="visually-hidden">{now.held.length === 1 ? ' draft' : ' drafts'} checked out by you</span>
      </span>
      {requested > 0 && (
        <span class="mark warn">
          {requested} <span class="words">requested</span>
        </span>
      )}
    </a>
  );
}
