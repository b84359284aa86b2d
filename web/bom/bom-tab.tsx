// The bill of materials of an assembly.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ComponentsDialog } from '../assembly/components-dialog.ts';
import {
  type BomMode,
  BomOfVersionDocument,
  type BomOfVersionQuery,
  type BomResolve,
} from '../generated/operations.ts';
import { apiUrl, execute } from '../shell/api-client.ts';
import type { EventFilter } from '../shell/live-events.ts';
import { navigate, route, withQuery } from '../shell/router.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { formatNumber } from '../ui/format.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { saveFile } from '../ui/save-file.ts';
import { EmptyState, QueryView } from '../ui/status.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { expandTo, type Folding, filterTree } from '../ui/tree-rows.ts';
import { TreeTable } from '../ui/tree-table.tsx';
import { LinkedModel } from '../viewer/model-view.tsx';
import {
  type BomLine,
  COLUMNS,
  ColumnChoice,
  chosenColumns,
  detailColumns,
  type MassOf,
  propertiesOf,
} from './bom-columns.tsx';
import { countIssues, textFilter } from './bom-lines.ts';
import { isLineInRow, rowOfLine } from './bom-link.ts';
import { readLineMasses, useLineMasses } from './line-masses.ts';
import { versionUrl } from './reference-cells.tsx';
import { SegmentedControl } from './segmented-control.tsx';

const MODES = [
  { id: 'indented', label: 'Indented', tooltip: 'Every line at every level' },
  { id: 'flat', label: 'Flat', tooltip: 'All parts, each version once with its total quantity' },
  { id: 'top', label: 'Top', tooltip: 'Lines of this assembly only' },
] as const satisfies readonly { id: BomMode; label: string; tooltip: string }[];

/** The lines of a draft or version with quantities, issues and CSV download. */
export function BomTab({ documentId, versionId }: { documentId: string; versionId: string }) {
  const { query } = route.value;
  const mode = MODES.find(({ id }) => id === query.get('mode'))?.id ?? 'indented';
  const resolve: BomResolve | undefined = query.get('resolve') === 'now' ? 'now' : undefined;
  // a release or new version of a component can make lines outdated
  const isRelevant: EventFilter = ({ type, data }) =>
    data.documentId === documentId ||
    (/^(version|revision)\./.test(type) && data.documentId !== null && usedIds.has(data.documentId));
  const chosen = chosenColumns.value;
  const result = useQuery(
    BomOfVersionDocument,
    { id: versionId, mode, resolve, details: chosen.length > 0 },
    isRelevant,
  );
  const usedIds = useMemo(() => new Set(result.data?.bom.items.map((line) => line.documentId)), [result.data]);
  // while the details of new columns load, the lines stay
  const key = `${versionId} ${mode} ${resolve}`;
  const latest = useRef<{ key: string; data: BomOfVersionQuery } | null>(null);
  if (result.data) latest.current = { key, data: result.data };
  const data = latest.current?.key === key ? latest.current.data : undefined;
  return (
    <div class="bom bom-tab">
      <QueryView query={{ ...result, data }}>
        {({ bom }) => (
          <Lines key={`${versionId} ${mode}`} bom={bom} versionId={versionId} mode={mode} reload={result.reload} />
        )}
      </QueryView>
    </div>
  );
}

const keyOf = ({ path }: BomLine): string => path;

/** Downloads all lines as an Excel file, with their details. */
function exportXlsx(
  versionId: string,
  mode: BomMode,
  { number, resolve, n }: BomOfVersionQuery['bom'],
): Promise<boolean> {
  return runWithToast(async () => {
    const variables = { id: versionId, mode, resolve: n === null ? undefined : resolve, details: true };
    const [{ bom }, { createXlsx }, { bomTable }] = await Promise.all([
      execute(BomOfVersionDocument, variables),
      import('../find/xlsx.ts'),
      import('./bom-table.ts'),
    ]);
    const ids = bom.items.flatMap((line) => propertiesOf(line) ?? []);
    const masses = await readLineMasses(ids);
    const table = bomTable(bom.items, (line) => masses.get(propertiesOf(line) ?? ''));
    saveFile(await createXlsx('Bill of materials', table), `${number}-bom.xlsx`);
  });
}

type LinesProps = { bom: BomOfVersionQuery['bom']; versionId: string; mode: BomMode; reload: () => void };

