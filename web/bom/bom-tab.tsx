// The bill of material of an assembly: what it consists of, which state of it, how often, and what has moved on since.
import { useMemo, useState } from 'preact/hooks';
import {
  type BomMode,
  BomOfVersionDocument,
  type BomOfVersionQuery,
  type BomResolve,
} from '../generated/operations.ts';
import { address, go, withQuery } from '../shell/addresses.ts';
import { fileAddress } from '../shell/ask.ts';
import type { Concerns } from '../shell/live.ts';
import { useAsk } from '../shell/use-ask.ts';
import { figure } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Answer, Nothing } from '../ui/state.tsx';
import { type Folding, matching } from '../ui/tree-rows.ts';
import { type Column, TreeTable } from '../ui/tree-table.tsx';
import { countMarks, marksOf, mentions, pointingOf } from './bom-words.ts';
import { DocumentCell, hrefOf, MeantCell } from './cells.tsx';
import { Choice } from './choice.tsx';

type BomLine = BomOfVersionQuery['bom']['items'][number];

const MODES = [
  { id: 'indented', label: 'Indented', why: 'Every line at every place' },
  { id: 'flat', label: 'Flat', why: 'What it consists of in the end, each version once' },
  { id: 'top', label: 'Top', why: 'The lines of the assembly itself' },
] as const satisfies readonly { id: BomMode; label: string; why: string }[];

export function BomTab({ documentId, versionId }: { documentId: string; versionId: string }) {
  const { query } = address.value;
  const mode = MODES.find(({ id }) => id === query.get('mode'))?.id ?? 'indented';
  const resolve: BomResolve | undefined = query.get('resolve') === 'now' ? 'now' : undefined;
  // what the assembly uses may be released meanwhile: then other lines are outdated
  const concerns: Concerns = ({ type, data }) =>
    data.documentId === documentId ||
    (/^(version|revision)\./.test(type) && data.documentId !== null && used.has(data.documentId));
  const asked = useAsk(BomOfVersionDocument, { id: versionId, mode, resolve }, concerns);
  const used = useMemo(() => new Set(asked.data?.bom.items.map((line) => line.documentId)), [asked.data]);
  return (
    <div class="bom">
      <Answer of={asked}>
        {({ bom }) => <Lines key={`${versionId} ${mode}`} bom={bom} versionId={versionId} mode={mode} />}
      </Answer>
    </div>
  );
}

const COLUMNS: readonly Column<BomLine>[] = [
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
    title: 'Used as',
    width: 'minmax(11rem, 1fr)',
    cell: ({ resolution, address: location }) => <MeantCell meant={resolution} pointing={pointingOf(location)} />,
  },
  {
    id: 'marks',
    title: 'To notice',
    width: 'minmax(9rem, 1.2fr)',
    cell: (line) => (
      <>
        {marksOf(line).map(({ text, kind, why }) => (
          <span key={text} class={`mark ${kind}`} title={why}>
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
  { id: 'quantity', title: 'Quantity', width: '5.5rem', class: 'figure', cell: ({ quantity }) => figure(quantity) },
  {
    id: 'total',
    title: 'In total',
    width: '5.5rem',
    class: 'figure',
    cell: ({ totalQuantity }) => figure(totalQuantity),
  },
];

type LinesProps = { bom: BomOfVersionQuery['bom']; versionId: string; mode: BomMode };

function Lines({ bom, versionId, mode }: LinesProps) {
  const [folding, setFolding] = useState<Folding>({ depth: Number.POSITIVE_INFINITY, toggled: new Set() });
  const [text, setText] = useState('');
  const [only, setOnly] = useState(false);
  const lines = bom.items;
  const deepest = useMemo(() => lines.reduce((depth, { level }) => Math.max(depth, level), 1), [lines]);
  const counts = useMemo(() => countMarks(lines), [lines]);
  const shown = useMemo(() => {
    const named = mentions(text);
    if (!named && !only) return lines;
    return matching(
      lines,
      (line) => (named?.(line) ?? true) && (!only || line.outdated || !line.resolution || line.resolution.obsolete),
    );
  }, [lines, text, only]);
  const noticed = counts.outdated + counts.obsolete + counts.unresolved;
  const frozen = bom.n !== null;
  const csv = new URLSearchParams({ format: 'csv', mode, ...(frozen ? { resolve: bom.resolve } : {}) });
  return (
    <>
      <div class="bom-tools">
        <Choice
          label="Lines"
          options={MODES}
          value={mode}
          onChange={(id) => go(withQuery({ mode: id === 'indented' ? null : id }))}
        />
        {frozen && (
          <Choice
            label="References"
            options={[
              { id: 'frozen', label: 'As frozen', why: 'As the version was made' },
              { id: 'now', label: 'As of now', why: 'As its references mean now' },
            ]}
            value={bom.resolve}
            onChange={(id) => go(withQuery({ resolve: id === 'now' ? 'now' : null }))}
          />
        )}
        {deepest > 1 && (
          <label class="inline">
            Levels
            <select
              value={Number.isFinite(folding.depth) ? String(folding.depth) : 'all'}
              onChange={({ currentTarget: { value } }) =>
                setFolding({ depth: value === 'all' ? Number.POSITIVE_INFINITY : Number(value), toggled: new Set() })
              }
            >
              {Array.from({ length: Math.min(deepest - 1, 9) }, (_, at) => (
                <option key={at} value={String(at + 1)}>
                  {at + 1}
                </option>
              ))}
              <option value="all">all</option>
            </select>
          </label>
        )}
        <input
          type="search"
          class="grow"
          aria-label="Find in the bill of material"
          placeholder="Find a number or name"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label class="inline">
          <input
            type="checkbox"
            checked={only}
            disabled={noticed === 0}
            onChange={(event) => setOnly(event.currentTarget.checked)}
          />
          Only what is to be noticed ({figure(noticed)})
        </label>
        <a class="button" href={fileAddress(`/versions/${versionId}/bom?${csv}`)} download>
          <Icon name="download" /> CSV
        </a>
      </div>
      {lines.length === 0 ? (
        <Nothing>It uses nothing{frozen ? '' : ' yet: upload an asm.json'}.</Nothing>
      ) : shown.length === 0 ? (
        <Nothing>No line is like that.</Nothing>
      ) : (
        <TreeTable
          label={`Bill of material of ${bom.number}`}
          rows={shown}
          keyOf={({ path }) => path}
          columns={COLUMNS}
          folding={text || only ? { depth: Number.POSITIVE_INFINITY, toggled: folding.toggled } : folding}
          onFolding={setFolding}
          onOpen={({ documentId, resolution }) => documentId && go(hrefOf(documentId, resolution?.versionId))}
        />
      )}
      <p class="quiet" role="status">
        {wordsFor(lines.length, shown.length, counts)}
      </p>
    </>
  );
}

function wordsFor(
  all: number,
  shown: number,
  { outdated, obsolete, unresolved }: ReturnType<typeof countMarks>,
): string {
  const told = [
    shown === all ? `${figure(all)} ${all === 1 ? 'line' : 'lines'}` : `${figure(shown)} of ${figure(all)} lines`,
    ...(outdated ? [`${figure(outdated)} outdated`] : []),
    ...(obsolete ? [`${figure(obsolete)} obsolete`] : []),
    ...(unresolved ? [`${figure(unresolved)} unresolved`] : []),
  ];
  return told.join(' · ');
}
