// The columns of the bill of materials, and the choice of further ones.
import { signal } from '@preact/signals';
import type { BomOfVersionQuery } from '../generated/operations.ts';
import { formatMass, formatNumber } from '../ui/format.ts';
import { readStored, writeStored } from '../ui/stored.ts';
import type { Column } from '../ui/tree-table.tsx';
import { issuesOf, referenceTypeOf } from './bom-lines.ts';
import type { LineMass } from './line-masses.ts';
import { DocumentCell, ResolvedCell } from './reference-cells.tsx';

export type BomLine = BomOfVersionQuery['bom']['items'][number];

export const COLUMNS: readonly Column<BomLine>[] = [
  {
    id: 'document',
    title: 'Document',
    width: 'minmax(16rem, 3fr)',
    cell: (line) => (
      <>
        <span class="find-number quiet">{line.findNumber}</span>
        <DocumentCell
          document={
            line.documentId && line.number
              ? { id: line.documentId, number: line.number, name: line.name ?? '', kind: line.kind ?? 'model' }
              : null
          }
          address={line.address}
          versionId={line.resolution?.versionId}
          thumbnailUrl={line.version?.thumbnailUrl}
        />
      </>
    ),
  },
  {
    id: 'state',
    title: 'Version',
    width: 'minmax(11rem, 1fr)',
    cell: ({ resolution, address }) => <ResolvedCell version={resolution} type={referenceTypeOf(address)} />,
  },
  {
    id: 'issues',
    title: 'Issues',
    width: 'minmax(9rem, 1.2fr)',
    cell: (line) => (
      <>
        {issuesOf(line).map(({ text, class: className, tooltip }) => (
          <span key={text} class={`mark ${className}`} title={tooltip}>
            {text}
          </span>
        ))}
        {!line.resolution && (
          <small class="cut" title={line.reason ?? undefined}>
            {line.reason}
          </small>
        )}
      </>
    ),
  },
  {
    id: 'quantity',
    title: 'Quantity',
    width: '5.5rem',
    class: 'figure',
    cell: ({ quantity }) => formatNumber(quantity),
  },
  {
    id: 'total',
    title: 'Total',
    width: '5.5rem',
    class: 'figure',
    cell: ({ totalQuantity }) => formatNumber(totalQuantity),
  },
];

export type MassOf = (line: BomLine) => LineMass | undefined;

const massCell = (mass: number | null | undefined, quantity = 1): string =>
  typeof mass === 'number' ? formatMass(mass * quantity) : '';

/** Returns the id of the properties artifact of a line; null if it has none or an outdated one. */
export const propertiesOf = ({ version }: BomLine): string | null =>
  version?.properties && !version.properties.stale ? version.properties.id : null;

/** The columns that the user can choose. */
export const detailColumns = (massOf: MassOf): readonly Column<BomLine>[] => [
  {
    id: 'description',
    title: 'Description',
    width: 'minmax(9rem, 1.5fr)',
    cell: ({ document }) => (
      <span class="cut-here" title={document?.description ?? undefined}>
        {document?.description}
      </span>
    ),
  },
  {
    id: 'revision',
    title: 'Newest revision',
    width: '8rem',
    cell: ({ document }) => {
      const revision = document?.newestRevision;
      return revision && <span class={`mark ${revision.obsolete ? 'bad' : 'good'}`}>Rev {revision.label}</span>;
    },
  },
  {
    id: 'material',
    title: 'Material',
    width: 'minmax(7rem, 1fr)',
    cell: (line) => <span class="cut-here">{massOf(line)?.materials.join(', ')}</span>,
  },
  {
    id: 'mass',
    title: 'Mass',
    width: '6rem',
    class: 'figure',
    cell: (line) => massCell(massOf(line)?.mass),
  },
  {
    id: 'total-mass',
    title: 'Total mass',
    width: '6.5rem',
    class: 'figure',
    cell: (line) => massCell(massOf(line)?.mass, line.totalQuantity),
  },
  {
    id: 'folder',
    title: 'Folder',
    width: 'minmax(7rem, 1fr)',
    cell: ({ document }) => <span class="cut-here">{document && (document.folder?.path ?? 'Unfiled')}</span>,
  },
];

const CHOSEN_KEY = 'bom-columns';
/** The ids of the chosen columns, kept in this browser. */
export const chosenColumns = signal<readonly string[]>(readChosen());

function readChosen(): string[] {
  const stored = readStored(CHOSEN_KEY);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
}

function toggleColumn(id: string): void {
  const chosen = chosenColumns.value;
  chosenColumns.value = chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
  writeStored(CHOSEN_KEY, chosenColumns.value);
}

export function ColumnChoice() {
  return (
    <details class="column-choice">
      <summary class="button">Columns</summary>
      <fieldset class="card" aria-label="Columns">
        {detailColumns(() => undefined).map(({ id, title }) => (
          <label key={id} class="inline">
            <input type="checkbox" checked={chosenColumns.value.includes(id)} onChange={() => toggleColumn(id)} />
            {title}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
