// Long lists: only the rows that are seen exist in the page, so ten thousand scroll like ten.
// biome-ignore-all lint/a11y/useSemanticElements: the element is a region of the page, or a part of a grid
import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type RowsProps<Row> = {
  rows: readonly Row[];
  /** Height of a row in CSS pixels, the same for all. */
  height: number;
  keyOf: (row: Row) => string;
  children: (row: Row, index: number) => ComponentChildren;
  /** Is called when the last row comes into sight: more can be fetched. */
  onEnd?: () => void;
  /** Scrolls so that this row is seen, when it changes. */
  shown?: number;
  class?: string;
  label: string;
  /** Something drawn behind the rows, over their whole height: first and last row in sight are given to it. */
  behind?: (first: number, last: number) => ComponentChildren;
  /** Where the rows are those of a grid, which has the label: a part of it, not a region of the page. */
  inGrid?: boolean;
  /** Is told which rows exist in the page, first and one past the last, so that what is missing of them can be fetched. */
  onSeen?: (first: number, last: number) => void;
  /** Of the box that scrolls: the role of a grid, keys, which row is active. */
  box?: HTMLAttributes<HTMLDivElement>;
};

const MORE = 8; // rows beyond the edges, so that scrolling never shows a gap
const STEP = 4; // what exists changes every so many rows: most steps of scrolling draw nothing anew

export function Rows<Row>(props: RowsProps<Row>) {
  const {
    rows,
    height,
    keyOf,
    children,
    onEnd,
    shown,
    class: more = '',
    label,
    behind,
    inGrid = false,
    onSeen,
    box: attributes,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  const [view, setView] = useState(() => rowsInSight(0, 800, height));
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const seen = rowsInSight(element.scrollTop, element.clientHeight, height);
      setView((before) => (before.first === seen.first && before.last === seen.last ? before : seen));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [height]);
  useEffect(() => {
    const element = box.current;
    if (!element || shown === undefined || shown < 0) return;
    const top = shown * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
    if (moved.current) reveal(element, top - element.scrollTop, height);
    moved.current = true;
  }, [shown, height]);

  const first = Math.min(view.first, Math.max(0, rows.length - 1));
  const last = Math.min(rows.length, view.last);
  useEffect(() => {
    if (last >= rows.length && rows.length > 0) onEnd?.();
  }, [last >= rows.length, rows.length]);
  useEffect(() => onSeen?.(first, last), [first, last, onSeen]);

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a region has a label, a part of a grid has none
    <div
      ref={box}
      class={`rows ${more}`}
      role={inGrid ? 'rowgroup' : 'region'}
      aria-label={inGrid ? undefined : label}
      tabIndex={-1}
      {...attributes}
    >
      <div class="rows-all" style={{ height: `${rows.length * height}px` }}>
        {behind?.(first, last)}
        {rows.slice(first, last).map((row, place) => (
          <div
            key={keyOf(row)}
            class="rows-one"
            style={{ top: `${(first + place) * height}px`, height: `${height}px` }}
          >
            {children(row, first + place)}
          </div>
        ))}
      </div>
    </div>
  );
}

// on a small screen the list itself reaches beyond what is seen: then what it lies in is scrolled too
function reveal(element: HTMLElement, from: number, height: number): void {
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (around.scrollHeight <= around.clientHeight || !/auto|scroll/.test(getComputedStyle(around).overflowY)) continue;
    const [seen, top] = [around.getBoundingClientRect(), element.getBoundingClientRect().top + from];
    if (top < seen.top) around.scrollTop -= seen.top - top;
    else if (top + height > seen.bottom) around.scrollTop += top + height - seen.bottom;
    return;
  }
}

const rowsInSight = (top: number, height: number, rowHeight: number) => ({
  first: Math.max(0, Math.floor((top / rowHeight - MORE) / STEP) * STEP),
  last: Math.ceil(((top + height) / rowHeight + MORE) / STEP) * STEP,
});
