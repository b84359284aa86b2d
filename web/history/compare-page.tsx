import { BomCompare } from '../bom/bom-compare.tsx';
import { CompareVersionsDocument } from '../generated/operations.ts';
import { apiUrl } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { navigate, urlFor } from '../shell/router.ts';
import { useQuery } from '../shell/use-query.ts';
import { formatBytes, formatNumber } from '../ui/format.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { EmptyState, QueryView } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { SideBySide } from '../viewer/model-view.tsx';
import { type Comparison, fieldLabel, fileRows, massPropertyRows, significantFields } from './comparison-rows.ts';
import { RevisionBadge } from './history-row.tsx';
import { VersionPicker } from './version-picker.tsx';

/** Compares two drafts or versions of a document: models, properties, comments, references or BOM, and files. */
export function ComparePage({ documentId, from, to }: { documentId: string; from: string; to: string }) {
  const query = useQuery(CompareVersionsDocument, from && to ? { from, to } : null, isAboutDocument(documentId));
  const show = (a: string, b: string) =>
    navigate(urlFor.document(documentId, 'compare', { from: a, to: b }), { replace: true });
  const comparison = query.data?.compareVersions;
  return (
    <div class="compare">
      <div class="row compare-pick">
        <VersionPicker
          documentId={documentId}
          label="From"
          value={from}
          current={from ? sideName(comparison?.from) : 'Select…'}
          onPick={(id) => show(id, to)}
        />
        <button type="button" title="Swap" aria-label="Swap versions" onClick={() => show(to, from)}>
          ⇄
        </button>
        <VersionPicker
          documentId={documentId}
          label="To"
          value={to}
          current={to ? sideName(comparison?.to) : 'Select…'}
          onPick={(id) => show(from, id)}
        />
        <a class="end" href={urlFor.document(documentId, 'history')}>
          History
        </a>
      </div>
      {!from || !to ? (
        <EmptyState>
          <p>Select two versions to compare.</p>
          <HelpLink topic="guide#versions">About versions</HelpLink>
        </EmptyState>
      ) : (
        <QueryView query={query}>{({ compareVersions }) => <Differences comparison={compareVersions} />}</QueryView>
      )}
    </div>
  );
}

type Side = Comparison['from'];

function sideName(side: Side | undefined): string {
  if (!side) return 'Loading…';
  return side.n === null ? `Draft of ${side.workspace.name}` : `v${side.n}`;
}

