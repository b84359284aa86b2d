// The page of the audit log.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ReadAuditDocument, VerifyAuditDocument, type VerifyAuditQuery } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { navigate, route, withQuery } from '../shell/router.ts';
import { isAdmin } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { useTitle } from '../shell/use-title.ts';
import { formatNumber } from '../ui/format.ts';
import { EmptyState, ProgressBar, QueryView } from '../ui/status.tsx';
import { showError } from '../ui/toasts.tsx';
import { ActionFilter } from './action-filter.tsx';
import { ActorFilter } from './actor-filter.tsx';
import { AuditList } from './audit-list.tsx';

/** The audit log with filters by action, user and time, and its verification (administrators only). */
export function AuditPage() {
  if (!isAdmin())
    return (
      <EmptyState>
        Only administrators can read the full audit log. The Audit tab of a document shows its records.
      </EmptyState>
    );
  return <FullAuditLog />;
}

function FullAuditLog() {
  useTitle('Audit log');
  const { query } = route.value;
  const day = (name: string) => query.get(name) ?? '';
  const filter = {
    action: query.get('action') || undefined,
    actor: query.get('actor') || undefined,
    from: day('from') ? new Date(`${day('from')}T00:00`).toISOString() : undefined,
    before: day('before') ? new Date(`${day('before')}T00:00`).toISOString() : undefined,
  };
  const result = useQuery(ReadAuditDocument, filter, () => true);
  const change = (name: string, value: string) => navigate(withQuery({ [name]: value || null }), { replace: true });
  return (
    <section class="audit-page" aria-label="Audit log">
      <div class="row">
        <h1>Audit log</h1>
        <ActionFilter action={query.get('action') ?? ''} onPick={(action) => change('action', action)} />
        <ActorFilter id={query.get('actor') ?? ''} onPick={(actor) => change('actor', actor)} />
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
      <QueryView query={result}>
        {({ audit }) => (
          <AuditList
            key={JSON.stringify(filter)}
            first={audit}
            read={async (cursor) => (await execute(ReadAuditDocument, { ...filter, cursor })).audit}
          />
        )}
      </QueryView>
    </section>
  );
}

type Verdict = VerifyAuditQuery['auditVerification'];

const WAIT_SECONDS = 20;

function Verification() {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [busy, setBusy] = useState(false);
  const abortOnUnmount = useRef<AbortController | null>(null);
  useEffect(() => () => abortOnUnmount.current?.abort(), []);
  const verify = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    abortOnUnmount.current = controller;
    setBusy(true);
    try {
      setVerdict(await waitForVerdict(signal));
    } catch (error) {
      if (!signal.aborted) showError(error);
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
          <ProgressBar label="Verifying" />
          <small>Recomputing the hash of every record.</small>
        </div>
      ) : verdict ? (
        <VerificationResult verdict={verdict} />
      ) : (
        <span class="quiet">
          Each record contains the hash of the previous one, so changed, removed or inserted records are detected.
        </span>
      )}
    </div>
  );
}

/** Polls until the verification ends; the service continues it even without polling. */
async function waitForVerdict(signal: AbortSignal): Promise<Verdict> {
  for (;;) {
    const { auditVerification } = await execute(VerifyAuditDocument, { waitSeconds: WAIT_SECONDS }, { signal });
    if (auditVerification.verdict !== 'running') return auditVerification;
  }
}

const VERDICT_CLASSES: Record<string, string> = { intact: 'good', tampered: 'bad' };

function VerificationResult({
  verdict: { verdict, records, chains, checkpoints, pending, errors, warnings },
}: {
  verdict: Verdict;
}) {
  return (
    <div class="grow" role="status">
      <span class={`mark ${VERDICT_CLASSES[verdict] ?? 'warn'}`}>
        {verdict === 'unknown' ? 'not fully verified' : verdict}
      </span>{' '}
      {formatNumber(records ?? 0)} records in {formatNumber(chains ?? 0)} chains, {formatNumber(checkpoints ?? 0)}{' '}
      signed checkpoints compared
      {pending ? `, ${formatNumber(pending)} not sealed yet` : ''}.
      {[...errors.map(({ id, message }) => `${id}: ${message}`), ...warnings].map((line) => (
        <div key={line} class="wrap">
          {line}
        </div>
      ))}
    </div>
  );
}
