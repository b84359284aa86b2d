// Compares two bills of materials.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { BomDifferencesDocument, type BomDifferencesQuery } from '../generated/operations.ts';
import { navigate } from '../shell/router.ts';
import { useQuery } from '../shell/use-query.ts';
import { formatNumber } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { EmptyState, QueryView } from '../ui/status.tsx';
import { expandTo, type Folding } from '../ui/tree-rows.ts';
import { type Column, TreeTable } from '../ui/tree-table.tsx';
import { referenceTypeOf, resolvedLabel } from './bom-lines.ts';
import { CHANGE_LABELS, differenceSummary, nextDifference, withKeys } from './differences.ts';
import { DocumentCell, ResolvedCell, versionUrl } from './reference-cells.tsx';

type Change = BomDifferencesQuery['compareBoms']['changes'][number];
type Row = Change & { key: string };
type Side = Change['from'];

/** The lines added, removed or changed between two versions, below their assemblies. */
export function BomCompare({ from, to }: { from: string; to: string }) {
  const result = useQuery(BomDifferencesDocument, { from, to });
  return (
    <div class="bom">
      <QueryView query={result}>{({ compareBoms }) => <Differences comparison={compareBoms} />}</QueryView>
    </div>
  );
}

const CHANGE_CLASSES = { added: 'good', removed: 'bad', changed: 'warn', indirect: '' };

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'document',
    title: 'Document',
    width: 'minmax(15rem, 2fr)',
    cell: ({ from, to }) => {
      const side = to ?? from;
      if (!side) return null;
      const { documentId, number, name, kind } = side;
      return (
        <DocumentCell
          document={documentId && number ? { id: documentId, number, name: name ?? '', kind: kind ?? 'model' } : null}
          address={side.address}
          versionId={side.resolution?.versionId}
          thumbnailUrl={side.version?.thumbnailUrl}
        />
      );
    },
  },
  {
    id: 'change',
    title: 'Change',
    width: '9rem',
    cell: ({ change, differences }) => (
      <span class={`mark ${CHANGE_CLASSES[change]}`} title={differences.join(', ')}>
        {CHANGE_LABELS[change]}
      </span>
    ),
  },
  {
    id: 'from-state',
    title: 'From',
    width: 'minmax(9rem, 1fr)',
    cell: ({ from, differences }) => (
      <SideVersion side={from} differs={differences.includes('version') || differences.includes('address')} />
    ),
  },
  {
    id: 'to-state',
    title: 'To',
    width: 'minmax(9rem, 1fr)',
    cell: ({ to, differences }) => (
      <SideVersion side={to} differs={differences.includes('version') || differences.includes('address')} />
    ),
  },
  {
    id: 'quantity',
    title: 'Quantity',
    width: '7.5rem',
    class: 'figure',
    cell: ({ from, to, differences }) =>
      differences.includes('quantity') && from && to ? (
        <b>
          {formatNumber(from.quantity)} → {formatNumber(to.quantity)}
        </b>
      ) : (
        formatNumber((to ?? from)?.quantity ?? 0)
      ),
  },
];

function SideVersion({ side, differs }: { side: Side; differs: boolean }) {
  if (!side) return <span class="quiet">–</span>;
  const cell = <ResolvedCell version={side.resolution ?? null} type={referenceTypeOf(side.address)} />;
  return differs ? <b class="row nowrap">{cell}</b> : cell;
}

function Differences({ comparison }: { comparison: BomDifferencesQuery['compareBoms'] }) {
  const rows = useMemo(() => withKeys(comparison.changes), [comparison]);
  const [folding, setFolding] = useState<Folding>({ depth: Number.POSITIVE_INFINITY, toggledKeys: new Set() });
  const [selected, setSelected] = useState<string | null>(null);
  const step = (direction: 1 | -1) => {
    const index = nextDifference(rows, selected === null ? -1 : Number(selected), direction);
    if (index === null) return;
    setFolding((before) => expandTo(rows, index, keyOf, before));
    setSelected(String(index));
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'n' || event.key === 'F7') step(event.shiftKey ? -1 : 1);
      else if (event.key === 'p' || event.key === 'N') step(-1);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  if (rows.length === 0) return <EmptyState>The bills of materials are identical.</EmptyState>;
  return (
    <>
      <div class="bom-tools">
        <span role="status">
          From <b>{sideLabel(comparison.from)}</b> to <b>{sideLabel(comparison.to)}</b>: {differenceSummary(rows)}
        </span>
        <span class="joined end">
          <button type="button" onClick={() => step(-1)} title="Previous difference (P)">
            <Icon name="up" /> Previous
          </button>
          <button type="button" onClick={() => step(1)} title="Next difference (N)">
            <Icon name="down" /> Next
          </button>
        </span>
      </div>
      <TreeTable
        label="Differences between the bills of materials"
        rows={rows}
        getKey={keyOf}
        columns={COLUMNS}
        folding={folding}
        onFolding={setFolding}
        selected={selected}
        onSelect={(row) => setSelected(row?.key ?? null)}
        onOpen={({ from, to }) => {
          const side = to ?? from;
          if (side?.documentId) navigate(versionUrl(side.documentId, side.resolution?.versionId));
        }}
        rowClass={({ change }) => CHANGE_CLASSES[change]}
      />
    </>
  );
}

const keyOf = ({ key }: Row) => key;
const sideLabel = ({ number, n }: { number: string; n?: number | null }): string =>
  `${number} ${n ? resolvedLabel({ n, obsolete: false }) : 'draft'}`;
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
