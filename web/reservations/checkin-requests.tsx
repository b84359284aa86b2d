import { currentUser } from '../shell/session.ts';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { type CheckinRequest, formatNames } from './reservation-changes.ts';

const MAX_LISTED = 3;

/** The check-in requests for a reserved draft: the latest three with their messages, the earlier ones by name. */
export function CheckinRequests({ requests, isHolder }: { requests: readonly CheckinRequest[]; isHolder: boolean }) {
  if (requests.length === 0) return null;
  const [earlier, latest] = [requests.slice(0, -MAX_LISTED), requests.slice(-MAX_LISTED)];
  return (
    <ul class={`checkin-requests ${isHolder ? 'for-holder' : ''}`} aria-label="Check-in requests">
      {latest.toReversed().map(({ by, at, note }) => (
        <li key={by.id}>
          <Icon name="ask" />
          <span>
            {by.id === currentUser.value?.id ? 'You requested check-in' : `${by.name} requests check-in`}
            {note && `: “${note}”`}
          </span>
          <small>
            <Time at={at} />
          </small>
        </li>
      ))}
      {earlier.length > 0 && (
        <li>
          <small title={earlier.map(({ by }) => by.name).join('\n')}>
            earlier: {formatNames(earlier.map(({ by }) => by))}
          </small>
        </li>
      )}
    </ul>
  );
}
