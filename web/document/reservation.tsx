// Who may change the draft now: whoever holds it, or everybody.
import { useEffect, useState } from 'preact/hooks';
import { CheckInDocument, CheckOutDocument, KeepReservationDocument } from '../generated/operations.ts';
import { AskForDialog } from '../reservations/ask-for-dialog.tsx';
import { AskedBy } from '../reservations/asked-by.tsx';
import { ask } from '../shell/ask.ts';
import { isAdmin, me } from '../shell/session.ts';
import { Deed } from '../ui/deed.tsx';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { ago, dayAndTime } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { attempt, noteProblem } from '../ui/notes.tsx';
import type { ShownDocument } from './document-page.tsx';
import { untilWords } from './version-words.ts';

type Workspace = ShownDocument['workspaces'][number];
type ReservationProps = { workspace: Workspace; onChanged: () => void };

const KEEP_MS = 5 * 60_000; // the usual reservation lasts 15 minutes
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function Reservation({ workspace, onChanged }: ReservationProps) {
  const [asked, setAsked] = useState<'out' | 'force' | 'ask' | null>(null);
  const { id, name, reservation, permissions } = workspace;
  const mine = reservation?.by.id === me.value?.id;
  const own = reservation?.askedBy.find(({ by }) => by.id === me.value?.id);
  useEffect(() => {
    if (!reservation) return;
    const left = Date.parse(reservation.expiresAt) - Date.now() + 1_000;
    const end = setTimeout(onChanged, Math.min(Math.max(left, 1_000), LONGEST_TIMER_MS)); // then it is nobody's
    return () => clearTimeout(end);
  }, [reservation?.expiresAt]);
  useEffect(() => {
    if (!reservation || !mine) return;
    const keep = () =>
      document.visibilityState === 'visible' && void ask(KeepReservationDocument, { id }).then(onChanged, noteProblem);
    const clock = setInterval(keep, KEEP_MS);
    return () => clearInterval(clock);
  }, [reservation !== null && mine]);
  const checkIn = (force: boolean) =>
    attempt(() => ask(CheckInDocument, { id, force }), `${name} is checked in.`).then(onChanged);

  return (
    <>
      <KeepFocus label={`Who holds ${name}`} class="reservation">
        {!reservation && (
          <>
            <span class="quiet">nobody holds it</span>
            <Deed icon="lock" may={permissions.canCheckout} onClick={() => setAsked('out')}>
              Check out
            </Deed>
          </>
        )}
        {reservation && mine && (
          <>
            <span class="mark accent" title="Kept as long as this page is open">
              <Icon name="lock" /> yours {untilWords(reservation.expiresAt)}
            </span>
            <Deed may={permissions.canCheckin} onClick={() => void checkIn(false)}>
              Check in
            </Deed>
            <Deed
              onClick={() =>
                void attempt(() => ask(KeepReservationDocument, { id }), 'Kept for as long again.').then(onChanged)
              }
            >
              Keep longer
            </Deed>
          </>
        )}
        {reservation && !mine && (
          <>
            <span class="mark warn" title={`Since ${dayAndTime(reservation.since)}`}>
              <Icon name="lock" /> {reservation.by.name} holds it {untilWords(reservation.expiresAt)}
            </span>
            <small class="cut">
              since {ago(reservation.since)}
              {reservation.note && `: “${reservation.note}”`}
            </small>
            <Deed icon="ask" may={permissions.canAskFor} onClick={() => setAsked('ask')}>
              {own ? 'Ask again…' : 'Ask for it…'}
            </Deed>
            {isAdmin() && (
              <Deed may={permissions.canForceCheckin} onClick={() => setAsked('force')}>
                Take it back…
              </Deed>
            )}
          </>
        )}
        {asked === 'out' && <CheckOut workspace={workspace} onClose={() => setAsked(null)} onChanged={onChanged} />}
        {asked === 'ask' && reservation && (
          <AskForDialog
            workspace={workspace}
            reservation={reservation}
            said={own?.note}
            onClose={() => setAsked(null)}
          />
        )}
        {asked === 'force' && reservation && (
          <FormDialog
            title={`Check in what ${reservation.by.name} holds?`}
            deed="Check it in"
            danger
            onClose={() => setAsked(null)}
            onSubmit={() => checkIn(true)}
          >
            <p>
              {reservation.by.name} holds the draft of {name} {untilWords(reservation.expiresAt)}
              {reservation.note && ` (“${reservation.note}”)`}. What {reservation.by.name} has not uploaded yet is
              refused from then on. It is recorded that you did this; talk to them first.
            </p>
          </FormDialog>
        )}
      </KeepFocus>
      {reservation && <AskedBy asks={reservation.askedBy} ofMe={mine} />}
    </>
  );
}

function CheckOut({ workspace: { id, name }, onClose, onChanged }: ReservationProps & { onClose: () => void }) {
  const submit = async (form: FormData) => {
    const seconds = Number(textOf(form, 'seconds') ?? 0);
    await ask(CheckOutDocument, { id, note: textOf(form, 'note'), ttlSeconds: seconds || undefined });
    onChanged();
  };
  return (
    <FormDialog title={`Check out ${name}`} deed="Check out" onClose={onClose} onSubmit={submit}>
      <p>
        Only you can change this draft until you check it in or the time is over. Others see that, and can go on
        reading.
      </p>
      <label>
        For how long
        <select name="seconds">
          <option value="">as long as this page is open</option>
          <option value="3600">an hour</option>
          <option value="14400">4 hours</option>
          <option value="28800">8 hours</option>
          <option value="86400">a day</option>
        </select>
      </label>
      <label>
        What the others should know
        <input name="note" maxLength={200} autofocus />
      </label>
    </FormDialog>
  );
}
