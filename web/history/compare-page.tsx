import { BomCompare } from '../bom/bom-compare.tsx';
import { CompareBothDocument } from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { fileAddress } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { useAsk } from '../shell/use-ask.ts';
import { bytes, figure } from '../ui/format.ts';
import { Answer, Nothing } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { SideBySide } from '../viewer/model-view.tsx';
import { type Comparison, fieldName, fileRows, givenFields, measureRows } from './compared.ts';
import { Label } from './history-row.tsx';
import { VersionPicker } from './version-picker.tsx';

/** Two drafts or versions of a document beside each other: what was said, files, what they use, measures. */
export function ComparePage({ documentId, from, to }: { documentId: string; from: string; to: string }) {
  const asked = useAsk(CompareBothDocument, from && to ? { from, to } : null, ofDocument(documentId));
  const show = (a: string, b: string) =>
    go(addressOf.document(documentId, 'compare', { from: a, to: b }), { replace: true });
  const both = asked.data?.compareVersions;
  return (
    <div class="compare">
      <div class="row compare-pick">
        <VersionPicker
          documentId={documentId}
          label="From"
          value={from}
          current={from ? nameOf(both?.from) : 'Choose…'}
          onPick={(id) => show(id, to)}
        />
        <button type="button" title="Swap" aria-label="Swap the two" onClick={() => show(to, from)}>
          ⇄
        </button>
        <VersionPicker
          documentId={documentId}
          label="To"
          value={to}
          current={to ? nameOf(both?.to) : 'Choose…'}
          onPick={(id) => show(from, id)}
        />
        <a class="end" href={addressOf.document(documentId, 'history')}>
          To the history
        </a>
      </div>
      {!from || !to ? (
        <Nothing>Choose the two to compare.</Nothing>
      ) : (
        <Answer of={asked}>{({ compareVersions }) => <Differences comparison={compareVersions} />}</Answer>
      )}
    </div>
  );
}

type Side = Comparison['from'];

const nameOf = (side: Side | undefined): string =>
  !side ? 'Reading…' : side.n === null ? `Draft of ${side.workspace.name}` : `v${side.n}`;

function Differences({ comparison }: { comparison: Comparison }) {
  const { from, to, references } = comparison;
  const fields = givenFields(comparison.fields);
  const files = fileRows(comparison);
  const differing = files.filter(({ change }) => change !== 'same').length;
  return (
    <>
      <div class="sides">
        <SideHead side={from} />
        <SideHead side={to} />
      </div>
      {differing + fields.length + references.length === 0 && (
        <p class="mark good">Nothing differs but when they were made.</p>
      )}
      {both(comparison, 'glb') && (
        <section aria-label="Models">
          <h2>Models</h2>
          <SideBySide key={`${from.id} ${to.id}`} from={from.id} to={to.id} />
        </section>
      )}
      <Measures comparison={comparison} />
      {fields.length > 0 && (
        <section aria-label="What was said">
          <h2>What was said</h2>
          <div class="table-box">
            <table>
              <Head first="Field" from={from} to={to} />
              <tbody>
                {fields.map(({ field, from: before, to: after }) => (
                  <tr key={field}>
                    <th scope="row">{fieldName(field)}</th>
                    <td class="said">{before ?? '–'}</td>
                    <td class="said">{after ?? '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {from.document.kind === 'assembly' ? (
        <section aria-label="Bill of material">
          <h2>Bill of material</h2>
          <BomCompare from={from.id} to={to.id} />
        </section>
      ) : (
        <Uses comparison={comparison} />
      )}
      <section aria-label="Files">
        <h2>Files</h2>
        {files.length === 0 ? (
          <p class="quiet">Neither has files.</p>
        ) : (
          <div class="table-box">
            <table>
              <Head first="File" from={from} to={to} last="Change" />
              <tbody>
                {files.map((file) => (
                  <tr key={file.kind} class={file.change === 'same' ? 'same' : ''}>
                    <th scope="row">{file.kind}</th>
                    <td>{file.from && <FileLink {...file.from} />}</td>
                    <td>{file.to && <FileLink {...file.to} />}</td>
                    <td>
                      <span class={`mark ${COLOUR[file.change]}`}>{file.change}</span>
                      {file.derived && <small> made by an engine</small>}
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

const both = ({ from, to }: Comparison, kind: string) =>
  [from, to].every(({ artifacts }) => artifacts.some((file) => file.kind === kind));

const COLOUR = { same: '', changed: 'accent', renamed: 'accent', added: 'good', removed: 'bad' };

function SideHead({ side }: { side: Side }) {
  return (
    <div class="card">
      <b>{nameOf(side)}</b> {side.releasedAs && <Label {...side.releasedAs} />}{' '}
      {side.name.toLowerCase() !== `v${side.n}` && side.name}
      <div class="quiet">
        {side.workspace.name} · {side.createdBy.name} · <Time at={side.createdAt} />
      </div>
    </div>
  );
}

function Head({ first, from, to, last }: { first: string; from: Side; to: Side; last?: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">{nameOf(from)}</th>
        <th scope="col">{nameOf(to)}</th>
        {last && <th scope="col">{last}</th>}
      </tr>
    </thead>
  );
}

function FileLink({ id, fileName, size }: { id: string; fileName: string; size: number }) {
  return (
    <>
      <a href={fileAddress(`/artifacts/${encodeURIComponent(id)}/file`)} download={fileName}>
        {fileName}
      </a>{' '}
      <small>{bytes(size)}</small>
    </>
  );
}

function Measures({ comparison: { from, to, measures } }: { comparison: Comparison }) {
  const rows = measureRows(measures);
  if (rows.length + measures.missing.length === 0) return null;
  return (
    <section aria-label="Measures">
      <h2>Measures</h2>
      {measures.missing.map(({ versionId, reason }) => (
        <p key={versionId} class="quiet">
          {nameOf(versionId === from.id ? from : to)}: {reason}
        </p>
      ))}
      {rows.length > 0 && (
        <div class="table-box">
          <table>
            <thead>
              <tr>
                <th scope="col">Measure</th>
                <th scope="col" class="figure">
                  {nameOf(from)}
                </th>
                <th scope="col" class="figure">
                  {nameOf(to)}
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

type Use = NonNullable<Comparison['references'][number]['from']>;

function Uses({ comparison: { from, to, references } }: { comparison: Comparison }) {
  if (references.length === 0) return null;
  return (
    <section aria-label="What they use">
      <h2>What they use</h2>
      <div class="table-box">
        <table>
          <Head first="Change" from={from} to={to} />
          <tbody>
            {references.map(({ change, differs, from: before, to: after }) => (
              <tr key={`${before?.line} ${after?.line}`}>
                <td>
                  <span class={`mark ${COLOUR[change]}`}>{change === 'changed' ? differs.join(', ') : change}</span>
                </td>
                <td>{before && <UseCell use={before} />}</td>
                <td>{after && <UseCell use={after} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function UseCell({ use: { number, name, documentId, location, label, n, quantity, reason, status } }: { use: Use }) {
  return (
    <span title={location}>
      {documentId ? <a href={addressOf.document(documentId)}>{`${number} ${name}`}</a> : (number ?? location)}{' '}
      {status === 'unresolved' ? (
        <span class="mark bad" title={reason ?? undefined}>
          not found
        </span>
      ) : (
        <span class="mark">{label ?? `v${n}`}</span>
      )}{' '}
      <small>× {figure(quantity)}</small>
    </span>
  );
}
