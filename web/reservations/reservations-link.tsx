import { address, addressOf } from '../shell/addresses.ts';
import { Icon } from '../ui/icon.tsx';
import { mine, useMine } from './mine.ts';
import { wantedOf } from './what-came.ts';

/** In the head of the page: how many drafts I hold, and how many of those others ask for. There while I hold or asked for any. */
export function ReservationsLink() {
  useMine();
  const now = mine.value;
  if (!now || now.held.length + now.askedFor.length === 0) return null;
  const wanted = wantedOf(now);
  const here = address.value.steps[0] === 'reservations';
  return (
    <a
      class="reservations-link"
      href={addressOf.reservations()}
      aria-current={here ? 'page' : undefined}
      title="What you hold and asked for"
    >
      <Icon name="lock" />
      <span>
        {now.held.length}
        <span class="visually-hidden">{now.held.length === 1 ? ' draft' : ' drafts'} you hold</span>
      </span>
      {wanted > 0 && (
        <span class="mark warn">
          {wanted} <span class="words">asked for</span>
        </span>
      )}
    </a>
  );
}
