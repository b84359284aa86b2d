// The list of uploads in a corner of every page.
import { useEffect, useState } from 'preact/hooks';
import { ImportSummaryDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { connected } from '../shell/live-events.ts';
import { urlFor } from '../shell/router.ts';
import { currentUser } from '../shell/session.ts';
import { formatBytes, formatNumber } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorMessage, ProgressBar } from '../ui/status.tsx';
import { showError } from '../ui/toasts.tsx';
import { InterruptedImports } from './interrupted-imports.tsx';
import { JobProgress } from './job-progress.tsx';
import { interruptedFiles, loadInterruptedFiles } from './pending-files.ts';
import {
  cancelTransfer,
  clearTransfers,
  isActive,
  retryFailed,
  retryTransfer,
  type Transfer,
  type TransferState,
  transfers,
} from './transfers.ts';

const MAX_LISTED = 30;
// what needs attention first; finished uploads last
const ORDER: readonly TransferState[] = ['failed', 'sending', 'waiting', 'stored', 'cancelled'];

/** The current and recent uploads, with their jobs. */
export function UploadTray() {
  const list = transfers.value;
  const active = list.filter(isActive);
  const failedCount = list.filter(({ state }) => state === 'failed').length;
  useLeaveConfirmation(active.length > 0);
  useEffect(() => loadInterruptedFiles(currentUser.value?.id ?? ''), []);
  useEffect(() => {
    const retry = () => retryFailed({ onlyInterrupted: true });
    if (connected.value) retry(); // again after the connection was lost
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [connected.value]);
  if (list.length === 0 && interruptedFiles.value.length === 0) return null;
  const listed = ORDER.flatMap((state) => list.filter((each) => each.state === state)).slice(0, MAX_LISTED);
  return (
    <section class="uploads" aria-label="Uploads">
      <header class="row">
        <h2>{active.length > 0 ? `Uploading ${active.length} of ${list.length}` : 'Uploads'}</h2>
        {failedCount > 1 && (
          <button type="button" class="link end" onClick={() => retryFailed()}>
            Try all {failedCount} again
          </button>
        )}
        {active.length < list.length && (
          <button
            type="button"
            class={`bare ${failedCount > 1 ? '' : 'end'}`}
            aria-label="Clear finished"
            title="Clear finished"
            onClick={() => clearTransfers()}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      {active.length > 0 && list.length > 1 && <TotalProgress transfers={list} />}
      <InterruptedImports />
      <ul>
        {listed.map((transfer) => (
          <TransferItem key={transfer.id} transfer={transfer} />
        ))}
      </ul>
      {list.length > listed.length && <small>…and {formatNumber(list.length - listed.length)} more</small>}
    </section>
  );
}

function TotalProgress({ transfers: all }: { transfers: readonly Transfer[] }) {
  const counted = all.filter(({ state }) => state !== 'cancelled');
  const total = counted.reduce((sum, { size }) => sum + size, 0);
  const sent = counted.reduce((sum, { size, sent: fraction }) => sum + size * fraction, 0);
  const done = counted.filter(({ state }) => state === 'stored').length;
  return (
    <div class="total-progress">
      <ProgressBar value={total > 0 ? sent / total : 0} label="Uploading all files" />
      <small>
        {formatNumber(done)} of {formatNumber(counted.length)} files stored, {formatBytes(sent)} of {formatBytes(total)}
      </small>
    </div>
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
  const { id, fileName, document, sent, state, problem, jobId, split } = transfer;
  const [summary, setSummary] = useState<string | null>(null);
  const showResult = async () => {
    if (document && jobId) setSummary(await importSummary(document.id, jobId));
  };
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
          <>
            <JobProgress
              jobId={jobId}
              onEnd={(status) => status === 'done' && (split ? void showResult().catch(showError) : clearLater(id))}
            />
            {summary && <small>{summary}</small>}
          </>
        ) : (
          <small>Stored</small>
        ))}
    </li>
  );
}

/** What the import of an assembly created, and how many of its parts already existed. */
async function importSummary(documentId: string, jobId: string): Promise<string | null> {
  const { document } = await execute(ImportSummaryDocument, { documentId });
  return document?.audit.items.find((record) => record.jobId === jobId)?.summary ?? null;
}

function progressText({ state, sent, size }: Transfer): string {
  if (state === 'waiting') return 'Waiting';
  return sent < 1 ? `${formatBytes(sent * size)} of ${formatBytes(size)}` : 'Saving…';
}

const CLEAR_AFTER_MS = 8_000;

// only successful uploads are removed automatically
const clearLater = (id: number) => setTimeout(() => clearTransfers(id), CLEAR_AFTER_MS);
