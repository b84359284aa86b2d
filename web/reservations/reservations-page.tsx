import type { ComponentChildren } from 'preact';
import { untilWords } from '../document/version-words.ts';
import { KeepReservationDocument } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { me } from '../shell/session.ts';
import { useTitle } from '../shell/title.ts';
import { Deed } from '../ui/deed.tsx';
import { attempt } from '../ui/notes.tsx';
import { Picture } from '../ui/picture.tsx';
import { Nothing, Waiting } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { AskedBy } from './asked-by.tsx';
import { checkIn, draftAddress, draftWords, type HeldByMe, isOnItsWay, mine, ON_ITS_WAY } from './mine.ts';

/** The drafts I hold, with who asks for them, and those of others that I asked for. */
export function ReservationsPage() {
  useTitle('Reservations');
  const now = mine.value;
  if (!now) return <Waiting />;
  return (
    <div class="reservations-page">
      <section aria-label="You hold">
        <h1>You hold</h1>
        {now.held.length === 0 && (
          <Nothing>You hold no draft. Check one out where others might change it while you work.</Nothing>
        )}
        <ul class="reservations">
          {now.held.map((held) => (
            <One key={held.workspaceId} of={held}>
              <Held {...held} />
            </One>
          ))}
        </ul>
      </section>
      {now.askedFor.length > 0 && (
        <section aria-label="You asked for">
          <h1>You asked for</h1>
          <ul class="reservations">
            {now.askedFor.map((asked) => {
              const own = asked.askedBy.find(({ by }) => by.id === me.value?.id);
              return (
                <One key={asked.workspaceId} of={asked}>
                  <small>
                    {asked.by.name} holds it {untilWords(asked.expiresAt)}
                    {asked.note && `: “${asked.note}”`}
                  </small>
                  {own && (
                    <small>
                      asked <Time at={own.at} />
                    </small>
                  )}
                </One>
              );
            })}
          </ul>
        </section>
      )}
    </div>
  );
}

function One({ of, children }: { of: Pick<HeldByMe, 'workspace'>; children: ComponentChildren }) {
  const { document, name } = of.workspace;
  return (
    <li class="card">
      <Picture url={document.thumbnailUrl} kind={document.kind} />
      <a class="reserved-what" href={draftAddress(of)} title={document.name}>
        <span class="mono">{document.number}</span> <span class="cut-here">{document.name}</span>
      </a>
      <span class="mark">{name}</span>
      {children}
    </li>
  );
}

function Held(held: HeldByMe) {
  const { workspaceId, expiresAt, note, askedBy } = held;
  const keep = () => attempt(() => ask(KeepReservationDocument, { id: workspaceId }), 'Kept for as long again.');
  const moving = { allowed: !isOnItsWay(held), message: ON_ITS_WAY };
  return (
    <>
      <small>
        {untilWords(expiresAt)}
        {note && `: “${note}”`}
      </small>
      <span class="row nowrap">
        <Deed may={moving} onClick={() => void checkIn(held)} about={draftWords(held)}>
          Check in
        </Deed>
        <Deed onClick={() => void keep()} about={draftWords(held)}>
          Keep longer
        </Deed>
      </span>
      <AskedBy asks={askedBy} ofMe />
    </>
  );
}
