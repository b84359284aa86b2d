// The list of uploads in a corner of every page.
import { useEffect } from 'preact/hooks';
import { urlFor } from '../shell/router.ts';
import { formatBytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorMessage, ProgressBar } from '../ui/status.tsx';
import { JobProgress } from './job-progress.tsx';
import { cancelTransfer, clearTransfers, isActive, retryTransfer, type Transfer, transfers } from './transfers.ts';

/** The current and recent uploads, with their jobs. */
export function UploadTray() {
  const list = transfers.value;
  const activeCount = list.filter(isActive).length;
  useLeaveConfirmation(activeCount > 0);
  if (list.length === 0) return null;
  return (
    <section class="uploads" aria-label="Uploads">
      <header class="row">
        <h2>{activeCount > 0 ? `Uploading ${activeCount} of ${list.length}` : 'Uploads'}</h2>
        {activeCount < list.length && (
          <button
            type="button"
            class="bare end"
            aria-label="Clear finished"
            title="Clear finished"
            onClick={() => clearTransfers()}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      <ul>
        {list.map((transfer) => (
          <TransferItem key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </section>
  );
}

// shows the browser's confirmation dialog before leaving the page during an upload
function useLeaveConfirmation(uploading: boolean): void {
  useEffect(() => {
    if (!uploading) return;
    const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', confirmLeave);
    return () => removeEventListener('beforeunload', confirmLeave);
  }, [uploading]);
}

function TransferItem({ transfer }: { transfer: Transfer }) {
  const { id, fileName, document, sent, state, problem, jobId } = transfer;
  return (
    <li>
      <div class="row nowrap">
        <span class="cut grow" title={fileName}>
          {fileName}
        </span>
        {document && (
          <a class="mono" href={urlFor.document(document.id)}>
            {document.number}
          </a>
        )}
        {isActive(transfer) && (
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
      {isActive(transfer) && (
        <>
          <ProgressBar value={state === 'waiting' ? 0 : sent} label={`Uploading ${fileName}`} />
          <small>{progressText(transfer)}</small>
        </>
      )}
      {state === 'cancelled' && (
        <small>Cancelled. {document ? 'The file was not stored.' : 'Nothing was stored.'}</small>
      )}
      {problem && <ErrorMessage error={new Error(problem)} onRetry={() => retryTransfer(id)} />}
      {state === 'stored' &&
        (jobId ? (
          <JobProgress jobId={jobId} onEnd={(status) => status === 'done' && clearLater(id)} />
        ) : (
          <small>Stored</small>
        ))}
    </li>
  );
}

function progressText({ state, sent, size }: Transfer): string {
  if (state === 'waiting') return 'Waiting';
  return sent < 1 ? `${formatBytes(sent * size)} of ${formatBytes(size)}` : 'Saving…';
}

const CLEAR_AFTER_MS = 8_000;

// only successful uploads are removed automatically
const clearLater = (id: number) => setTimeout(() => clearTransfers(id), CLEAR_AFTER_MS);