function Differences({ comparison }: { comparison: Comparison }) {
  const { from, to, references } = comparison;
  const fields = significantFields(comparison.fields);
  const files = fileRows(comparison);
  const differingFiles = files.filter(({ change }) => change !== 'same').length;
  return (
    <>
      <div class="sides">
        <SideCard side={from} />
        <SideCard side={to} />
      </div>
      {differingFiles + fields.length + references.length === 0 && <p class="mark good">The two are identical.</p>}
      {bothHave(comparison, 'glb') && (
        <section aria-label="Models">
          <h2>Models</h2>
          <SideBySide key={`${from.id} ${to.id}`} from={from.id} to={to.id} />
        </section>
      )}
      <MassPropertyTable comparison={comparison} />
      {fields.length > 0 && (
        <section aria-label="Comments">
          <h2>Comments</h2>
          <div class="table-box">
            <table>
              <TableHead first="Field" from={from} to={to} />
              <tbody>
                {fields.map(({ field, from: before, to: after }) => (
                  <tr key={field}>
                    <th scope="row">{fieldLabel(field)}</th>
                    <td class="field-value">{before ?? '–'}</td>
                    <td class="field-value">{after ?? '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {from.document.kind === 'assembly' ? (
        <section aria-label="Bill of materials">
          <h2>Bill of materials</h2>
          <BomCompare from={from.id} to={to.id} />
        </section>
      ) : (
        <ReferenceTable comparison={comparison} />
      )}
      <section aria-label="Files">
        <h2>Files</h2>
        {files.length === 0 ? (
          <p class="quiet">Neither has files.</p>
        ) : (
          <div class="table-box">
            <table>
              <TableHead first="File" from={from} to={to} last="Change" />
              <tbody>
                {files.map((file) => (
                  <tr key={file.kind} class={file.change === 'same' ? 'same' : ''}>
                    <th scope="row">{file.kind}</th>
                    <td>{file.from && <FileLink {...file.from} />}</td>
                    <td>{file.to && <FileLink {...file.to} />}</td>
                    <td>
                      <span class={`mark ${CHANGE_CLASSES[file.change]}`}>{file.change}</span>
                      {file.derived && <small> derived</small>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </>
  );
}

const bothHave = ({ from, to }: Comparison, kind: string) =>
  [from, to].every(({ artifacts }) => artifacts.some((file) => file.kind === kind));

const CHANGE_CLASSES = { same: '', changed: 'accent', renamed: 'accent', added: 'good', removed: 'bad' };

function SideCard({ side }: { side: Side }) {
  return (
    <div class="card">
      <b>{sideName(side)}</b> {side.releasedAs && <RevisionBadge {...side.releasedAs} />}{' '}
      {side.name.toLowerCase() !== `v${side.n}` && side.name}
      <div class="quiet">
        {side.workspace.name} · {side.createdBy.name} · <Time at={side.createdAt} />
      </div>
    </div>
  );
}

function TableHead({ first, from, to, last }: { first: string; from: Side; to: Side; last?: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">{sideName(from)}</th>
        <th scope="col">{sideName(to)}</th>
        {last && <th scope="col">{last}</th>}
      </tr>
    </thead>
  );
}

function FileLink({ id, fileName, size }: { id: string; fileName: string; size: number }) {
  return (
    <>
      <a href={apiUrl(`/artifacts/${encodeURIComponent(id)}/file`)} download={fileName}>
        {fileName}
      </a>{' '}
      <small>{formatBytes(size)}</small>
    </>
  );
}

function MassPropertyTable({ comparison: { from, to, measures } }: { comparison: Comparison }) {
  const rows = massPropertyRows(measures);
  if (rows.length + measures.missing.length === 0) return null;
  return (
    <section aria-label="Properties">
      <h2>Properties</h2>
      {measures.missing.map(({ versionId, reason }) => (
        <p key={versionId} class="quiet">
          {sideName(versionId === from.id ? from : to)}: {reason}
        </p>
      ))}
      {rows.length > 0 && (
        <div class="table-box">
          <table>
            <thead>
              <tr>
                <th scope="col">Property</th>
                <th scope="col" class="figure">
                  {sideName(from)}
                </th>
                <th scope="col" class="figure">
                  {sideName(to)}
                </th>
                <th scope="col" class="figure">
                  Difference
                </th>
                <th scope="col">Unit</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, unit, from: before, to: after, difference }) => (
                <tr key={name} class={difference === 'same' ? 'same' : ''}>
                  <th scope="row">{name}</th>
                  <td class="figure">{before}</td>
                  <td class="figure">{after}</td>
                  <td class="figure">{difference}</td>
                  <td>{unit}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

type Reference = NonNullable<Comparison['references'][number]['from']>;

function ReferenceTable({ comparison: { from, to, references } }: { comparison: Comparison }) {
  if (references.length === 0) return null;
  return (
    <section aria-label="References">
      <h2>References</h2>
      <div class="table-box">
        <table>
          <TableHead first="Change" from={from} to={to} />
          <tbody>
            {references.map(({ change, differences, from: before, to: after }) => (
              <tr key={`${before?.line} ${after?.line}`}>
                <td>
                  <span class={`mark ${CHANGE_CLASSES[change]}`}>
                    {change === 'changed' ? differences.join(', ') : change}
                  </span>
                </td>
                <td>{before && <ReferenceCell reference={before} />}</td>
                <td>{after && <ReferenceCell reference={after} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ReferenceCell({ reference }: { reference: Reference }) {
  const { number, name, documentId, location, label, n, quantity, reason, status } = reference;
  return (
    <span title={location}>
      {documentId ? <a href={urlFor.document(documentId)}>{`${number} ${name}`}</a> : (number ?? location)}{' '}
      {status === 'unresolved' ? (
        <span class="mark bad" title={reason ?? undefined}>
          unresolved
        </span>
      ) : (
        <span class="mark">{label ?? `v${n}`}</span>
      )}{' '}
      <small>× {formatNumber(quantity)}</small>
    </span>
  );
}
