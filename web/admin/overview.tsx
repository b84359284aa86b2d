// The overview of the administration: the version, the storage of files and refused sign-ins.
import {
  AdminStorageDocument,
  type AdminStorageQuery,
  BackupStatusDocument,
  type BackupStatusQuery,
} from '../generated/operations.ts';
import { urlFor } from '../shell/router.ts';
import { useQuery } from '../shell/use-query.ts';
import { formatBytes, formatDuration, formatNumber } from '../ui/format.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { ErrorMessage, Loading, QueryView } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { type AdministrationStatus, useAdministrationStatus } from './use-status.ts';

export function Overview() {
  const { status, error } = useAdministrationStatus();
  const storage = useQuery(AdminStorageDocument, {});
  const backups = useQuery(BackupStatusDocument, {});
  return (
    <section aria-label="Overview">
      <h1>Overview</h1>
      {error && <ErrorMessage error={error} />}
      {!status && !error && <Loading />}
      {status && <Version status={status} />}
      <h2>Backups</h2>
      <QueryView query={backups}>{({ backupStatus }) => <Backups status={backupStatus} />}</QueryView>
      <QueryView query={storage}>{(data) => <Storage storage={data.storage} />}</QueryView>
      {status && <RefusedSignIns refused={status.refusedSignIns} />}
    </section>
  );
}

function Version({ status: { version, storeFormat, node, startedAt } }: { status: AdministrationStatus }) {
  return (
    <dl class="facts">
      <dt>Version</dt>
      <dd>
        {version} <a href="/docs/changelog">What is new</a>
      </dd>
      <dt>Store format</dt>
      <dd>{storeFormat}</dd>
      <dt>Node</dt>
      <dd>{node}</dd>
      <dt>Started</dt>
      <dd>
        <Time at={startedAt} />
      </dd>
    </dl>
  );
}

function Backups({ status }: { status: BackupStatusQuery['backupStatus'] }) {
  const { scheduled, folder, everySeconds, running, count, nextAt, lastBackup, failure } = status;
  if (!scheduled)
    return (
      <p>
        No scheduled backup. <HelpLink topic="operating#backup">How to schedule backups</HelpLink>
      </p>
    );
  return (
    <>
      {failure && (
        <p class="problem">
          <span>
            The latest backup failed <Time at={failure.at} />: {failure.message}
          </span>
        </p>
      )}
      <dl class="facts">
        <dt>Last good backup</dt>
        <dd>
          {lastBackup ? (
            <>
              <Time at={lastBackup.createdAt} />, {formatBytes(lastBackup.bytes)}, of which{' '}
              {formatBytes(lastBackup.newBytes)} new
            </>
          ) : (
            <span class="mark warn">none yet</span>
          )}
        </dd>
        <dt>Next</dt>
        <dd>
          {running ? 'running now' : nextAt && <Time at={nextAt} />}
          {everySeconds && `, every ${formatDuration(everySeconds)}`}
        </dd>
        <dt>Folder</dt>
        <dd class="mono">{folder}</dd>
        <dt>Kept</dt>
        <dd>{formatNumber(count)}</dd>
      </dl>
    </>
  );
}

const MAX_FOLDERS = 20;

function Storage({ storage }: { storage: AdminStorageQuery['storage'] }) {
  const { measuredAt, files, bytes, kinds, folders } = storage;
  const hidden = folders.length - MAX_FOLDERS;
  return (
    <>
      <h2>Files of documents</h2>
      <p>
        {formatBytes(bytes)} in {formatNumber(files)} files, measured <Time at={measuredAt} />. A file that versions of
        a document share counts once.
      </p>
      <div class="storage">
        <Table columns={['Kind', 'Files', 'Size']}>
          {kinds.map((usage) => (
            <tr key={usage.kind}>
              <td>{usage.kind}</td>
              <td>{formatNumber(usage.files)}</td>
              <Share part={usage.bytes} whole={bytes} />
            </tr>
          ))}
        </Table>
        <Table columns={['Folder', 'Documents', 'Size']}>
          {folders.slice(0, MAX_FOLDERS).map(({ folder, documents, bytes: part }) => (
            <tr key={folder?.id}>
              <td>
                <a href={urlFor.documents(folder?.id ?? 'unfiled')}>
                  {folder?.path.split('/').join(' › ') ?? 'Unfiled'}
                </a>
              </td>
              <td>{formatNumber(documents)}</td>
              <Share part={part} whole={bytes} />
            </tr>
          ))}
        </Table>
      </div>
      {hidden > 0 && <p class="quiet">The {formatNumber(hidden)} smaller folders are not shown.</p>}
    </>
  );
}

function Share({ part, whole }: { part: number; whole: number }) {
  return (
    <td>
      <meter value={part} max={whole || 1} aria-label={`${Math.round((100 * part) / (whole || 1))} %`} />{' '}
      {formatBytes(part)}
    </td>
  );
}

const REASONS = { invalid: 'unknown token', inactive: 'expired or revoked token, or blocked user' } as const;

function RefusedSignIns({ refused }: { refused: AdministrationStatus['refusedSignIns'] }) {
  return (
    <>
      <h2>Refused sign-ins</h2>
      {refused.length === 0 ? (
        <p class="quiet">None since the start of the service.</p>
      ) : (
        <Table columns={['Address', 'Token', 'Reason', 'Count', 'Last']}>
          {refused.map(({ ip, token, reason, count, lastAt }) => (
            <tr key={`${ip} ${token} ${reason}`}>
              <td class="mono">{ip}</td>
              <td class="mono">{token ? `pdm_${token}…` : '–'}</td>
              <td>{REASONS[reason]}</td>
              <td>{formatNumber(count)}</td>
              <td>
                <Time at={lastAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <HelpLink topic="security#authentication">How wrong tokens are handled</HelpLink>
    </>
  );
}
