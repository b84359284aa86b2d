import { useEffect, useRef, useState } from 'preact/hooks';
import { ReadAuditDocument, VerifyAuditDocument, type VerifyAuditQuery } from '../generated/operations.ts';
import { address, go, withQuery } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { isAdmin } from '../shell/session.ts';
import { useTitle } from '../shell/title.ts';
import { useAsk } from '../shell/use-ask.ts';
import { figure } from '../ui/format.ts';
import { noteProblem } from '../ui/notes.tsx';
import { Answer, Nothing, Progress } from '../ui/state.tsx';
import { AuditList } from './audit-list.tsx';
import { What } from './what.tsx';
import { Who } from './who.tsx';

/** Everything that was done, filtered by what, who and when; and whether the log is as it was written. */
export function AuditPage() {
  if (!isAdmin())
    return (
      <Nothing>
        The log of everything is for administrators. What was done to a document stands on its page, under Audit.
      </Nothing>
    );
  return <Everything />;
}

function Everything() {
  useTitle('Audit log');
  const { query } = address.value;
  const day = (name: string) => query.get(name) ?? '';
  const filter = {
    action: query.get('action') || undefined,
    actor: query.get('actor') || undefined,
    from: day('from') ? new Date(`${day('from')}T00:00`).toISOString() : undefined,
    before: day('before') ? new Date(`${day('before')}T00:00`).toISOString() : undefined,
  };
  const asked = useAsk(ReadAuditDocument, filter, () => true);
  const change = (name: string, to: string) => go(withQuery({ [name]: to || null }), { replace: true });
  return (
    <section class="audit-page" aria-label="Audit log">
      <div class="row">
        <h1>Audit log</h1>
        <What action={query.get('action') ?? ''} onPick={(action) => change('action', action)} />
        <Who id={query.get('actor') ?? ''} onPick={(actor) => change('actor', actor)} />
        <label class="inline">
          From
          <input
            type="date"
            value={day('from')}
            onChange={({ currentTarget }) => change('from', currentTarget.value)}
          />
        </label>
        <label class="inline">
          Before
          <input
            type="date"
            value={day('before')}
            onChange={({ currentTarget }) => change('before', currentTarget.value)}
          />
        </label>
      </div>
      <Verification />
      <Answer of={asked}>
        {({ audit }) => (
          <AuditList
            key={JSON.stringify(filter)}
            first={audit}
            read={async (cursor) => (await ask(ReadAuditDocument, { ...filter, cursor })).audit}
          />
        )}
      </Answer>
    </section>
  );
}

type Verdict = VerifyAuditQuery['auditVerification'];

const WAIT_SECONDS = 20;

function Verification() {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [busy, setBusy] = useState(false);
  const left = useRef<AbortController | null>(null);
  useEffect(() => () => left.current?.abort(), []);
  const verify = async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    left.current = leaving;
    setBusy(true);
    try {
      setVerdict(await verdictOf(signal));
    } catch (error) {
      if (!signal.aborted) noteProblem(error);
    }
    setBusy(false);
  };
  return (
    <div class="card row">
      <button type="button" onClick={() => void verify()} disabled={busy}>
        Verify the log
      </button>
      {busy ? (
        <div class="grow">
          <Progress label="Verifying" />
          <small>Every record is read and its hash computed again.</small>
        </div>
      ) : verdict ? (
        <Told verdict={verdict} />
      ) : (
        <span class="quiet">
          Each record holds the hash of the one before; a record that was changed, taken out or put in is found.
        </span>
      )}
    </div>
  );
}

/** Asks until the verification has ended; the service goes on with it when nobody asks any more. */
async function verdictOf(signal: AbortSignal): Promise<Verdict> {
  for (;;) {
    const { auditVerification } = await ask(VerifyAuditDocument, { waitSeconds: WAIT_SECONDS }, { signal });
    if (auditVerification.verdict !== 'running') return auditVerification;
  }
}

function Told({ verdict: { verdict, records, chains, checkpoints, pending, faults, doubts } }: { verdict: Verdict }) {
  return (
    <div class="grow" role="status">
      <span class={`mark ${verdict === 'good' ? 'good' : verdict === 'tampered' ? 'bad' : 'warn'}`}>
        {verdict === 'good'
          ? 'as it was written'
          : verdict === 'tampered'
            ? 'has been changed'
            : 'not all could be checked'}
      </span>{' '}
      {figure(records ?? 0)} records in {figure(chains ?? 0)} chains, {figure(checkpoints ?? 0)} signed checkpoints
      compared
      {pending ? `, ${figure(pending)} not sealed yet` : ''}.
      {[...faults.map(({ id, says }) => `${id}: ${says}`), ...doubts].map((line) => (
        <div key={line} class="wrap">
          {line}
        </div>
      ))}
    </div>
  );
}
