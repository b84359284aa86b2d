// A table whose rows lie in each other, or lie flat: walked with the arrow keys, opened by Enter, folded, and as long as one likes.
// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned and virtual cannot be those of a table element
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys are those of the grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row (aria-activedescendant)
import type { ComponentChildren } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { Rows } from './rows.tsx';
import { type Folding, type Levelled, type ShownRow, shownRows, toggled, treeKey } from './tree-rows.ts';

export type Column<Row> = {
  id: string;
  title: ComponentChildren;
  /** A track of a CSS grid, e.g. `minmax(12rem, 2fr)`. */
  width: string;
  class?: string;
  cell: (row: Row) => ComponentChildren;
};

type TreeTableProps<Row> = {
  label: string;
  /** Depth first, with levels from 1; a flat list has level 1 throughout. */
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The first is indented, and has what folds. Links in cells are left out of the order of the Tab key: Enter does what they do. */
  columns: readonly Column<Row>[];
  folding: Folding;
  onFolding: (folding: Folding) => void;
  /** Of the row that is selected, and told when another one is. Without it the table keeps to itself where one is. */
  selected?: string | null;
  onSelect?: (row: Row | null) => void;
  /** Enter, or two clicks. */
  onOpen?: (row: Row) => void;
  /** Other keys on a row; true when it did something with it. */
  onKey?: (key: string, row: Row) => boolean;
  rowClass?: (row: Row) => string;
  /** Height of a row in CSS pixels. */
  height?: number;
  onEnd?: () => void;
  /** Not to be seen: the columns need no titles. */
  headless?: boolean;
  class?: string;
};

export function TreeTable<Row extends Levelled>(props: TreeTableProps<Row>) {
  const { label, rows, keyOf, columns, folding, onFolding, height = 34, headless = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [own, setOwn] = useState<string | null>(null);
  const active = props.onSelect ? (props.selected ?? null) : own;
  const shown = useMemo(() => shownRows(rows, keyOf, folding), [rows, folding]);
  const at = useMemo(
    () => (active === null ? -1 : shown.findIndex(({ row }) => keyOf(row) === active)),
    [shown, active],
  );
  const isTree = useMemo(() => rows.some(({ level }) => level > 1), [rows]);
  const current = shown[at];

  const select = (entry: ShownRow<Row> | undefined) => {
    if (!entry) return;
    setOwn(keyOf(entry.row));
    props.onSelect?.(entry.row);
  };
  const fold = (entry: ShownRow<Row>) => onFolding(toggled(folding, keyOf(entry.row)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 340) / height) - 2);
    const step = treeKey(event.key, shown, at, page);
    const done =
      step !== null ||
      (event.key === 'Enter' && current && props.onOpen) ||
      (current && props.onKey?.(event.key, current.row));
    if (!done) return;
    event.preventDefault();
    if (step && 'to' in step) select(shown[step.to]);
    else if (step && current) fold(current);
    else if (event.key === 'Enter' && current) props.onOpen?.(current.row);
  };

  return (
    <div
      ref={box}
      class={`tree-table ${props.class ?? ''}`}
      role="treegrid"
      aria-label={label}
      aria-rowcount={shown.length + (headless ? 0 : 1)}
      aria-activedescendant={current ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) => event.target === box.current && at < 0 && !props.onSelect && select(shown[0])}
      style={{ '--columns': columns.map(({ width }) => width).join(' '), '--least': `${least(columns)}rem` }}
    >
      <div role="rowgroup" class={headless ? 'visually-hidden' : 'tree-head'}>
        <div role="row" class="tree-row">
          {columns.map(({ id: column, title, class: more }) => (
            <span key={column} role="columnheader" class={more}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <Rows
        rows={shown}
        height={height}
        keyOf={({ row }) => keyOf(row)}
        label={label}
        shown={at}
        onEnd={props.onEnd}
        inGrid
      >
        {(entry, index) => (
          <div
            role="row"
            id={`${id}-${index}`}
            class={`tree-row ${props.rowClass?.(entry.row) ?? ''}`}
            aria-rowindex={index + (headless ? 1 : 2)}
            aria-level={isTree ? entry.row.level : undefined}
            aria-expanded={entry.hasMore ? entry.open : undefined}
            aria-posinset={isTree ? entry.place : undefined}
            aria-setsize={isTree ? entry.siblings : undefined}
            aria-selected={index === at}
            onClick={() => select(entry)}
            onDblClick={() => props.onOpen?.(entry.row)}
          >
            {columns.map((column, place) => (
              <div key={column.id} role="gridcell" class={column.class}>
                {place === 0 && isTree && <Fold entry={entry} onFold={() => fold(entry)} />}
                {column.cell(entry.row)}
              </div>
            ))}
          </div>
        )}
      </Rows>
    </div>
  );
}

/** The least width of all columns together, in rem: where there is less room, the table is scrolled sideways. */
const least = (columns: readonly { width: string }[]): number =>
  columns.reduce((sum, { width }) => sum + Number(/[\d.]+/.exec(width)?.[0] ?? 0), 0);

function Fold<Row extends Levelled>({ entry, onFold }: { entry: ShownRow<Row>; onFold: () => void }) {
  const indent = { paddingLeft: `${(entry.row.level - 1) * 1.1}rem` };
  if (!entry.hasMore) return <span class="fold" style={indent} />;
  return (
    <button
      type="button"
      class="bare fold"
      style={indent}
      tabIndex={-1}
      aria-label={entry.open ? 'Close' : 'Open'}
      onClick={(event) => {
        event.stopPropagation();
        onFold();
      }}
    >
      <Icon name={entry.open ? 'down' : 'right'} />
    </button>
  );
}
