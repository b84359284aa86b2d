import { me } from '../shell/session.ts';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { namesOf } from './what-came.ts';

type Ask = { by: { id: string; name: string }; at: string; note: string | null };

const IN_FULL = 3;

/** Who would like to have a draft that somebody holds (`ofMe`: that I hold): the last three with what they said, the others by name. */
export function AskedBy({ asks, ofMe }: { asks: readonly Ask[]; ofMe: boolean }) {
  if (asks.length === 0) return null;
  const [earlier, latest] = [asks.slice(0, -IN_FULL), asks.slice(-IN_FULL)];
  return (
    <ul class={`asked-by ${ofMe ? 'of-me' : ''}`} aria-label="Asked for by">
      {latest.toReversed().map(({ by, at, note }) => (
        <li key={by.id}>
          <Icon name="ask" />
          <span>
            {by.id === me.value?.id ? 'You asked for it' : `${by.name} asks for it`}
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
            earlier: {namesOf(earlier.map(({ by }) => by))}
          </small>
        </li>
      )}
    </ul>
  );
}
