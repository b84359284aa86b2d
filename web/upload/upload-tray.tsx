import { useEffect } from 'preact/hooks';
import { addressOf } from '../shell/addresses.ts';
import { bytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem, Progress } from '../ui/state.tsx';
import { JobProgress } from './job-progress.tsx';
import { cancelTransfer, isMoving, putAway, sendAgain, type Transfer, transfers } from './transfers.ts';

/** The files on their way and what became of them, in a corner of every view. */
export function UploadTray() {
  const all = transfers.value;
  const moving = all.filter(isMoving).length;
  useAskedBeforeLeaving(moving > 0);
  if (all.length === 0) return null;
  return (
    <section class="uploads" aria-label="Uploads">
      <header class="row">
        <h2>{moving > 0 ? `Uploading ${moving} of ${all.length}` : 'Uploads'}</h2>
        {moving < all.length && (
          <button
            type="button"
            class="bare end"
            aria-label="Put away what has ended"
            title="Put away what has ended"
            onClick={() => putAway()}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      <ul>
        {all.map((transfer) => (
          <One key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </section>
  );
}

// the browser asks in its own words whether the page may go, and with it what is on its way
function useAskedBeforeLeaving(sends: boolean): void {
  useEffect(() => {
    if (!sends) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [sends]);
}

function One({ transfer }: { transfer: Transfer }) {
  const { id, fileName, size, document, sent, state, problem, jobId } = transfer;
  return (
    <li>
      <div class="row nowrap">
        <span class="cut grow" title={fileName}>
          {fileName}
        </span>
        {document && (
          <a class="mono" href={addressOf.document(document.id)}>
            {document.number}
          </a>
        )}
        {isMoving(transfer) && (
          <button
            type="button"
            class="bare"
            aria-label={`Cancel ${fileName}`}
            title="Cancel"
            onClick={() => cancelTransfer(id)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {isMoving(transfer) && (
        <>
          <Progress done={state === 'waiting' ? 0 : sent} label={`${fileName} is sent`} />
          <small>
            {state === 'waiting'
              ? 'waits its turn'
              : sent < 1
                ? `${bytes(sent * size)} of ${bytes(size)}`
                : 'is being stored'}
          </small>
        </>
      )}
      {state === 'cancelled' && <small>cancelled; {document ? 'the file was not stored' : 'nothing was stored'}</small>}
      {problem && <Problem error={new Error(problem)} onRetry={() => sendAgain(id)} />}
      {state === 'stored' &&
        (jobId ? (
          <JobProgress jobId={jobId} onEnd={(status) => status === 'done' && soonAway(id)} />
        ) : (
          <small>stored</small>
        ))}
    </li>
  );
}

const STAYS_MS = 8_000;

// what went well has been seen by then; what did not stays until somebody puts it away
const soonAway = (id: number) => setTimeout(() => putAway(id), STAYS_MS);
