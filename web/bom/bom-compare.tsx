import { useEffect, useMemo, useState } from 'preact/hooks';
import { BomDifferencesDocument, type BomDifferencesQuery } from '../generated/operations.ts';
import { go } from '../shell/addresses.ts';
import { useAsk } from '../shell/use-ask.ts';
import { figure } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Answer, Nothing } from '../ui/state.tsx';
import { type Folding, opened } from '../ui/tree-rows.ts';
import { type Column, TreeTable } from '../ui/tree-table.tsx';
import { meantWords, pointingOf } from './bom-words.ts';
import { DocumentCell, hrefOf, MeantCell } from './cells.tsx';
import { CHANGE_WORDS, differenceWords, nextDifference, withKeys } from './differences.ts';

type Change = BomDifferencesQuery['compareBoms']['changes'][number];
type Row = Change & { key: string };
type Side = Change['from'];

/** What differs from one bill of material to another: lines that came, went or changed, with the assemblies they lie in. */
export function BomCompare({ from, to }: { from: string; to: string }) {
  const asked = useAsk(BomDifferencesDocument, { from, to });
  return (
    <div class="bom">
      <Answer of={asked}>{({ compareBoms }) => <Differences comparison={compareBoms} />}</Answer>
    </div>
  );
}

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
    cell: ({ change, differs }) => (
      <span
        class={`mark ${change === 'added' ? 'good' : change === 'removed' ? 'bad' : change === 'changed' ? 'warn' : ''}`}
        title={differs.join(', ')}
      >
        {CHANGE_WORDS[change]}
      </span>
    ),
  },
  {
    id: 'from-state',
    title: 'From',
    width: 'minmax(9rem, 1fr)',
    cell: ({ from, differs }) => (
      <SideState side={from} differs={differs.includes('version') || differs.includes('address')} />
    ),
  },
  {
    id: 'to-state',
    title: 'To',
    width: 'minmax(9rem, 1fr)',
    cell: ({ to, differs }) => (
      <SideState side={to} differs={differs.includes('version') || differs.includes('address')} />
    ),
  },
  {
    id: 'quantity',
    title: 'Quantity',
    width: '7.5rem',
    class: 'figure',
    cell: ({ from, to, differs }) =>
      differs.includes('quantity') && from && to ? (
        <b>
          {figure(from.quantity)} → {figure(to.quantity)}
        </b>
      ) : (
        figure((to ?? from)?.quantity ?? 0)
      ),
  },
];

function SideState({ side, differs }: { side: Side; differs: boolean }) {
  if (!side) return <span class="quiet">–</span>;
  const cell = <MeantCell meant={side.resolution ?? null} pointing={pointingOf(side.address)} />;
  return differs ? <b class="row nowrap">{cell}</b> : cell;
}

function Differences({ comparison }: { comparison: BomDifferencesQuery['compareBoms'] }) {
  const rows = useMemo(() => withKeys(comparison.changes), [comparison]);
  const [folding, setFolding] = useState<Folding>({ depth: Number.POSITIVE_INFINITY, toggled: new Set() });
  const [selected, setSelected] = useState<string | null>(null);
  const step = (direction: 1 | -1) => {
    const at = nextDifference(rows, selected === null ? -1 : Number(selected), direction);
    if (at === null) return;
    setFolding((before) => opened(rows, at, keyOf, before));
    setSelected(String(at));
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
  if (rows.length === 0) return <Nothing>Both use the same, as often, in the same states.</Nothing>;
  return (
    <>
      <div class="bom-tools">
        <span role="status">
          From <b>{sideWords(comparison.from)}</b> to <b>{sideWords(comparison.to)}</b>: {differenceWords(rows)}
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
        label="Differences of the bills of material"
        rows={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        folding={folding}
        onFolding={setFolding}
        selected={selected}
        onSelect={(row) => setSelected(row?.key ?? null)}
        onOpen={({ from, to }) => {
          const side = to ?? from;
          if (side?.documentId) go(hrefOf(side.documentId, side.resolution?.versionId));
        }}
        rowClass={({ change }) => (change === 'indirect' ? '' : change)}
      />
    </>
  );
}

const keyOf = ({ key }: Row) => key;
const sideWords = ({ number, n }: { number: string; n?: number | null }): string =>
  `${number} ${n ? meantWords({ n, obsolete: false }) : 'draft'}`;
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
