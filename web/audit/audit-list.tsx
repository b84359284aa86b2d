import { useState } from 'preact/hooks';
import type { AuditLineFragment } from '../generated/operations.ts';
import { addressOf } from '../shell/addresses.ts';
import { dayAndTime } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/notes.tsx';
import { Nothing } from '../ui/state.tsx';
import { changesOf } from './changes.ts';

export type AuditPart = { items: AuditLineFragment[]; nextCursor: string | null };

type AuditListProps = { first: AuditPart; read: (cursor: string) => Promise<AuditPart>; withDocument?: boolean };

/** Audit records, newest first; each opens to all that was recorded. `read` gets what is older. */
export function AuditList({ first, read, withDocument = true }: AuditListProps) {
  const [older, setOlder] = useState<AuditPart | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const known = new Set(first.items.map(({ id }) => id));
  const lines = [...first.items, ...(older?.items.filter(({ id }) => !known.has(id)) ?? [])];
  const cursor = older ? older.nextCursor : first.nextCursor;
  if (lines.length === 0) return <Nothing>Nothing was recorded that fits.</Nothing>;
  return (
    <>
      <ol class="audit">
        {lines.map((line) => (
          <li key={line.id}>
            <button
              type="button"
              class="bare line"
              aria-expanded={open === line.id}
              onClick={() => setOpen(open === line.id ? null : line.id)}
            >
              <Icon name={open === line.id ? 'down' : 'right'} />
              <time dateTime={line.at}>{dayAndTime(line.at)}</time>
              <span class="cut">{line.by.name}</span>
              <span class="says">{line.summary}</span>
              <code class="quiet">{line.action}</code>
            </button>
            {open === line.id && <Details line={line} withDocument={withDocument} />}
          </li>
        ))}
      </ol>
      {cursor && (
        <p>
          <button
            type="button"
            onClick={() =>
              void attempt(async () => {
                const part = await read(cursor);
                setOlder({ items: [...(older?.items ?? []), ...part.items], nextCursor: part.nextCursor });
              })
            }
          >
            Show older ones
          </button>
        </p>
      )}
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
        {withDocument && line.documentId && <a href={addressOf.document(line.documentId)}>The document</a>}
        {line.documentId && line.versionId && (
          <a href={addressOf.document(line.documentId, '', { version: line.versionId })}>The version</a>
        )}
        {line.jobId && <a href={addressOf.job(line.jobId)}>The job</a>}
        <small>
          {line.by.role}, by {line.by.via}
          {line.by.onBehalfOf ? `, for ${line.by.onBehalfOf}` : ''}
          {line.route ? ` · ${line.route}` : ''}
          {line.ip ? ` · from ${line.ip}` : ''}
        </small>
      </p>
      <small class="mono wrap">
        {line.id} · place {line.seq ?? 'not sealed yet'} · {line.chain} {line.chainSeq} · sha256 {line.hash}
      </small>
    </div>
  );
}