function Lines({ bom, versionId, mode, reload }: LinesProps) {
  const [editing, setEditing] = useState(false);
  const [folding, setFolding] = useState<Folding>({ depth: Number.POSITIVE_INFINITY, toggledKeys: new Set() });
  const [text, setText] = useState('');
  const [onlyIssues, setOnlyIssues] = useState(false);
  const lines = bom.items;
  const hasMasses = ['material', 'mass', 'total-mass'].some((id) => chosenColumns.value.includes(id));
  const masses = useLineMasses(hasMasses ? lines.flatMap((line) => propertiesOf(line) ?? []) : []);
  const massOf: MassOf = (line) => masses.get(propertiesOf(line) ?? '');
  const { query } = route.value;
  const with3d = query.get('view') === '3d';
  // the selected row, and whether the user selected it in the 3D view
  const [selection, setSelection] = useState({ path: query.get('row'), inModel: false });
  useEffect(() => {
    const index = lines.findIndex(({ path }) => path === selection.path);
    if (index >= 0) setFolding((before) => expandTo(lines, index, keyOf, before));
  }, [selection.path]);
  const selected = lines.find(({ path }) => path === selection.path);
  const link = useMemo(
    () => ({
      isMarked:
        selected && !selection.inModel
          ? (line: Parameters<typeof isLineInRow>[0]) => isLineInRow(line, selected, mode)
          : null,
      onPick: (line: Parameters<typeof isLineInRow>[0] | null) =>
        setSelection({ path: (line && rowOfLine(lines, line, mode))?.path ?? null, inModel: true }),
    }),
    [selected, selection.inModel, lines, mode],
  );
  const maxLevel = useMemo(() => lines.reduce((depth, { level }) => Math.max(depth, level), 1), [lines]);
  const counts = useMemo(() => countIssues(lines), [lines]);
  const shown = useMemo(() => {
    const matchesText = textFilter(text);
    if (!matchesText && !onlyIssues) return lines;
    return filterTree(
      lines,
      (line) =>
        (matchesText?.(line) ?? true) && (!onlyIssues || line.outdated || !line.resolution || line.resolution.obsolete),
    );
  }, [lines, text, onlyIssues]);
  const issueCount = counts.outdated + counts.obsolete + counts.unresolved;
  const frozen = bom.n !== null;
  const csv = new URLSearchParams({ format: 'csv', mode, ...(frozen ? { resolve: bom.resolve } : {}) });
  return (
    <>
      <div class="bom-tools">
        <SegmentedControl
          label="Lines"
          options={MODES}
          value={mode}
          onChange={(id) => navigate(withQuery({ mode: id === 'indented' ? null : id }))}
        />
        {frozen && (
          <SegmentedControl
            label="References"
            options={[
              { id: 'frozen', label: 'As frozen', tooltip: 'As resolved when the version was created' },
              { id: 'now', label: 'As of now', tooltip: 'As the references resolve now' },
            ]}
            value={bom.resolve}
            onChange={(id) => navigate(withQuery({ resolve: id === 'now' ? 'now' : null }))}
          />
        )}
        {maxLevel > 1 && (
          <label class="inline">
            Levels
            <select
              value={Number.isFinite(folding.depth) ? String(folding.depth) : 'all'}
              onChange={({ currentTarget: { value } }) =>
                setFolding({
                  depth: value === 'all' ? Number.POSITIVE_INFINITY : Number(value),
                  toggledKeys: new Set(),
                })
              }
            >
              {Array.from({ length: Math.min(maxLevel - 1, 9) }, (_, at) => (
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
          aria-label="Search the bill of materials"
          placeholder="Number or name"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label class="inline">
          <input
            type="checkbox"
            checked={onlyIssues}
            disabled={issueCount === 0}
            onChange={(event) => setOnlyIssues(event.currentTarget.checked)}
          />
          Only lines with issues ({formatNumber(issueCount)})
        </label>
        {!frozen && (
          <ActionButton
            icon="edit"
            permission={bom.version.workspace.permissions.canUpload}
            onClick={() => setEditing(true)}
          >
            Edit components…
          </ActionButton>
        )}
        <button
          type="button"
          aria-pressed={with3d}
          title="Show the 3D view beside the lines"
          onClick={() => navigate(withQuery({ view: with3d ? null : '3d' }), { replace: true })}
        >
          <Icon name="cube" /> 3D view
        </button>
        <ColumnChoice />
        <a class="button" href={apiUrl(`/versions/${versionId}/bom?${csv}`)} download>
          <Icon name="download" /> CSV
        </a>
        <button type="button" onClick={() => void exportXlsx(versionId, mode, bom)}>
          <Icon name="download" /> Excel
        </button>
      </div>
      <div class={with3d ? 'bom-and-model' : 'bom-lines'}>
        <div class="bom-lines">
          {lines.length === 0 ? (
            <EmptyState>
              <p>
                {frozen ? 'No lines.' : 'No lines yet. Add components, or import a STEP assembly on the Overview tab.'}
              </p>
              <HelpLink topic="guide#bill-of-materials">About bills of materials</HelpLink>
            </EmptyState>
          ) : shown.length === 0 ? (
            <EmptyState>No matching lines.</EmptyState>
          ) : (
            <TreeTable
              label={`Bill of materials of ${bom.number}`}
              rows={shown}
              getKey={keyOf}
              columns={[...COLUMNS, ...detailColumns(massOf).filter(({ id }) => chosenColumns.value.includes(id))]}
              folding={
                text || onlyIssues ? { depth: Number.POSITIVE_INFINITY, toggledKeys: folding.toggledKeys } : folding
              }
              onFolding={setFolding}
              selected={selection.path}
              onSelect={with3d ? (row) => setSelection({ path: row?.path ?? null, inModel: false }) : undefined}
              onOpen={({ documentId, resolution }) =>
                documentId && navigate(versionUrl(documentId, resolution?.versionId))
              }
            />
          )}
          <p class="quiet" role="status">
            {summaryText(lines.length, shown.length, counts)}
          </p>
        </div>
        {with3d && <LinkedModel versionId={versionId} link={link} />}
      </div>
      {editing && (
        <ComponentsDialog
          document={{ id: bom.documentId, number: bom.number }}
          versionId={versionId}
          onClose={() => setEditing(false)}
          onSaved={reload}
        />
      )}
    </>
  );
}

function summaryText(
  all: number,
  shown: number,
  { outdated, obsolete, unresolved }: ReturnType<typeof countIssues>,
): string {
  const parts = [
    shown === all
      ? `${formatNumber(all)} ${all === 1 ? 'line' : 'lines'}`
      : `${formatNumber(shown)} of ${formatNumber(all)} lines`,
    ...(outdated ? [`${formatNumber(outdated)} outdated`] : []),
    ...(obsolete ? [`${formatNumber(obsolete)} obsolete`] : []),
    ...(unresolved ? [`${formatNumber(unresolved)} unresolved`] : []),
  ];
  return parts.join(' · ');
}
