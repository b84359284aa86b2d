// A list of audit records.
import { useState } from 'preact/hooks';
import type { AuditLineFragment } from '../generated/operations.ts';
import { urlFor } from '../shell/router.ts';
import { formatBytes, formatExactTime } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/status.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { changesOf } from './changes.ts';

export type AuditPage = { items: AuditLineFragment[]; nextCursor: string | null };

type AuditListProps = { first: AuditPage; read: (cursor: string) => Promise<AuditPage>; withDocument?: boolean };

/** Audit records, newest first; each expands to its details. `read` returns older records. */
export function AuditList({ first, read, withDocument = true }: AuditListProps) {
  const [older, setOlder] = useState<AuditPage | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const known = new Set(first.items.map(({ id }) => id));
  const lines = [...first.items, ...(older?.items.filter(({ id }) => !known.has(id)) ?? [])];
  const cursor = older ? older.nextCursor : first.nextCursor;
  if (lines.length === 0) return <EmptyState>No matching records.</EmptyState>;
  return (
    <>
      <ol class="audit">
        {lines.map((line) => (
          <li key={line.id}>
            <div class="audit-line">
              <button
                type="button"
                class="bare"
                aria-expanded={openId === line.id}
                onClick={() => setOpenId(openId === line.id ? null : line.id)}
              >
                <Icon name={openId === line.id ? 'down' : 'right'} />
                <time dateTime={line.at}>{formatExactTime(line.at)}</time>
                <span class="visually-hidden">{line.summary}</span>
              </button>
              <span class="cut">{line.by.name}</span>
              <span class="summary">
                <Summary line={line} />
              </span>
              <code class="quiet">{line.action}</code>
            </div>
            {openId === line.id && <Details line={line} withDocument={withDocument} />}
          </li>
        ))}
      </ol>
      {cursor && (
        <p>
          <button
            type="button"
            onClick={() =>
              void runWithToast(async () => {
                const page = await read(cursor);
                setOlder({ items: [...(older?.items ?? []), ...page.items], nextCursor: page.nextCursor });
              })
            }
          >
            Show older records
          </button>
        </p>
      )}
    </>
  );
}

const NUMBER = /\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+\b/;

/** The summary with readable sizes and a link to its document. */
function Summary({ line: { summary, documentId } }: { line: AuditLineFragment }) {
  const text = summary.replace(/\b\d{4,} bytes\b/g, (size) => formatBytes(Number.parseInt(size, 10)));
  const number = documentId && NUMBER.exec(text);
  if (!number) return <>{text}</>;
  return (
    <>
      {text.slice(0, number.index)}
      <a href={urlFor.document(documentId)}>{number[0]}</a>
      {text.slice(number.index + number[0].length)}
    </>
  );
}

function Details({ line, withDocument }: { line: AuditLineFragment; withDocument: boolean }) {
  const changes = changesOf(line.changes);
  return (
    <div class="details">
      {changes.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Field</th>
              <th>Before</th>
              <th>After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, from, to }) => (
              <tr key={field}>
                <td>{field}</td>
                <td class="wrap">{from || <span class="quiet">–</span>}</td>
                <td class="wrap">{to || <span class="quiet">–</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="row">
        {withDocument && line.documentId && <a href={urlFor.document(line.documentId)}>Document</a>}
        {line.documentId && line.versionId && (
          <a href={urlFor.document(line.documentId, '', { version: line.versionId })}>Version</a>
        )}
        {line.jobId && <a href={urlFor.job(line.jobId)}>Job</a>}
        <small>
          {line.by.role}, via {line.by.via}
          {line.by.onBehalfOf ? `, on behalf of ${line.by.onBehalfOf}` : ''}
          {line.route ? ` · ${line.route}` : ''}
          {line.ip ? ` · from ${line.ip}` : ''}
        </small>
      </p>
      <small class="mono wrap">
        {line.id} · seq {line.seq ?? 'not sealed yet'} · {line.chain} {line.chainSeq} · sha256 {line.hash}
      </small>
    </div>
  );
}
